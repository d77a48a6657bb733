import type { LanguageRules } from './rules.ts'
import { childIn, type NormalNode, walk } from './tree.ts'

/** Fields inside a pattern that declare nothing. */
const NOT_DECLARED = new Set(
  'type right value default_value key size path condition return_type parameters body bounds constraint arguments scope'.split(
    ' ',
  ),
)

/** Nodes inside a pattern that declare nothing: types, and places that are only assigned to. */
const NOT_PATTERNS = new Set(
  (
    'type type_bound type_constraint default_type constraint type_annotation trait_bounds annotation modifiers attribute ' +
    'attribute_item member_expression subscript subscript_expression selector_expression index_expression ' +
    'field_expression call call_expression element_reference optional_chain qualified_identifier'
  ).split(' '),
)

/** The names a declaration declares; `fields` tells where they stand, `*` everywhere. */
export function namesIn(node: NormalNode, fields: string, rules: LanguageRules): NormalNode[] {
  const heads = fields === '*' ? node.children : node.children.filter((child) => child.field === fields)
  return heads.flatMap((head) => patternNames(head, rules))
}

/** The first name a declaration declares, for people and for keeping overloads in order. */
export function declaredName(node: NormalNode, rules: LanguageRules): string | undefined {
  for (const each of walk(node)) {
    const fields = rules.declares[each.kind] ?? rules.declaresMembers[each.kind]
    const [name] = fields ? namesIn(each, fields, rules) : []
    if (name) return name.text
  }
  return undefined
}

function patternNames(node: NormalNode, rules: LanguageRules): NormalNode[] {
  if (node.text !== undefined) return rules.names.has(node.kind) && !isConstant(node, rules) ? [node] : []
  if (NOT_PATTERNS.has(node.kind)) return []
  if (node.kind === 'pair_pattern') return patternNames(childIn(node, 'value') ?? node.children.at(-1)!, rules)
  if (node.kind === 'field_pattern') return patternNames(childIn(node, 'pattern') ?? node.children.at(-1)!, rules)
  const head = ['name', 'left', 'pattern', 'declarator'].map((field) => childIn(node, field)).find(Boolean)
  if (head) return patternNames(head, rules)
  return node.children.filter((child) => !NOT_DECLARED.has(child.field)).flatMap((child) => patternNames(child, rules))
}

/** In a Rust pattern `None` and `MAX` are meant, not declared. */
function isConstant(node: NormalNode, rules: LanguageRules): boolean {
  const isRust = rules.memberAt.has('scoped_identifier.name') && !rules.bareMembers
  return isRust && node.kind === 'identifier' && node.field !== 'name' && /^[A-Z]/.test(node.text!)
}
