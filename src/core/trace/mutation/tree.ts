/** A syntax tree as any parser can give it. Positions count UTF-16 units of the source. */
export interface SyntaxNode {
  kind: string
  /** The role the grammar gives it under its parent: `name`, `body` …; empty when it has none. */
  field: string
  /** Tokens such as `+` or `{` are not named. */
  named: boolean
  start: number
  end: number
  children: SyntaxNode[]
}

/**
 * A tree with everything taken out that does not matter to what the program does: comments, brackets, quotes, optional
 * commas and semicolons. Two sources that differ only in layout have the same normal tree.
 */
export interface NormalNode {
  kind: string
  field: string
  /** Set on leaves. */
  text?: string
  children: NormalNode[]
}

export function leaf(kind: string, text: string, field = ''): NormalNode {
  return { kind, field, text, children: [] }
}

export function branch(kind: string, children: NormalNode[], field = ''): NormalNode {
  return { kind, field, children }
}

/** The child in a field. */
export function childIn(node: NormalNode, field: string): NormalNode | undefined {
  return node.children.find((child) => child.field === field)
}

/** One line for a whole tree; equal lines mean equal trees. `spell` decides how names are written. */
export function print(node: NormalNode, spell: (leaf: NormalNode) => string = (each) => each.text ?? ''): string {
  const inside = node.text === undefined ? node.children.map((child) => print(child, spell)).join(' ') : spell(node)
  return `(${node.field}:${node.kind} ${inside})`
}

/** All nodes of a tree, parents first. */
export function* walk(node: NormalNode): Generator<NormalNode> {
  yield node
  for (const child of node.children) yield* walk(child)
}
