import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import type { Intent } from '#core/intent/intent.ts'
import { leavesProject } from '#core/intent/scope.ts'
import type { IntentProblem } from '#core/ports/guard.ts'

/** `.orchestration/active_intents.yaml`, as people write it: read with the place of every mistake. */

export interface IntentFile {
  /** Those that could be read; the order is the file's. */
  intents: Intent[]
  problems: IntentProblem[]
}

/** The intents of a whole file. */
export function readIntents(text: string): IntentFile {
  const reader = new Reader(text)
  const intents = reader.intents()
  return { intents, problems: [...reader.problems, ...reader.unknownKeys] }
}

/** One intent with its place in the text, for edits. */
export interface PlacedIntent {
  intent: Intent
  map: YAMLMap
}

/** The file's list and its items as nodes, for edits that leave everything else as it is. */
export function placedIntents(text: string) {
  const reader = new Reader(text)
  return { list: reader.list(), placed: reader.placed(), problems: reader.problems }
}

const LIST = 'active_intents'
/** What an intent may say; anything under `x-…` is the project's own. */
const KEYS = new Set([
  ...['id', 'name', 'status', 'owned_scope', 'constraints', 'acceptance_criteria'],
  ...['owner', 'dependencies', 'depends_on'],
])

const DEEPEST = 100

/** An intent has three levels. To read a hundred thousand takes seconds; brackets in texts count too, which no real file reaches. */
function isNestedDeep(text: string): boolean {
  let depth = 0
  for (const { 0: sign } of text.matchAll(/[[{\]}]/g)) {
    depth = sign === '[' || sign === '{' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > DEEPEST) return true
  }
  return /(?:[-?:] {1,4}){100}/.test(text)
}

/** Of mistakes of one kind. */
const MOST_NAMED = 100

/** Where keys stand that their map has already. */
function repeatedKeys(document: Document): number[] {
  const found: number[] = []
  visit(document, {
    Map(_at, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) found.push(key.range?.[0] ?? 0)
        seen.add(key.value)
      }
    },
  })
  return found
}

/** The parser makes an error object for each mistake, and a hundred thousand stacks that are never read take seconds. */
function withoutTraces<T>(work: () => T): T {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = before
  }
}

/** What each alias stands for. */
type Meant = ReadonlyMap<Alias, Node>

/** Resolves all aliases in one walk: the library's own way walks the whole document for each. */
function aliasesIn(document: Document): Meant {
  const anchors = new Map<string, Node>()
  const meant = new Map<Alias, Node>()
  visit(document, {
    Alias(_at, alias) {
      const target = anchors.get(alias.source)
      if (target) meant.set(alias, target)
    },
    Value(_at, node) {
      if (node.anchor) anchors.set(node.anchor, node)
    },
  })
  return meant
}

class Reader {
  readonly problems: IntentProblem[] = []
  readonly unknownKeys: IntentProblem[] = []
  private readonly lines = new LineCounter()
  private readonly document: Document
  private readonly meant: Meant
  private readonly isBroken: boolean

  constructor(text: string) {
    const isDeep = isNestedDeep(text)
    // The library's own search for keys that are there twice takes the square of their number.
    const options = { lineCounter: this.lines, prettyErrors: false, uniqueKeys: false }
    this.document = withoutTraces(() => parseDocument(isDeep ? '' : text, options))
    this.meant = aliasesIn(this.document)
    if (isDeep) this.problem(0, 'lists and maps are nested too deep, so the file is not read')
    for (const { pos, message } of this.document.errors.slice(0, MOST_NAMED)) this.problem(pos[0], message)
    const repeated = repeatedKeys(this.document)
    for (const at of repeated.slice(0, MOST_NAMED)) this.problem(at, 'Map keys must be unique')
    this.isBroken = this.document.errors.length + repeated.length > 0
  }

  list(): Node | null | undefined {
    const { contents } = this.document
    if (contents === null) return undefined
    if (!isMap(contents)) {
      this.problem(contents.range?.[0], `expected a list under \`${LIST}:\``)
      return undefined
    }
    const list = contents.get(LIST, true) as Node | null | undefined
    const isNothing = list === null || (isScalar(list) && list.value === null)
    if (!contents.has(LIST)) this.problem(contents.range?.[0], `expected a list under \`${LIST}:\``)
    else if (!isNothing && !isSeq(list)) this.problem(list?.range?.[0], `\`${LIST}\` must be a list`)
    return list
  }

  placed(): PlacedIntent[] {
    if (this.isBroken) return []
    const list = this.list()
    if (!isSeq(list)) return []
    const seen = new Set<string>()
    return list.items.flatMap((item) => {
      if (!isMap(item)) {
        this.problem((item as Node | null)?.range?.[0], 'an intent must be a map with `id` and `name`')
        return []
      }
      const intent = this.intent(item)
      if (!intent) return []
      if (seen.has(intent.id)) {
        this.problem(this.at(item, 'id'), `the id ${intent.id} is used twice`)
        return []
      }
      seen.add(intent.id)
      return [{ intent, map: item }]
    })
  }

  intents(): Intent[] {
    return this.placed().map(({ intent }) => intent)
  }

  private intent(map: YAMLMap): Intent | undefined {
    const before = this.problems.length
    const id = this.text(map, 'id')
    const name = this.text(map, 'name')
    if (id === undefined) this.problem(this.at(map, 'id'), '`id` must be a text')
    if (name === undefined) this.problem(this.at(map, 'name'), '`name` must be a text')
    const status = map.has('status') ? this.text(map, 'status') : 'planned'
    if (status === undefined) this.problem(this.at(map, 'status'), '`status` must be a text')
    this.noteUnknownKeys(map)
    const owner = map.has('owner') ? this.text(map, 'owner') : undefined
    const intent = {
      id: id ?? '',
      name: name ?? '',
      status: status ?? '',
      ownedScope: this.scope(map),
      constraints: this.texts(map, 'constraints'),
      acceptanceCriteria: this.texts(map, 'acceptance_criteria'),
      ...(owner && { owner }),
      dependencies: this.texts(map, map.has('dependencies') ? 'dependencies' : 'depends_on'),
    }
    return this.problems.length === before ? intent : undefined
  }

  private text(map: YAMLMap, key: string): string | undefined {
    return textOf(map.get(key, true) as Node | undefined, this.meant)
  }

  /** A list of texts; one alone stands for a list of one. */
  private texts(map: YAMLMap, key: string): string[] {
    const value = map.get(key, true) as Node | null | undefined
    if (!value || (isScalar(value) && value.value === null && !value.tag?.startsWith('!'))) return []
    const one = textOf(value, this.meant)
    if (one !== undefined) return [one]
    if (!isSeq(value)) {
      this.problem(value.range?.[0], `\`${key}\` must be a list of texts`)
      return []
    }
    return value.items.flatMap((item) => {
      const text = textOf(item as Node, this.meant)
      if (text === undefined) this.problem((item as Node | null)?.range?.[0], `\`${key}\` must hold texts only`)
      return text ?? []
    })
  }

  private scope(map: YAMLMap): string[] {
    const globs = this.texts(map, 'owned_scope')
    const list = map.get('owned_scope', true) as Node | null | undefined
    for (const [n, glob] of globs.entries()) {
      if (!leavesProject(glob)) continue
      const at = isSeq(list) ? (list.items[n] as Node | null)?.range?.[0] : list?.range?.[0]
      this.problem(at, `the scope ${glob} leaves the project: globs are counted from its root`)
    }
    return globs
  }

  /** A key that nothing reads may be a slip of the pen; the intent holds all the same, because it can only own less by it. */
  private noteUnknownKeys(map: YAMLMap) {
    for (const { key } of map.items) {
      const name = isScalar(key) ? String(key.value) : ''
      if (KEYS.has(name) || name.startsWith('x-')) continue
      if (this.unknownKeys.length >= MOST_NAMED) return
      const { line, col } = this.lines.linePos((key as Node | null)?.range?.[0] ?? 0)
      this.unknownKeys.push({
        line,
        column: col,
        message: `the key ${name || '?'} is not known; ${[...KEYS].join(', ')} are`,
      })
    }
  }

  private at(map: YAMLMap, key: string): number | undefined {
    const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key)
    return ((pair?.value ?? pair?.key) as Node | undefined)?.range?.[0] ?? map.range?.[0]
  }

  private problem(offset: number | undefined, message: string) {
    const { line, col } = this.lines.linePos(offset ?? 0)
    this.problems.push({ line: Math.max(1, line), column: Math.max(1, col), message })
  }
}

/** `- !src/gen/**` and `- *.ts` without quotes are a tag and an alias to YAML, and clearly meant as globs. */
function textOf(node: Node | undefined, meant: Meant): string | undefined {
  if (isAlias(node)) {
    const target = meant.get(node)
    return target ? textOf(target, meant) : `*${node.source}`
  }
  if (!isScalar(node)) return undefined
  if (node.tag?.startsWith('!') && !node.tag.startsWith('!!')) return `${node.tag}${node.value ?? ''}`
  if (typeof node.value === 'string') return node.value
  return typeof node.value === 'number' ? (node.source ?? String(node.value)) : undefined
}
