import { type Import, importsOf, orderOf } from './imports.ts'
import type { Bindings } from './names.ts'
import { declaredName } from './patterns.ts'
import type { LanguageRules } from './rules.ts'
import { childIn, type NormalNode } from './tree.ts'

/** One of the two trees, with all that is known about it. */
export interface Side {
  tree: NormalNode
  bindings: Bindings
}

/** What was found to correspond; filled while aligning. */
export interface Alignment {
  /** Names that stand at the same place. */
  names: [NormalNode, NormalNode][]
  nodes: Map<NormalNode, NormalNode>
  imports: { before: Import[]; after: Import[]; moved: boolean }
  moved: boolean
}

/** Lays two trees over each other, letting declarations change places. The answer is why that fails, if it does. */
export function align(before: Side, after: Side, rules: LanguageRules): Alignment | string {
  const alignment: Alignment = {
    names: [],
    nodes: new Map(),
    imports: { before: [], after: [], moved: false },
    moved: false,
  }
  const difference = new Aligner(before, after, rules, alignment).node(before.tree, after.tree)
  return difference ?? alignment
}

class Aligner {
  private readonly before: Side
  private readonly after: Side
  private readonly rules: LanguageRules
  private readonly alignment: Alignment

  constructor(before: Side, after: Side, rules: LanguageRules, alignment: Alignment) {
    this.before = before
    this.after = after
    this.rules = rules
    this.alignment = alignment
  }

  /** Undefined when the two correspond, otherwise what differs. */
  node(a: NormalNode, b: NormalNode, parent?: NormalNode): string | undefined {
    if (a.kind !== b.kind || a.field !== b.field) return `${words(b.kind)} instead of ${words(a.kind)}`
    if (a.text !== undefined || b.text !== undefined) return this.leaf(a, b)
    this.alignment.nodes.set(a, b)
    if (isContainer(a, parent, this.rules)) return this.container(a, b)
    return this.sequence(a.children, b.children, a)
  }

  private leaf(a: NormalNode, b: NormalNode): string | undefined {
    if (this.before.bindings.of.has(a) && this.after.bindings.of.has(b)) {
      this.alignment.names.push([a, b])
      return undefined
    }
    return a.text === b.text ? undefined : `${quoted(a)} became ${quoted(b)}`
  }

  private sequence(a: NormalNode[], b: NormalNode[], parent: NormalNode): string | undefined {
    for (let at = 0; at < Math.min(a.length, b.length); at++) {
      const difference = this.node(a[at]!, b[at]!, parent)
      if (difference) return difference
    }
    if (a.length < b.length) return `adds ${words(b[a.length]!.kind)}`
    if (a.length > b.length) return `removes ${words(a[b.length]!.kind)}`
    return undefined
  }

  private container(a: NormalNode, b: NormalNode): string | undefined {
    const left = sections(a, this.rules)
    const right = sections(b, this.rules)
    if (left.length !== right.length) return 'changes what is visible'
    for (const [at, section] of left.entries()) {
      const difference = this.section(section, right[at]!, a)
      if (difference) return difference
    }
    return undefined
  }

  private section(a: Section, b: Section, parent: NormalNode): string | undefined {
    this.imports(a, b)
    if (orderOf(a.imports) !== orderOf(b.imports)) return 'changes the order in which modules take effect'
    return this.movable(a, b, parent) ?? this.sequence(a.ordered, b.ordered, parent)
  }

  private imports(a: Section, b: Section): void {
    const { imports } = this.alignment
    const before = a.imports.flatMap(importsOf)
    const after = b.imports.flatMap(importsOf)
    if (JSON.stringify(before) !== JSON.stringify(after) || a.imports.length !== b.imports.length) imports.moved = true
    imports.before.push(...before)
    imports.after.push(...after)
  }

  /** Declarations find their partner by their full text, else by name and shape, else by shape alone. */
  private movable(a: Section, b: Section, parent: NormalNode): string | undefined {
    const left = a.movable.map((node) => this.describe(node, this.before))
    const right = b.movable.map((node) => this.describe(node, this.after))
    const partner = new Map<number, number>()
    const taken = new Set<number>()
    const keys = [
      (each: Described) => each.exact,
      (each: Described) => `${each.name} ${each.shape()}`,
      (each: Described) => each.shape(),
    ]
    for (const key of keys) {
      for (const [at, each] of left.entries()) {
        if (partner.has(at)) continue
        const found = right.findIndex((other, index) => !taken.has(index) && key(other) === key(each))
        if (found < 0) continue
        partner.set(at, found)
        taken.add(found)
      }
    }
    const lost = left.filter((_, at) => !partner.has(at))
    const gained = right.filter((_, at) => !taken.has(at))
    if (lost.length + gained.length > 0) return this.unpaired(lost, gained, parent)
    const order = left.map((_, at) => partner.get(at)!)
    if (order.some((to, at) => to !== at)) {
      this.alignment.moved = true
      if (breaksOverloads(left, order)) return 'changes the order of declarations with the same name'
    }
    for (const [at, to] of order.entries()) {
      const difference = this.node(a.movable[at]!, b.movable[to]!, parent)
      if (difference) return difference
    }
    return undefined
  }

  private unpaired(lost: Described[], gained: Described[], parent: NormalNode): string {
    const [gone, come] = [lost[0], gained[0]]
    const changed = lost.find(({ name }) => name !== undefined && gained.some((other) => other.name === name))
    const now = changed && gained.find(({ name }) => name === changed.name)
    if (changed && now) {
      const difference = this.node(changed.node, now.node, parent) ?? this.otherName()
      return difference.startsWith('changes ') ? difference : `changes ${changed.name}: ${difference}`
    }
    if (gone && come) return `replaces ${nameOf(gone)} by ${nameOf(come)}`
    return come ? `adds ${nameOf(come)}` : `removes ${nameOf(gone!)}`
  }

  /** The two have the same shape but for a name that is not the file's to change. */
  private otherName(): string {
    const found = this.alignment.names.find(([a, b]) => {
      const isFixed = isFree(a, this.before.bindings) || isFree(b, this.after.bindings)
      return isFixed && a.text !== b.text
    })
    return found ? `uses ${found[1].text} instead of ${found[0].text}` : 'other names'
  }

  private describe(node: NormalNode, side: Side): Described {
    const spell = (each: NormalNode) => (isFree(each, side.bindings) ? (each.text ?? '') : '·')
    let shape: string | undefined
    return {
      node,
      name: declaredName(node, this.rules),
      exact: this.print(node),
      // Most declarations are found by their full text, and never need it.
      shape: () => {
        shape ??= this.print(node, spell)
        return shape
      },
    }
  }

  /** One line for a tree in which declarations may change places. */
  private print(
    node: NormalNode,
    spell: (leaf: NormalNode) => string = (each) => each.text ?? '',
    parent?: NormalNode,
  ): string {
    if (node.text !== undefined) return `${node.field}:${node.kind} ${spell(node)}`
    const inside = isContainer(node, parent, this.rules)
      ? sections(node, this.rules).map(({ imports, movable, ordered }) => {
          const each = (child: NormalNode) => this.print(child, spell, node)
          return [imports.length > 0 ? 'imports' : '', ...movable.map(each).sort(), '|', ...ordered.map(each)].join(' ')
        })
      : node.children.map((child) => this.print(child, spell, node))
    return `${node.field}:${node.kind}(${inside.join(' ')})`
  }
}

/** Whether the name is fixed: it is declared outside the file, so that no rename in here can change it. */
function isFree(leaf: NormalNode, bindings: Bindings): boolean {
  const binding = bindings.of.get(leaf)
  if (!binding) return true
  if (binding.role === 'name') return binding.scope === undefined
  if (binding.role === 'argument' || binding.isPath) return false
  return binding.of === undefined && !bindings.members.has(leaf.text!)
}

interface Described {
  node: NormalNode
  name: string | undefined
  exact: string
  shape: () => string
}

interface Section {
  imports: NormalNode[]
  movable: NormalNode[]
  ordered: NormalNode[]
}

function isContainer(node: NormalNode, parent: NormalNode | undefined, rules: LanguageRules): boolean {
  return (
    rules.containers.has(node.kind) || (parent !== undefined && rules.containers.has(`${parent.kind}.${node.kind}`))
  )
}

/** The content of a container, cut where nothing may be moved across. */
function sections(node: NormalNode, rules: LanguageRules): Section[] {
  const counts = new Map<string, number>()
  for (const child of node.children) {
    const name = declaredName(child, rules)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const found: Section[] = [{ imports: [], movable: [], ordered: [] }]
  for (const child of node.children) {
    const current = found.at(-1)!
    if (rules.barriers.has(child.kind)) found.push({ imports: [], movable: [], ordered: [child] })
    else if (rules.imports.has(child.kind)) current.imports.push(child)
    else if (isMovable(child, node, rules, counts)) current.movable.push(child)
    else current.ordered.push(child)
  }
  return found
}

/** Decorators that enter a function into a table in which the first that fits is taken. */
const ENTERS =
  /^(?:get|post|put|patch|delete|head|options|all|route|api_route|websocket|use|command|event|listener|on|register|middleware|before_request|after_request|errorhandler|exception_handler)$/i

function isEntered(node: NormalNode): boolean {
  return node.children.some(
    (child) =>
      child.kind === 'decorator' && child.children.some((one) => /call/.test(one.kind) && ENTERS.test(calledIn(one))),
  )
}

/** The last part of what is called: `get` of `router.get('/')`. */
function calledIn(call: NormalNode): string {
  const called = call.children[0]
  const last = (node: NormalNode | undefined): string => (node ? (node.text ?? last(node.children.at(-1))) : '')
  return last(called)
}

function isMovable(node: NormalNode, parent: NormalNode, rules: LanguageRules, counts: Map<string, number>): boolean {
  if (isEntered(node)) return false
  if (rules.movable.has(node.kind)) return true
  if (node.kind === 'export_statement') {
    const inner = childIn(node, 'declaration') ?? childIn(node, 'value') ?? node.children.at(-1)
    if (!inner) return false
    return isMovable(inner, parent, rules, counts) || (childIn(node, 'value') !== undefined && isPure(inner, rules))
  }
  const { movableIfPure } = rules
  if (!movableIfPure.has(node.kind) && !movableIfPure.has(`${parent.kind}.${node.kind}`)) return false
  // A name that is set twice has its values in an order.
  const isSetOnce = (counts.get(declaredName(node, rules) ?? '') ?? 0) <= 1
  const target = childIn(node, 'left')
  return isSetOnce && (target === undefined || target.text !== undefined) && isPure(node, rules)
}

const ACTS =
  /(^|_)(call|new|await|yield|update|creation|invocation|macro|augmented|del|throw|raise)(_|$)|^assignment_expression$/

/** Nothing happens when it is evaluated: literals, names, functions. */
function isPure(node: NormalNode, rules: LanguageRules): boolean {
  if (rules.functions.has(node.kind)) return true
  return !ACTS.test(node.kind) && node.children.every((child) => isPure(child, rules))
}

/** Declarations of one kind and name (overloads, redefinitions) must keep their order. */
function breaksOverloads(left: Described[], order: number[]): boolean {
  const last = new Map<string, number>()
  return left.some(({ name, node }, at) => {
    if (name === undefined || node.kind === 'impl_item') return false
    const receiver = childIn(node, 'receiver')
    const key = [node.kind, name, ...(receiver ? typesIn(receiver) : [])].join(' ')
    const isEarlier = (last.get(key) ?? -1) > order[at]!
    last.set(key, order[at]!)
    return isEarlier
  })
}

function typesIn(node: NormalNode): string[] {
  return node.kind === 'type_identifier' ? [node.text ?? ''] : node.children.flatMap(typesIn)
}

function nameOf({ name, node }: Described): string {
  return name ?? `a ${words(node.kind)}`
}

function words(kind: string): string {
  return kind.replaceAll('_', ' ')
}

function quoted({ text = '' }: NormalNode): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
}
