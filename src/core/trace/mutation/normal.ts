import { rewriteBranch, rewriteLeaf } from './rewrites.ts'
import type { LanguageRules } from './rules.ts'
import { normalString } from './strings.ts'
import { branch, leaf, type NormalNode, type SyntaxNode } from './tree.ts'

/** The text a tree was read from, and how to read it. */
export interface Source {
  text: string
  rules: LanguageRules
  /** The grammar's name: some kinds mean different things in different languages. */
  language: string
}

/** Punctuation the tree's own shape already tells. */
const PUNCTUATION = new Set([';', ',', '(', ')', '{', '}', '[', ']', ':', '=>', '.'])

/** Nodes whose very punctuation is the content: the dots of a relative import, `&`, `*`. */
const ATOMS = new Set(['import_prefix', 'optional_chain', 'asterisk', 'lifetime'])

/** Comments that are orders to a tool, and so part of the program. */
const DIRECTIVE = /^\/\/go:|^\/\/ \+build|^#!|^#\s*frozen_string_literal:/

/** Python looks for its encoding in the first two lines only. */
const ENCODING = /^#.{0,20}\bcoding[:=]/

/** Removes from a tree what does not affect the program's behaviour. */
export function normalise(root: SyntaxNode, source: Source): NormalNode {
  return branch(root.kind, normalChildren(root, source))
}

function normalChildren(node: SyntaxNode, source: Source): NormalNode[] {
  let from = node.start
  const children = node.children.flatMap((child) => {
    const gap = unspoken(from, child.start, source)
    from = child.end
    return [...gap, ...normal(child, node, source)]
  })
  children.push(...unspoken(from, node.end, source))
  // A docstring is a comment that happens to be a string.
  const mayHaveDocstring = source.language === 'python' && (node.kind === 'module' || node.kind === 'block')
  const body = mayHaveDocstring && children[0]?.kind === 'string' ? children.slice(1) : children
  return attach(body, source.rules)
}

/** Grammars may leave letters out of the tree; those count as they are. A backslash before a line end is layout. */
function unspoken(from: number, to: number, { text }: Source): NormalNode[] {
  if (from >= to) return []
  const letters = text.slice(from, to).replaceAll('\\\n', '').trim()
  return letters === '' ? [] : [leaf('letters', letters)]
}

function normal(node: SyntaxNode, parent: SyntaxNode, source: Source): NormalNode[] {
  const { rules } = source
  const text = source.text.slice(node.start, node.end)
  if (/comment/.test(node.kind)) {
    const isEncoding = ENCODING.test(text) && source.text.slice(0, node.start).split('\n').length <= 2
    return isEncoding || DIRECTIVE.test(text) ? [leaf('directive', text.trim())] : []
  }
  if (rules.dropped.has(node.kind) || node.kind === 'empty_statement') return []
  if (!node.named) {
    const isSilent = PUNCTUATION.has(node.kind) && parent.kind !== 'slice'
    return isSilent ? [] : [leaf('token', text, node.field)]
  }
  if (rules.strings.has(node.kind)) return [normalString(node, source, (child) => normal(child, node, source))]
  if (ATOMS.has(node.kind)) return [leaf(node.kind, text, node.field)]
  if (rules.numbers.has(node.kind)) return [leaf(node.kind, normalNumber(text, source.language), node.field)]
  if (node.children.length === 0) return rewriteLeaf(leaf(node.kind, text, node.field), node, parent, source)
  const children = normalChildren(node, source)
  if (rules.transparent.has(node.kind) && (children.length === 1 || node.kind === 'statement_list')) {
    return children.map((child) => ({ ...child, field: node.field || child.field }))
  }
  return rewriteBranch(wrapBodies(branch(node.kind, children, node.field), rules), parent, source)
}

/** `0xFF` and `255`, `1_000` and `1e3`, `.5` and `0.50` are the same number; `1` and `1.0` are not, outside JavaScript. */
function normalNumber(text: string, language: string): string {
  const plain = text.toLowerCase().replaceAll(/[_']/g, '')
  if (/^0[xob][\da-f]+$/.test(plain)) return String(BigInt(plain))
  const isFloat = /^(\d+\.\d*|\.\d+)(e[+-]?\d+)?$|^\d+e[+-]?\d+$/.test(plain)
  if (/script|tsx/.test(language)) return /^[\d.]/.test(plain) && !plain.endsWith('n') ? String(Number(plain)) : plain
  return isFloat ? `float ${Number(plain)}` : plain
}

const BODY_FIELDS = new Set(['consequence', 'alternative', 'body'])

/** `if (a) b` and `if (a) { b }` are the same statement. */
function wrapBodies(node: NormalNode, rules: LanguageRules): NormalNode {
  if (!rules.bodies.has(node.kind)) return node
  const [block] = rules.blocks
  const children = node.children.map((child) => {
    const isBody = BODY_FIELDS.has(child.field) || (node.kind === 'else_clause' && child.kind !== 'token')
    const isLone = isBody && !rules.blocks.has(child.kind) && child.kind !== 'else_clause'
    return isLone ? branch(block!, [{ ...child, field: '' }], child.field) : child
  })
  return { ...node, children }
}

/** Attributes and decorators that stand before a declaration belong to it and move with it. */
function attach(children: NormalNode[], rules: LanguageRules): NormalNode[] {
  if (rules.attached.size === 0) return children
  const joined: NormalNode[] = []
  let waiting: NormalNode[] = []
  for (const child of children) {
    if (rules.attached.has(child.kind) && child.field === '') {
      waiting.push(child)
      continue
    }
    joined.push(waiting.length > 0 ? { ...child, children: [...waiting, ...child.children] } : child)
    waiting = []
  }
  return [...joined, ...waiting]
}
