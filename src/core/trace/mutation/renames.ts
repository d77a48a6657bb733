import type { Alignment, Side } from './align.ts'
import { type Import, isOwnModule } from './imports.ts'
import type { Binding, Scope } from './names.ts'

/** The names that changed; or why the change is more than a change of names. */
export type Renames = { renamed: [string, string][] } | { difference: string }

/** Checks that every name still means the same thing, under its old name or consistently under a new one. */
export function checkRenames(alignment: Alignment, before: Side, after: Side): Renames {
  const maps = new Maps()
  const uses = new Map<string, { from: string; to: string; isPath: boolean }>()
  const given: { from: string; to: string }[] = []
  for (const [a, b] of alignment.names) {
    const difference = compare(a.text!, b.text!, before.bindings.of.get(a)!, after.bindings.of.get(b)!)
    if (difference) return { difference }
  }
  const imported = checkImports(alignment.imports.before, alignment.imports.after, maps, before.bindings.root)
  if (imported) return { difference: imported }
  for (const { from, to, isPath } of uses.values()) {
    const difference = maps.checkUse(from, to, isPath)
    if (difference) return { difference }
  }
  const wrong = given.find(({ from, to }) => from !== to && !maps.has(from, to))
  if (wrong) return { difference: `passes ${wrong.to} instead of ${wrong.from}` }
  return { renamed: maps.renamed() }

  function compare(from: string, to: string, left: Binding, right: Binding): string | undefined {
    if (left.role === 'argument' && right.role === 'argument') given.push({ from, to })
    else if (left.role === 'name' && right.role === 'name') return compareIn(from, to, left.scope, right.scope)
    else if (left.role === 'member' && right.role === 'member') {
      if (left.of && right.of) return compareIn(from, to, left.of, right.of)
      uses.set(`${from} ${to} ${left.isPath}`, { from, to, isPath: left.isPath })
    } else return `${to} instead of ${from}`
    return undefined
  }

  function compareIn(from: string, to: string, left: Scope | undefined, right: Scope | undefined): string | undefined {
    if (!left && !right) return from === to ? undefined : `uses ${to} instead of ${from}`
    if (!left || !right || alignment.nodes.get(left.node) !== right.node)
      return `${to} means something else than ${from} did`
    return maps.add(left, from, to)
  }
}

/** Names the language itself calls. */
const SPECIAL = /^(__\w+|constructor|initialize|main|init)$/

/** Which name became which, scope by scope; within one scope each way there is only one answer. */
class Maps {
  private readonly forth = new Map<Scope, Map<string, string>>()
  private readonly back = new Map<Scope, Map<string, string>>()

  /** Undefined when it fits, otherwise why not. */
  add(scope: Scope, from: string, to: string): string | undefined {
    const forth = mapOf(this.forth, scope)
    const back = mapOf(this.back, scope)
    const known = forth.get(from)
    if (known !== undefined && known !== to) return `${from} becomes ${known} here and ${to} there`
    const origin = back.get(to)
    if (origin !== undefined && origin !== from) return `${from} and ${origin} both become ${to}`
    const isSeen = scope.isClass || !scope.parent
    if (from !== to && isSeen && (SPECIAL.test(from) || SPECIAL.test(to))) return `${from} has a meaning of its own`
    // What others see must not swap names, even consistently: two names that change places look like two things that do.
    if (from !== to && isSeen && scope.names.has(to)) return `${from} takes the name of ${to}`
    forth.set(from, to)
    back.set(to, from)
    return undefined
  }

  get(scope: Scope, from: string): string | undefined {
    return this.forth.get(scope)?.get(from)
  }

  has(from: string, to: string): boolean {
    return [...this.forth.values()].some((names) => names.get(from) === to)
  }

  /** A member used through an object follows a declaration it can belong to. */
  checkUse(from: string, to: string, isPath: boolean): string | undefined {
    const homes = [...this.forth].filter(([scope]) => scope.isClass || isPath).map(([, names]) => names)
    if (from !== to) return homes.some((names) => names.get(from) === to) ? undefined : `uses ${to} instead of ${from}`
    const declared = homes.filter((names) => names.has(from))
    const isGone = declared.length > 0 && declared.every((names) => names.get(from) !== from)
    return isGone ? `${from} was renamed, but is still used` : undefined
  }

  renamed(): [string, string][] {
    const all = [...this.forth.values()].flatMap((names) => [...names].filter(([from, to]) => from !== to))
    return [...new Map(all.map((pair) => [pair.join(' '), pair])).values()]
  }
}

function mapOf(maps: Map<Scope, Map<string, string>>, scope: Scope): Map<string, string> {
  const found = maps.get(scope) ?? new Map<string, string>()
  maps.set(scope, found)
  return found
}

function checkImports(before: Import[], after: Import[], maps: Maps, root: Scope): string | undefined {
  const key = ({ from, name, flags }: Import) => `${from}\n${name}\n${flags}`
  const left = new Map(before.map((each) => [key(each), each]))
  const right = new Map(after.map((each) => [key(each), each]))
  const lost = [...left].filter(([each]) => !right.has(each)).map(([, each]) => each)
  const gained = [...right].filter(([each]) => !left.has(each)).map(([, each]) => each)
  for (const [each, { local }] of left) {
    const now = right.get(each)
    const difference = now && local && maps.add(root, local, now.local)
    if (difference) return difference
  }
  for (const each of lost) {
    const at = gained.findIndex((other) => isSameThing(each, other, maps, root))
    if (at < 0) return `no longer imports ${each.name || each.from}`
    gained.splice(at, 1)
  }
  return gained[0] ? `imports ${gained[0].name || gained[0].from}` : undefined
}

/** A name of the project itself may have been renamed where it is declared, or its module moved to another folder. */
function isSameThing(before: Import, after: Import, maps: Maps, root: Scope): boolean {
  if (before.flags !== after.flags || !isOwnModule(before.from) || !isOwnModule(after.from)) return false
  if (before.from !== after.from)
    return (
      before.name === after.name && before.local === after.local && moduleName(before.from) === moduleName(after.from)
    )
  return before.name === before.local && after.name === after.local && maps.get(root, before.local) === after.local
}

function moduleName(from: string): string {
  const parts = from
    .replace(/\.(js|ts|jsx|tsx|mjs|cjs|mts|cts)$/, '')
    .replace(/\/index$/, '')
    .split(/\/|::/)
  return parts.at(-1)!
}
