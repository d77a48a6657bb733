import type { Answer } from '../api/client.ts'

export type TraceEntry = Answer<'trace', 'log'>['records'][number]
export type Listed = Answer<'intents', 'list'>['projects'][number]
export type Intent = Listed['intents'][number]

/** A folder or file with how much was changed in it, and for which intents. */
export interface Node {
  name: string
  path: string
  isFile: boolean
  changes: number
  /** How many of the changes were for each intent; the empty name stands for none. */
  byIntent: Map<string, number>
  children: Node[]
}

/** The traced files as a tree. Folders with one folder in them become one line. */
export function changeTree(records: TraceEntry[]): Node {
  const root = folder('', '')
  for (const { files, intent } of records) {
    for (const { path } of files) note(root, path, intent ?? '')
  }
  return fold(root)
}

function folder(name: string, path: string): Node {
  return { name, path, isFile: false, changes: 0, byIntent: new Map(), children: [] }
}

function note(root: Node, path: string, intent: string): void {
  const parts = path.split('/')
  let at = root
  count(at, intent)
  parts.forEach((name, index) => {
    const own = parts.slice(0, index + 1).join('/')
    let child = at.children.find((one) => one.path === own)
    if (!child) {
      child = { ...folder(name, own), isFile: index === parts.length - 1 }
      at.children.push(child)
    }
    at = child
    count(at, intent)
  })
}

function count(node: Node, intent: string): void {
  node.changes++
  node.byIntent.set(intent, (node.byIntent.get(intent) ?? 0) + 1)
}

function fold(node: Node): Node {
  const children = node.children
    .map(fold)
    .sort((a, b) => Number(a.isFile) - Number(b.isFile) || a.name.localeCompare(b.name))
  const [only] = children
  if (children.length === 1 && only && !only.isFile && node.path !== '') {
    return { ...only, name: `${node.name}/${only.name}` }
  }
  return { ...node, children }
}

/** How many changes only said the same in other words, and how many said something new. */
export function split(records: TraceEntry[]): {
  refactor: number
  feature: number
  unknown: number
  violations: number
} {
  const of = (wanted: TraceEntry['mutationClass']) =>
    records.filter(({ mutationClass }) => mutationClass === wanted).length
  return {
    refactor: of('AST_REFACTOR'),
    feature: of('INTENT_EVOLUTION'),
    unknown: of(undefined),
    violations: records.filter(({ scopeViolation }) => scopeViolation).length,
  }
}

/** Lines in a row that the same change wrote, so that a file is not a wall of names. */
export interface BlameBlock {
  first: number
  origin: Answer<'trace', 'blame'>['lines'][number]['origin']
  lines: string[]
}

export function blameBlocks(lines: Answer<'trace', 'blame'>['lines']): BlameBlock[] {
  const blocks: BlameBlock[] = []
  for (const { line, text, origin } of lines) {
    const last = blocks.at(-1)
    if (last && last.origin?.id === origin?.id) last.lines.push(text)
    else blocks.push({ first: line, origin, lines: [text] })
  }
  return blocks
}

/** A folder or file of the project, with how many files below it an intent owns. */
export interface ScopeNode {
  name: string
  path: string
  isFile: boolean
  files: number
  owned: number
  children: ScopeNode[]
}

type ScopeFile = Answer<'intents', 'scope'>['files'][number]

/** The project's files as a tree; what is owned is counted for one intent, or for any. */
export function scopeTree(files: ScopeFile[], intent: string | undefined): ScopeNode {
  const root: ScopeNode = { name: '', path: '', isFile: false, files: 0, owned: 0, children: [] }
  const known = new Map<string, ScopeNode>([['', root]])
  for (const { path, intents } of files) {
    const isOwned = intent === undefined ? intents.length > 0 : intents.includes(intent)
    const parts = path.split('/')
    let at = root
    tally(at, isOwned)
    parts.forEach((name, index) => {
      const own = parts.slice(0, index + 1).join('/')
      let child = known.get(own)
      if (!child) {
        child = { name, path: own, isFile: index === parts.length - 1, files: 0, owned: 0, children: [] }
        known.set(own, child)
        at.children.push(child)
      }
      at = child
      tally(at, isOwned)
    })
  }
  return sortTree(root)
}

function tally(node: ScopeNode, isOwned: boolean): void {
  node.files++
  if (isOwned) node.owned++
}

function sortTree(node: ScopeNode): ScopeNode {
  const children = node.children
    .map(sortTree)
    .sort((a, b) => Number(a.isFile) - Number(b.isFile) || a.name.localeCompare(b.name))
  return { ...node, children }
}
