import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Language, Parser, type TreeCursor } from 'web-tree-sitter'
import { languageOf, type Mutation, mutationClass, type Parsers } from '#core/trace/mutation/mutation.ts'
import type { SyntaxNode } from '#core/trace/mutation/tree.ts'

/** Beyond this a file is data or generated, and a tree of it would cost more than it tells. */
const LIMIT = { letters: 1_000_000, depth: 1500 }

/** Grammars by name; a grammar is read from disk when the first file of its language comes. */
const GRAMMARS = new Set([
  'typescript',
  'tsx',
  'javascript',
  'python',
  'go',
  'rust',
  'java',
  'cpp',
  'ruby',
  'php',
  'c-sharp',
  'css',
  'ini',
  'bash',
])

/** Tells what kind of change turned one text of a file into the other, with real syntax trees. */
export async function classifyMutation(
  before: string | undefined,
  after: string | undefined,
  path: string,
): Promise<Mutation> {
  return mutationClass(before, after, path, await parsersFor(path))
}

/** The parsers a file needs, ready to use. */
async function parsersFor(path: string): Promise<Parsers> {
  const language = languageOf(path)
  if (language === 'markdown') {
    const { proseBlocks } = await import('./prose.ts')
    return { ...NONE, prose: proseBlocks }
  }
  if (language === 'yaml' || language === 'toml') {
    const { canonicalData } = await import('./data.ts')
    return { ...NONE, data: canonicalData }
  }
  if (!language || !GRAMMARS.has(language)) return NONE
  const parser = await parserOf(language)
  return { ...NONE, tree: (_language, text) => parseTree(parser, text) }
}

const NONE: Parsers = { tree: () => undefined, data: () => undefined, prose: () => [] }

let started: Promise<void> | undefined
const parsers = new Map<string, Promise<Parser>>()

/** The parser of a language; undefined without a grammar. */
export async function treeParser(language: string): Promise<Parser | undefined> {
  return GRAMMARS.has(language) ? parserOf(language) : undefined
}

function parserOf(language: string): Promise<Parser> {
  const loading = parsers.get(language) ?? load(language)
  parsers.set(language, loading)
  return loading
}

async function load(language: string): Promise<Parser> {
  const require = createRequire(join(import.meta.dirname, '/'))
  started ??= Parser.init({
    wasmBinary: wasm('web-tree-sitter.wasm', (file) => require.resolve(`web-tree-sitter/${file}`)),
  })
  await started
  const grammar = wasm(`tree-sitter-${language}.wasm`, (file) =>
    join(dirname(require.resolve('@vscode/tree-sitter-wasm')), file),
  )
  return new Parser().setLanguage(await Language.load(grammar))
}

/** Beside the program, compressed, in a release; in the package it comes from during development. */
function wasm(file: string, inPackage: (file: string) => string): Uint8Array {
  const here = import.meta.dirname
  const shipped = [here, dirname(here)].map((folder) => join(folder, 'grammars', `${file}.br`)).find(existsSync)
  return shipped ? brotliDecompressSync(readFileSync(shipped)) : readFileSync(inPackage(file))
}

/** Undefined when the text does not parse. */
function parseTree(parser: Parser, text: string): SyntaxNode | undefined {
  if (text.length > LIMIT.letters) return undefined
  const tree = parser.parse(text)
  if (!tree) return undefined
  const cursor = tree.walk()
  try {
    return tree.rootNode.hasError ? undefined : copy(cursor, 0)
  } finally {
    // Memory on the WebAssembly side is not collected, and a cursor must not outlive its tree.
    cursor.delete()
    tree.delete()
  }
}

function copy(cursor: TreeCursor, depth: number): SyntaxNode | undefined {
  const node: SyntaxNode = {
    kind: cursor.nodeType,
    field: cursor.currentFieldName ?? '',
    named: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  }
  if (!cursor.gotoFirstChild()) return node
  if (depth > LIMIT.depth) return undefined
  do {
    const child = copy(cursor, depth + 1)
    if (!child) return undefined
    node.children.push(child)
  } while (cursor.gotoNextSibling())
  cursor.gotoParent()
  return node
}
