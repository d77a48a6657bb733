import { importsOf } from './imports.ts'
import { namesIn } from './patterns.ts'
import type { LanguageRules } from './rules.ts'
import { childIn, type NormalNode } from './tree.ts'

/** A stretch of code in which a name has one meaning. */
export interface Scope {
  node: NormalNode
  parent: Scope | undefined
  names: Set<string>
  isClass: boolean
  isFunction: boolean
}

/** What a name stands for. */
export type Binding =
  /** Found by looking outwards; no scope when it comes from outside the file. */
  | { role: 'name'; scope: Scope | undefined }
  /**
   * Found through an object, or through a path such as `a::b`. `of` is the type when that is clear: a declaration in it,
   * or `this.x` inside it.
   */
  | { role: 'member'; of: Scope | undefined; isPath: boolean }
  /** The name of an argument at a call. */
  | { role: 'argument' }

/** Every name of a tree with its meaning. */
export interface Bindings {
  of: Map<NormalNode, Binding>
  /** All members declared anywhere in the file. */
  members: Set<string>
  root: Scope
}

/** Finds out what each name in the tree stands for. */
export function bind(tree: NormalNode, rules: LanguageRules): Bindings {
  const binder = new Binder(tree, rules)
  binder.declare(tree, undefined, binder.root)
  binder.settle()
  binder.resolve(tree, undefined, binder.root)
  return { of: binder.of, members: binder.members, root: binder.root }
}

class Binder {
  readonly of = new Map<NormalNode, Binding>()
  readonly members = new Set<string>()
  readonly root: Scope
  private readonly rules: LanguageRules
  private readonly scopes = new Map<NormalNode, Scope>()
  /** Members declared outside their type: Go's methods. */
  private readonly loose: Scope
  /** Names a scope borrows from the file: Python's `global`. */
  private readonly foreign: { scope: Scope; name: string }[] = []
  /** Names that other programs see: what the shell exports. */
  private readonly exported = new Set<string>()

  constructor(tree: NormalNode, rules: LanguageRules) {
    this.rules = rules
    this.root = { node: tree, parent: undefined, names: new Set(), isClass: false, isFunction: true }
    this.loose = { node: tree, parent: undefined, names: new Set(), isClass: true, isFunction: false }
  }

  declare(node: NormalNode, parent: NormalNode | undefined, around: Scope): void {
    const { rules } = this
    if (rules.imports.has(node.kind)) {
      for (const { local } of importsOf(node)) if (local) around.names.add(local)
      return
    }
    const scope = this.scopeOf(node, parent, around)
    const names = (fields: string | undefined) => (fields ? namesIn(node, fields, rules).map((name) => name.text!) : [])
    if (isExport(node)) {
      for (const name of namesBelow(node, rules)) this.exported.add(name)
    } else if (node.kind === 'global_statement') {
      for (const name of names('*')) this.foreign.push({ scope: nearest(scope, 'isFunction'), name })
    } else {
      const home = this.homeOf(node, parent, around, scope)
      for (const name of names(rules.declares[node.kind])) home.names.add(name)
    }
    const type = this.typeOf(node, around)
    if (type) for (const name of names(rules.declaresMembers[node.kind])) type.names.add(name)
    const assigned = memberAssigned(node, rules)
    if (assigned) nearest(scope, 'isClass').names.add(assigned)
    if (rules.selfDeclared.has(node.kind)) this.selfHome(node, scope).names.add(node.text!)
    for (const child of node.children) this.declare(child, node, scope)
  }

  /** Between the two passes: all declarations are known, so what only looked like one can go. */
  settle(): void {
    for (const { scope, name } of this.foreign) if (scope.parent) scope.names.delete(name)
    for (const name of this.exported) this.root.names.delete(name)
    for (const scope of [...this.scopes.values(), this.loose]) {
      if (scope.isClass) for (const name of scope.names) this.members.add(name)
    }
  }

  private scopeOf(node: NormalNode, parent: NormalNode | undefined, around: Scope): Scope {
    const isClass = this.rules.classes.has(node.kind)
    const opens = parent && (isClass || this.rules.scopes.has(node.kind))
    const scope = opens
      ? { node, parent: around, names: new Set<string>(), isClass, isFunction: this.rules.functions.has(node.kind) }
      : around
    this.scopes.set(node, scope)
    return scope
  }

  private homeOf(node: NormalNode, parent: NormalNode | undefined, around: Scope, scope: Scope): Scope {
    const { declaresOutside, declaresInFunction } = this.rules
    if (declaresOutside.has(node.kind)) return around
    const isWide = declaresInFunction.has(node.kind) || (parent && declaresInFunction.has(parent.kind))
    return isWide ? nearest(scope, 'isFunction') : scope
  }

  /** The type whose members a node declares. */
  private typeOf(node: NormalNode, around: Scope): Scope | undefined {
    if (node.kind === 'method_declaration' && childIn(node, 'receiver')) return this.loose
    if (node.kind === 'property_promotion_parameter' || node.kind === 'accessor') return nearest(around, 'isClass')
    if (node.kind === 'required_parameter' || node.kind === 'optional_parameter') {
      const isMember = node.children.some(({ kind, text }) => kind === 'accessibility_modifier' || text === 'readonly')
      return isMember ? nearest(around, 'isClass') : undefined
    }
    return around.isClass ? around : undefined
  }

  private selfHome(node: NormalNode, scope: Scope): Scope {
    return nearest(scope, node.kind === 'variable' ? 'isFunction' : 'isClass')
  }

  resolve(node: NormalNode, parent: NormalNode | undefined, around: Scope): void {
    const { rules } = this
    if (rules.imports.has(node.kind)) return
    if (node.text !== undefined) {
      if (parent && rules.names.has(node.kind)) this.of.set(node, this.bindingOf(node, parent, around))
      return
    }
    const inside = this.scopes.get(node) ?? around
    for (const child of node.children) {
      // A function's own name is looked up from outside it.
      const isOwnName = rules.declaresOutside.has(node.kind) && rules.declares[node.kind] === child.field
      this.resolve(child, node, isOwnName ? around : inside)
    }
  }

  private bindingOf(node: NormalNode, parent: NormalNode, around: Scope): Binding {
    const { rules } = this
    const at = `${parent.kind}.${node.field}`
    const text = node.text!
    if (rules.argumentAt.has(at)) return { role: 'argument' }
    if (rules.selfDeclared.has(node.kind)) return { role: 'name', scope: this.selfHome(node, around) }
    const declared = this.declaredType(node, parent, around)
    if (declared) return { role: 'member', of: declared, isPath: false }
    const name: Binding = { role: 'name', scope: this.lookup(text, around) }
    if (node.kind === 'key_identifier' && !this.members.has(text) && name.scope) return name
    if (!this.isMember(node, parent, at)) return name
    const own = isSelf(parent, rules) ? nearest(around, 'isClass') : undefined
    return { role: 'member', of: own?.names.has(text) ? own : undefined, isPath: /scoped|qualified/.test(at) }
  }

  private declaredType(node: NormalNode, parent: NormalNode, around: Scope): Scope | undefined {
    const fields = this.rules.declaresMembers[parent.kind]
    if (fields !== '*' && fields !== node.field) return undefined
    return this.typeOf(parent, parent === around.node ? (around.parent ?? around) : around)
  }

  private isMember(node: NormalNode, parent: NormalNode, at: string): boolean {
    if (node.kind === 'key_identifier' || this.rules.memberKinds.has(node.kind)) return true
    // `run()` without an object is a name like any other where members can be called by it.
    return this.rules.memberAt.has(at) && (!this.rules.bareMembers || receiverOf(parent) !== undefined)
  }

  private lookup(name: string, from: Scope): Scope | undefined {
    let crossed = false
    for (let scope: Scope | undefined = from; scope; scope = scope.parent) {
      // Members of a class are not in reach of its methods by their bare name, except where the language says so.
      const isHidden = scope.isClass && crossed && !this.rules.bareMembers
      if (!isHidden && scope.names.has(name)) return scope
      crossed ||= scope.isFunction
    }
    return undefined
  }
}

function nearest(scope: Scope, what: 'isClass' | 'isFunction'): Scope {
  let found = scope
  while (!found[what] && found.parent) found = found.parent
  return found
}

/** `this.x = …` and `self.x = …` declare a member. */
function memberAssigned(node: NormalNode, rules: LanguageRules): string | undefined {
  if (node.kind !== 'assignment' && node.kind !== 'assignment_expression') return undefined
  const left = childIn(node, 'left')
  if (!left || !isSelf(left, rules)) return undefined
  return (childIn(left, 'attribute') ?? childIn(left, 'property'))?.text
}

/** `export NAME=…` in the shell. */
function isExport(node: NormalNode): boolean {
  return node.kind === 'declaration_command' && node.children.some(({ text }) => text === 'export' || text === '-x')
}

function namesBelow(node: NormalNode, rules: LanguageRules): string[] {
  if (node.text !== undefined) return rules.names.has(node.kind) ? [node.text] : []
  return node.children.flatMap((child) => namesBelow(child, rules))
}

const RECEIVERS = ['object', 'expression', 'argument', 'value', 'receiver', 'operand', 'scope', 'path']

function receiverOf(node: NormalNode): NormalNode | undefined {
  return RECEIVERS.map((field) => childIn(node, field)).find(Boolean)
}

function isSelf(node: NormalNode, rules: LanguageRules): boolean {
  return rules.self.has(receiverOf(node)?.text ?? '')
}
