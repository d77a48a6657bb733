import type { Source } from './normal.ts'
import { branch, leaf, type NormalNode, type SyntaxNode } from './tree.ts'

/** Parts of a string that are code, not letters. */
const CODE = new Set([
  'template_substitution',
  'interpolation',
  'variable_name',
  'dynamic_variable_name',
  'format_expression',
])

/** A string whatever quotes it is written in: `'a'`, `"a"` and `` `a` `` are the same letters. */
export function normalString(
  node: SyntaxNode,
  { text, language }: Source,
  inside: (child: SyntaxNode) => NormalNode[],
): NormalNode {
  if (node.kind === 'concatenated_string') return joined(node, inside)
  const code = node.children.filter((child) => CODE.has(child.kind))
  const [opening = '', prefix = '', hashes = '', quote = ''] = OPENING.exec(text.slice(node.start, node.end)) ?? []
  const raw = rawness(prefix, quote, language)
  const spell = (from: number, to: number) => decode(text.slice(from, to), raw)
  const start = node.start + opening.length
  const end = Math.max(start, node.end - quote.length - hashes.length)
  const flags = prefix.toLowerCase().replace(/[ruf@]/g, '')
  if (code.length === 0) return leaf(flags === '' ? 'string' : `string ${flags}`, spell(start, end), node.field)
  const parts: NormalNode[] = flags === '' ? [] : [leaf('flags', flags)]
  let from = start
  for (const child of code) {
    parts.push(leaf('letters', spell(from, child.start)), ...inside(child))
    from = child.end
  }
  parts.push(leaf('letters', spell(from, Math.max(from, end))))
  return branch(
    'interpolated',
    parts.filter((part) => part.text !== ''),
    node.field,
  )
}

const OPENING = /^([a-zA-Z@$]*)(#*)("""|'''|["'`])/

/** `'a' 'b'` is one string to Python and C. */
function joined(node: SyntaxNode, inside: (child: SyntaxNode) => NormalNode[]): NormalNode {
  const parts = node.children.filter((child) => child.named && !/comment/.test(child.kind)).flatMap(inside)
  const kind = parts[0]?.kind ?? ''
  const isPlain = kind.startsWith('string') && parts.every((part) => part.kind === kind)
  if (isPlain) return leaf(kind, parts.map((part) => part.text).join(''), node.field)
  const pieces = parts.flatMap((part) =>
    part.kind === 'interpolated' ? part.children : [{ ...part, kind: 'letters' }],
  )
  return branch('interpolated', mergeLetters(pieces), node.field)
}

function mergeLetters(pieces: NormalNode[]): NormalNode[] {
  const merged: NormalNode[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (piece.kind === 'letters' && last?.kind === 'letters')
      merged[merged.length - 1] = leaf('letters', last.text! + piece.text!)
    else merged.push(piece)
  }
  return merged
}

/** How much a backslash means in a string. */
type Rawness = 'raw' | 'quotes only' | 'escapes'

function rawness(prefix: string, quote: string, language: string): Rawness {
  if (/[rR@]/.test(prefix) || (language === 'go' && quote === '`')) return 'raw'
  return (language === 'ruby' || language === 'php') && quote === "'" ? 'quotes only' : 'escapes'
}

const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\n': '',
}

function decode(text: string, raw: Rawness): string {
  if (raw === 'raw') return text
  if (raw === 'quotes only') return text.replaceAll(/\\([\\'])/g, '$1')
  return text.replaceAll(
    /\\(x[\da-fA-F]{2}|[0-7]{1,3}|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|.)/gs,
    (all, letter: string) => {
      const code = /^[xu]\{?([\da-fA-F]+)\}?$/.exec(letter)
      if (/^[0-7]+$/.test(letter)) return String.fromCharCode(Number.parseInt(letter, 8))
      if (code) return String.fromCodePoint(Math.min(Number.parseInt(code[1]!, 16), 0x10ffff))
      return ESCAPES[letter] ?? (/[\\'"`$#{]/.test(letter) ? letter : all)
    },
  )
}
