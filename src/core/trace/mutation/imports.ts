import { childIn, type NormalNode, print } from './tree.ts'

/** One imported name. */
export interface Import {
  /** The module, as it is written. */
  from: string
  /** The name it has there; `*` for all of it, empty for a module loaded only for its effects. */
  name: string
  /** The name it has here. */
  local: string
  /** `type`, `static`, `pub` and the like. */
  flags: string
}

/** What an import statement brings in, name by name, so that splitting, merging and sorting make no difference. */
export function importsOf(node: NormalNode): Import[] {
  switch (node.kind) {
    case 'import_statement':
      return childIn(node, 'source') ? javascript(node) : pythonModules(node)
    case 'import_from_statement':
    case 'future_import_statement':
      return pythonNames(node)
    case 'import_declaration':
      return goOrJava(node)
    case 'use_declaration':
      return rust(childIn(node, 'argument')!, [], flagsOf(node))
    case 'namespace_use_declaration':
      return php(node)
    default:
      return [{ from: print(node), name: '', local: '', flags: '' }]
  }
}

/**
 * What has to stay in order: a module that is loaded for its effects alone, with all that is loaded before it, and names
 * that are taken over wholesale, because a later one hides an earlier one.
 */
export function orderOf(nodes: readonly NormalNode[]): string {
  const before = new Set<string>()
  const told: string[] = []
  for (const node of nodes) {
    for (const { from, name, local, flags } of importsOf(node)) {
      const isEffect = node.kind === 'import_statement' && name === '' && local === ''
      const isWholesale = node.kind === 'import_from_statement' && name === '*'
      if (isEffect) told.push(`${from} after ${[...before].sort().join(' ')}`)
      if (isWholesale) told.push(`all of ${from}`)
      if (node.kind === 'import_statement' && flags !== 'type') before.add(from)
    }
  }
  return told.join('; ')
}

/** Whether the module belongs to the project itself, as far as the spelling shows. */
export function isOwnModule(from: string): boolean {
  return /^[.~@#]\/|^\.+(\/|\w|$)|^#\w|^(crate|super|self)(::|$)/.test(from)
}

function flagsOf(node: NormalNode): string {
  return node.children
    .filter(
      (child) =>
        (child.kind === 'token' && /^(type|typeof|static|global|function|const)$/.test(child.text ?? '')) ||
        child.kind === 'visibility_modifier',
    )
    .map((child) => child.text ?? print(child))
    .join(' ')
}

function javascript(node: NormalNode): Import[] {
  const from = childIn(node, 'source')?.text ?? ''
  const flags = flagsOf(node)
  const clause = node.children.find((child) => child.kind === 'import_clause')
  if (!clause) return [{ from, name: '', local: '', flags }]
  return clause.children.flatMap((child) => {
    if (child.kind === 'identifier') return [{ from, name: 'default', local: child.text ?? '', flags }]
    if (child.kind === 'namespace_import') return [{ from, name: '*', local: child.children.at(-1)?.text ?? '', flags }]
    return child.children.map((each) => {
      const name = childIn(each, 'name')?.text ?? ''
      return { from, name, local: childIn(each, 'alias')?.text ?? name, flags: flags || flagsOf(each) }
    })
  })
}

function dotted(node: NormalNode | undefined): string {
  return node ? (node.text ?? node.children.map(dotted).join(node.kind === 'dotted_name' ? '.' : '')) : ''
}

function pythonModules(node: NormalNode): Import[] {
  return node.children
    .filter((child) => child.field === 'name')
    .map((child) => {
      const from = dotted(child.kind === 'aliased_import' ? childIn(child, 'name') : child)
      return { from, name: '*', local: childIn(child, 'alias')?.text ?? from.split('.')[0]!, flags: '' }
    })
}

function pythonNames(node: NormalNode): Import[] {
  const module = childIn(node, 'module_name')
  const from = dotted(module)
  const names = node.children.filter((child) => child.field === 'name')
  if (names.length === 0) return [{ from, name: '*', local: '', flags: '' }]
  return names.map((child) => {
    const name = dotted(child.kind === 'aliased_import' ? childIn(child, 'name') : child)
    return {
      from,
      name,
      local: childIn(child, 'alias')?.text ?? name,
      flags: node.kind === 'future_import_statement' ? 'future' : '',
    }
  })
}

function goOrJava(node: NormalNode): Import[] {
  const specs = [...specsOf(node)]
  if (specs.length > 0) {
    return specs.map((spec) => {
      const from = childIn(spec, 'path')?.text ?? ''
      const alias = childIn(spec, 'name')?.text
      return { from, name: '*', local: alias ?? from.split('/').at(-1)!, flags: '' }
    })
  }
  const parts = node.children.filter((child) => child.kind !== 'token')
  const path = parts.map(dottedPath).join('.')
  return [{ from: path, name: '', local: path.split('.').at(-1)!, flags: flagsOf(node) }]
}

function* specsOf(node: NormalNode): Generator<NormalNode> {
  if (node.kind === 'import_spec') yield node
  else for (const child of node.children) yield* specsOf(child)
}

function dottedPath(node: NormalNode): string {
  return node.text ?? node.children.map(dottedPath).join('.')
}

function rust(node: NormalNode, path: string[], flags: string): Import[] {
  const names = (each: NormalNode | undefined): string[] => {
    if (!each) return []
    return each.text === undefined
      ? each.children.filter((child) => child.kind !== 'token').flatMap(names)
      : [each.text]
  }
  switch (node.kind) {
    case 'scoped_use_list': {
      const inner = [...path, ...names(childIn(node, 'path'))]
      return childIn(node, 'list')!.children.flatMap((child) => rust(child, inner, flags))
    }
    case 'use_list':
      return node.children.flatMap((child) => rust(child, path, flags))
    case 'use_as_clause': {
      const full = [...path, ...names(childIn(node, 'path'))]
      return [
        { from: full.slice(0, -1).join('::'), name: full.at(-1)!, local: childIn(node, 'alias')?.text ?? '', flags },
      ]
    }
    case 'use_wildcard':
      return [{ from: [...path, ...names(node)].join('::'), name: '*', local: '', flags }]
    default: {
      const own = names(node)
      // `use fmt::{self}` is `use fmt`.
      const full = own.length === 1 && own[0] === 'self' && path.length > 0 ? path : [...path, ...own]
      return [{ from: full.slice(0, -1).join('::'), name: full.at(-1)!, local: full.at(-1)!, flags }]
    }
  }
}

function php(node: NormalNode): Import[] {
  const flags = flagsOf(node)
  const prefix = node.children.find((child) => child.kind === 'namespace')?.text
  const clauses = node.children.flatMap((child) => (child.kind === 'namespace_use_group' ? child.children : [child]))
  return clauses
    .filter((child) => child.kind === 'namespace_use_clause')
    .map((clause) => {
      const alias = childIn(clause, 'alias')?.text
      const written = clause.children
        .filter((child) => child.field !== 'alias' && child.text !== 'as')
        .map(phpPath)
        .join('')
      const full = `${prefix ? `${prefix}\\` : ''}${written}`.replace(/^\\/, '')
      return { from: full, name: '', local: alias ?? full.split('\\').at(-1)!, flags }
    })
}

function phpPath(node: NormalNode): string {
  return node.text ?? node.children.map(phpPath).join('')
}
