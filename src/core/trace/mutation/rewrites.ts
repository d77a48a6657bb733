import type { Source } from './normal.ts'
import { branch, childIn, leaf, type NormalNode, type SyntaxNode } from './tree.ts'

/** Different spellings of one thing are brought to one spelling here, so that the comparison needs to know none of them. */

/** A leaf in its plainest spelling. */
export function rewriteLeaf(node: NormalNode, syntax: SyntaxNode, parent: SyntaxNode, source: Source): NormalNode[] {
  const text = node.text ?? ''
  switch (node.kind) {
    case 'shorthand_property_identifier':
      return [branch('pair', [leaf('property_identifier', text, 'key'), leaf('identifier', text, 'value')], node.field)]
    case 'shorthand_property_identifier_pattern':
      return [
        branch(
          'pair_pattern',
          [leaf('property_identifier', text, 'key'), leaf('identifier', text, 'value')],
          node.field,
        ),
      ]
    case 'jsx_text':
      return jsxText(text)
    case 'simple_symbol':
      return [leaf(isRubyKey(node, parent) ? 'hash_key_symbol' : 'symbol', text.slice(1), node.field)]
    case 'statement_identifier':
      // Labels and variables do not see each other.
      return [leaf(node.kind, `${text}:`, node.field)]
    case 'implicit_parameter':
      return [leaf('identifier', text, node.field)]
    case 'preproc_arg':
      return [leaf(node.kind, text.replace(/\s+/g, ' ').trim(), node.field)]
    case 'identifier':
      if (source.language === 'rust' && followsDot(syntax, parent)) return [leaf('field_identifier', text, node.field)]
      if (source.language === 'ruby' && isVisibility(text, parent)) return [leaf('visibility', text, node.field)]
      return [node]
    default:
      return [node]
  }
}

/** A branch in its plainest spelling. */
export function rewriteBranch(node: NormalNode, parent: SyntaxNode, source: Source): NormalNode[] {
  const rewrite = REWRITES[node.kind]
  return rewrite ? rewrite(node, parent, source) : [node]
}

type Rewrite = (node: NormalNode, parent: SyntaxNode, source: Source) => NormalNode[]

const flatten: Rewrite = (node) => {
  const members = node.children
    .filter((child) => child.kind !== 'token')
    .flatMap((child) => (child.kind === node.kind ? child.children : [child]))
  return [members.length === 1 ? { ...members[0]!, field: node.field } : { ...node, children: members }]
}

const renamed =
  (kind: string): Rewrite =>
  (node) => [{ ...node, kind }]

/** `{ return x }` says what `x` says. */
function onlyReturned(body: NormalNode): NormalNode | undefined {
  const [only, ...others] = body.children.filter(({ kind }) => kind !== 'token')
  if (body.kind !== 'statement_block' || only?.kind !== 'return_statement' || others.length > 0) return undefined
  const [value, ...more] = only.children.filter(({ kind }) => kind !== 'token')
  return more.length > 0 ? undefined : value
}

const REWRITES: Record<string, Rewrite> = {
  // JavaScript and TypeScript
  union_type: flatten,
  intersection_type: flatten,
  object_assignment_pattern: (node) => {
    const pair = childIn(node, 'left')
    const [key, value] = pair?.children ?? []
    if (!key || !value) return [node]
    const left = { ...value, field: 'left' }
    const others = node.children.filter((child) => child !== pair)
    return [branch('pair_pattern', [key, branch('assignment_pattern', [left, ...others], 'value')], node.field)]
  },
  pair: (node, _parent, source) => {
    const [key, ...rest] = node.children
    if (source.language === 'ruby') return [{ ...node, children: node.children.filter((child) => child.text !== '=>') }]
    const isName = key?.kind === 'string' && key.field === 'key' && /^[A-Za-z_$][\w$]*$/.test(key.text ?? '')
    return [isName ? { ...node, children: [leaf('property_identifier', key.text!, 'key'), ...rest] } : node]
  },
  arrow_function: (node, _parent, { language }) => {
    const children = node.children.map((child) => {
      if (child.field === 'body') return { ...(onlyReturned(child) ?? child), field: 'body' }
      if (child.field !== 'parameter') return child
      const name = { ...child, field: language === 'javascript' ? '' : 'pattern' }
      const parameter = language === 'javascript' ? name : branch('required_parameter', [name])
      return branch('formal_parameters', [parameter], 'parameters')
    })
    return [{ ...node, children }]
  },
  export_specifier: (node) => {
    const name = childIn(node, 'name')
    const outside = childIn(node, 'alias') ?? name
    return name ? [{ ...node, children: [name, leaf('export_name', outside!.text ?? '')] }] : [node]
  },
  export_statement: (node) => {
    if (!childIn(node, 'source')) return [node]
    // `export { a } from './b'` speaks of names that are not of this file.
    const children = node.children.map((child) => (child.kind === 'export_clause' ? foreign(child) : child))
    return [{ ...node, children }]
  },
  jsx_expression: (node) => {
    const [only] = node.children
    if (!only) return []
    const isText = only.kind === 'string' && node.field === '' && node.children.length === 1
    return isText ? [leaf('jsx_text', only.text ?? '')] : [node]
  },

  // Python
  expression_statement: (node, _parent, { language }) => {
    const [only] = node.children
    return language === 'python' && only && node.children.length === 1 ? [{ ...only, field: node.field }] : [node]
  },
  expression_list: (node, _parent, { language }) => [language === 'python' ? { ...node, kind: 'tuple' } : node],
  call: (node, parent, source) => (source.language === 'ruby' ? rubyCall(node, parent) : [loneGenerator(node)]),
  if_statement: (node, _parent, { language }) => [language === 'python' ? unfoldElse(node) : node],
  pattern_list: renamed('tuple'),
  tuple_pattern: (node, _parent, { language }) => [language === 'python' ? { ...node, kind: 'tuple' } : node],

  // Go
  keyed_element: (node) => {
    const children = node.children.map((child) => {
      const [only] = child.children
      if (child.field !== 'key' || only?.kind !== 'identifier') return child
      return { ...child, children: [{ ...only, kind: 'key_identifier' }] }
    })
    return [{ ...node, children }]
  },

  // Rust
  shorthand_field_initializer: (node) => {
    const name = node.children.at(-1)?.text ?? ''
    return [
      branch(
        'field_initializer',
        [leaf('field_identifier', name, 'field'), leaf('identifier', name, 'value')],
        node.field,
      ),
    ]
  },
  field_pattern: (node) => {
    const name = node.children.find((child) => child.kind === 'shorthand_field_identifier')
    if (!name) return [node]
    const others = node.children.filter((child) => child !== name)
    return [
      {
        ...node,
        children: [
          leaf('field_identifier', name.text ?? '', 'name'),
          ...others,
          leaf('identifier', name.text ?? '', 'pattern'),
        ],
      },
    ]
  },
  match_arm: (node) => {
    const children = node.children.map((child) => {
      const [only] = child.children
      const isLone =
        child.kind === 'block' &&
        child.field === 'value' &&
        child.children.length === 1 &&
        !/statement|declaration/.test(only!.kind)
      return isLone ? { ...only!, field: 'value' } : child
    })
    return [{ ...node, children }]
  },

  // C and C++
  declaration: (node) => [isPrototype(node) ? { ...node, kind: 'function_prototype' } : node],
  field_declaration: (node) => [isPrototype(node) ? { ...node, kind: 'function_prototype' } : node],

  // Ruby
  do_block: renamed('block'),
  block_body: renamed('body_statement'),

  // PHP
  variable_name: (node, parent) => {
    const name = node.children.at(-1)?.text ?? ''
    return [
      parent.kind === 'property_element' ? leaf('name', name, node.field) : leaf('variable', `$${name}`, node.field),
    ]
  },
  property_promotion_parameter: (node) => {
    const name = childIn(node, 'name')?.text?.slice(1) ?? ''
    return [{ ...node, children: [...node.children, leaf('name', name, 'member')] }]
  },
  class_constant_access_expression: (node) => {
    const last = node.children.length - 1
    return [
      { ...node, children: node.children.map((child, at) => (at === last ? { ...child, field: 'member' } : child)) },
    ]
  },
  const_element: (node) => {
    const [name, ...rest] = node.children
    return name ? [{ ...node, children: [{ ...name, field: 'name' }, ...rest] }] : [node]
  },
  namespace_name: (node) => [leaf('namespace', node.children.map((child) => child.text).join(''), node.field)],
}

function rubyCall(node: NormalNode, parent: SyntaxNode): NormalNode[] {
  const method = childIn(node, 'method')
  if (!method) return [node]
  const name = method.text ?? ''
  if (childIn(node, 'receiver')) {
    const children = node.children.map((child) => (child === method ? { ...method, kind: 'method_name' } : child))
    return [{ ...node, children }]
  }
  if (parent.kind === 'program' && /^require(_relative)?$/.test(name)) return [{ ...node, kind: 'require' }]
  return [/^attr_(reader|writer|accessor)$/.test(name) ? { ...node, kind: 'accessor' } : node]
}

/** Python: `sum(x for x in y)` and `sum((x for x in y))`. */
function loneGenerator(node: NormalNode): NormalNode {
  const children = node.children.map((child) =>
    child.kind === 'generator_expression' && child.field === 'arguments'
      ? branch('argument_list', [{ ...child, field: '' }], 'arguments')
      : child,
  )
  return { ...node, children }
}

/** Python: an `else` that holds nothing but an `if` is an `elif`. */
function unfoldElse(node: NormalNode): NormalNode {
  const last = node.children.at(-1)
  const inner = last?.kind === 'else_clause' ? childIn(last, 'body') : undefined
  const [only] = inner?.children ?? []
  if (only?.kind !== 'if_statement' || inner?.children.length !== 1) return node
  const isRest = (child: NormalNode) => child.field === 'alternative'
  const own = only.children.filter((child) => !isRest(child) && child.kind !== 'token')
  const elif = branch('elif_clause', [leaf('token', 'elif'), ...own], 'alternative')
  return { ...node, children: [...node.children.slice(0, -1), elif, ...only.children.filter(isRest)] }
}

function foreign(node: NormalNode): NormalNode {
  if (node.kind === 'identifier') return { ...node, kind: 'export_name' }
  return { ...node, children: node.children.map(foreign) }
}

/** Text in JSX loses its line breaks and indentation, as React itself drops them. */
function jsxText(text: string): NormalNode[] {
  const lines = text.split('\n').map((line, at, all) => {
    const start = at > 0 ? line.trimStart() : line
    return at < all.length - 1 ? start.trimEnd() : start
  })
  const letters = lines.filter((line) => line !== '').join(' ')
  return letters === '' ? [] : [leaf('jsx_text', letters)]
}

function isRubyKey(node: NormalNode, parent: SyntaxNode): boolean {
  return parent.kind === 'pair' && node.field === 'key'
}

function isVisibility(text: string, parent: SyntaxNode): boolean {
  return parent.kind === 'body_statement' && /^(private|protected|public|module_function)$/.test(text)
}

/** In a Rust macro only the tokens are known; a name after a dot is a member all the same. */
function followsDot(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.kind !== 'token_tree') return false
  const before = parent.children[parent.children.indexOf(node) - 1]
  return before?.kind === '.' || before?.kind === '::'
}

function isPrototype(node: NormalNode): boolean {
  let inner = childIn(node, 'declarator')
  while (inner && inner.kind !== 'function_declarator') inner = childIn(inner, 'declarator')
  return inner !== undefined
}
