import { type Alignment, align, type Side } from './align.ts'
import { canonicalJson } from './data.ts'
import { languages } from './languages.ts'
import { bind } from './names.ts'
import { normalise } from './normal.ts'
import { checkRenames } from './renames.ts'
import { plainText, plainTokens } from './text.ts'
import type { SyntaxNode } from './tree.ts'

/** `AST_REFACTOR`: the program says the same in other words, places or layout. `INTENT_EVOLUTION`: it says something else. */
export type MutationClass = 'AST_REFACTOR' | 'INTENT_EVOLUTION'

export interface Mutation {
  class: MutationClass
  /** In one phrase, for people. */
  why: string
  /** Absent when the file was compared as plain text. */
  language?: string
}

/** A piece of prose between two blank lines. */
export interface ProseBlock {
  /** Headings cut a text into sections, which may change places. */
  heading: boolean
  text: string
}

/** What comparing asks of the world: parsers that are ready to use. Each answers undefined for text it cannot read. */
export interface Parsers {
  tree(language: string, text: string): SyntaxNode | undefined
  /** One line; equal lines mean equal data. */
  data(language: 'yaml' | 'toml', text: string): string | undefined
  prose(text: string): ProseBlock[]
}

/** Tells what kind of change turned one text of a file into the other. */
export function mutationClass(
  before: string | undefined,
  after: string | undefined,
  path: string,
  parsers: Parsers,
): Mutation {
  const language = languageOf(path)
  if (before === after) return refactor('nothing changed', language)
  if (!before?.trim() && !after?.trim()) return refactor('the file is empty', language)
  if (!before?.trim()) return evolution(before === undefined ? 'a new file' : 'the first content of the file', language)
  if (!after?.trim())
    return evolution(after === undefined ? 'the file is gone' : 'nothing is left of the file', language)
  const old = unified(before)
  const now = unified(after)
  if (language === 'markdown') return compareProse(parsers.prose(old), parsers.prose(now))
  if (language === 'json' || language === 'yaml' || language === 'toml') return compareData(old, now, language, parsers)
  const compared = language ? compareTrees(old, now, language, parsers) : undefined
  return compared ?? compareText(old, now, path, language)
}

/** The language a file is read as, by its name. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (NAMES[name]) return NAMES[name]
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  return EXTENSIONS[extension]
}

const NAMES: Record<string, string> = {
  Gemfile: 'ruby',
  Rakefile: 'ruby',
  '.prettierrc': 'json',
  '.eslintrc': 'json',
  '.babelrc': 'json',
  '.bashrc': 'bash',
  '.editorconfig': 'ini',
}

const EXTENSIONS: Record<string, string> = Object.fromEntries(
  Object.entries({
    typescript: 'ts mts cts',
    tsx: 'tsx',
    javascript: 'js mjs cjs jsx',
    python: 'py pyi',
    go: 'go',
    rust: 'rs',
    java: 'java',
    cpp: 'c h cc cpp cxx hpp hh hxx ino',
    ruby: 'rb rake gemspec',
    php: 'php',
    'c-sharp': 'cs',
    css: 'css',
    ini: 'ini cfg',
    bash: 'sh bash',
    json: 'json jsonc json5 webmanifest',
    yaml: 'yaml yml',
    toml: 'toml',
    markdown: 'md markdown mdx',
  }).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language])),
)

function refactor(why: string, language?: string): Mutation {
  return { class: 'AST_REFACTOR', why, ...(language ? { language } : {}) }
}

function evolution(why: string, language?: string): Mutation {
  return { class: 'INTENT_EVOLUTION', why, ...(language ? { language } : {}) }
}

/** Line ends and a byte order mark are layout. */
function unified(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

/** Undefined when one of the two is not valid: then only the letters can be compared. */
function compareTrees(before: string, after: string, language: string, parsers: Parsers): Mutation | undefined {
  const rules = languages[language]
  const old = parsers.tree(language, before)
  const now = parsers.tree(language, after)
  if (!rules || !old || !now) return undefined
  const side = (root: SyntaxNode, text: string): Side => {
    const tree = normalise(root, { text, rules, language })
    return { tree, bindings: bind(tree, rules) }
  }
  const [left, right] = [side(old, before), side(now, after)]
  const alignment = align(left, right, rules)
  if (typeof alignment === 'string') return evolution(alignment, language)
  const renames = checkRenames(alignment, left, right)
  if ('difference' in renames) return evolution(renames.difference, language)
  return refactor(describe(alignment, renames.renamed), language)
}

function describe({ moved, imports }: Alignment, renamed: [string, string][]): string {
  const shown = renamed.slice(0, 3).map(([from, to]) => `${from} → ${to}`)
  const more = renamed.length > 3 ? ` and ${renamed.length - 3} more` : ''
  const said = [
    ...(renamed.length > 0 ? [`renames ${shown.join(', ')}${more}`] : []),
    ...(moved ? ['moves declarations'] : []),
    ...(imports.moved && renamed.length === 0 ? ['rearranges imports'] : []),
  ]
  return said.join(', ') || 'changes only layout or comments'
}

function compareData(before: string, after: string, language: 'json' | 'yaml' | 'toml', parsers: Parsers): Mutation {
  const read = (text: string) => (language === 'json' ? canonicalJson(text) : parsers.data(language, text))
  const old = read(before)
  const now = read(after)
  if (old === undefined || now === undefined) return compareText(before, after, `.${language}`, language)
  return old === now ? refactor('the data is the same', language) : evolution('changes the data', language)
}

function compareProse(before: ProseBlock[], after: ProseBlock[]): Mutation {
  const line = (blocks: ProseBlock[]) => blocks.map(({ text }) => text).join('\n')
  if (line(before) === line(after)) return refactor('changes only layout', 'markdown')
  const sorted = (blocks: ProseBlock[]) => sections(blocks).map(line).sort().join('\n')
  if (sorted(before) === sorted(after)) return refactor('moves sections', 'markdown')
  return evolution('changes the text', 'markdown')
}

function sections(blocks: ProseBlock[]): ProseBlock[][] {
  const found: ProseBlock[][] = [[]]
  for (const block of blocks) {
    if (block.heading) found.push([])
    found.at(-1)!.push(block)
  }
  return found
}

function compareText(before: string, after: string, path: string, language: string | undefined): Mutation {
  const plain = language && languages[language] ? plainTokens : plainText
  const isSame = plain(before, path) === plain(after, path)
  return isSame ? refactor('changes only layout', language) : evolution('changes the text', language)
}
