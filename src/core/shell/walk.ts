import type { ShellNode } from './ast.ts'
import type { ContentSource } from './call.ts'
import { Doubts } from './doubts.ts'
import { copyPlace, expandOne, expandWords, mergePlaces, type Place } from './expand.ts'
import { FileState } from './file-state.ts'
import { Commands } from './follow-commands.ts'
import { assignedIn, readVariable } from './loops.ts'
import { fittingBranch, negated } from './outcome.ts'
import type { ShellSetting } from './reading.ts'
import { followRedirects } from './redirects.ts'
import { type Flow, STRAIGHT } from './simple-command.ts'
import { linesOf, type Output, unknown, type Value } from './values.ts'

/** Scripts inside scripts and functions that call themselves end here; then we say so. */
const DEEPEST = 12

/** What following one command costs, next to one letter that is expanded. */
const NODE = 200

/** Follows a command through the ways that a shell would take. */
export class Walk {
  readonly commands = new Commands(this)
  readonly sources: ContentSource[] = []
  readonly doubts = new Doubts()
  readonly files: FileState
  /** Something that was started may still run when the command has ended. */
  goesOn = false
  private depth = 0
  flow = STRAIGHT
  /** Whether what was followed last surely succeeds or fails: what only runs otherwise never runs. */
  outcome: boolean | undefined
  readonly setting: ShellSetting

  constructor(setting: ShellSetting) {
    this.setting = setting
    this.files = new FileState(setting, this.doubts, () => this.flow.maybe)
  }

  get root(): string | undefined {
    return this.setting.root
  }

  text(text: string, place: Place, stdin: Output): Output {
    const script = this.setting.parse(text)
    const broken = script.broken && `not valid shell: ${script.broken}`
    if (script.isUnread) this.doubts.leaveUnread(broken ?? '')
    else if (broken) this.doubts.add(broken)
    return this.nested(() => this.list(script.body, place, stdin))
  }

  /** Within a command that is being followed. */
  run(words: Value[], place: Place, stdin: Output): Output {
    return this.nested(() => this.commands.call(words, place, stdin))
  }

  /** Text that a command runs. `makes`: of a test or a build of the project. */
  script(text: string, place: Place, stdin: Output, makes: true | undefined): Output {
    const before = this.doubts.isMaking
    this.doubts.isMaking ||= makes === true
    const output = this.text(text, place, stdin)
    this.doubts.isMaking = before
    return output
  }

  /** A command, or its text, within another. Unlike a function that calls itself, it says something new in every depth. */
  private nested(work: () => Output): Output {
    if (this.depth >= DEEPEST) this.doubts.isUnread = true
    return this.deeper(work)
  }

  deeper(work: () => Output): Output {
    if (this.depth >= DEEPEST) {
      this.doubts.add('scripts nested too deep to follow')
      return undefined
    }
    this.depth++
    const output = work()
    this.depth--
    return output
  }

  private along<T>(flow: Partial<Flow>, work: () => T): T {
    const before = this.flow
    this.flow = { ...before, ...flow }
    const result = work()
    this.flow = before
    return result
  }

  /** Output is that of all commands together; one that is unknown makes the whole unknown. */
  list(nodes: ShellNode[], place: Place, stdin: Output): Output {
    const isRedefined = nodes.some((node) => node.type === 'function' && node.name === 'exit')
    const end = isRedefined ? -1 : nodes.findIndex((node) => endsShell(node, place))
    const reached = end < 0 ? nodes : nodes.slice(0, end + 1)
    const outputs = reached.map((node, at) =>
      at === nodes.length - 1
        ? this.node(node, place, stdin)
        : this.along(UNHEARD, () => this.node(node, place, stdin)),
    )
    return together(outputs)
  }

  /** Of two commands joined by AND, a failing of the first is that of both; where that is not known, neither is whether the second ran. */
  private chain(nodes: ShellNode[], place: Place, stdin: Output): Output {
    const { isHeard } = this.flow
    const outputs: Output[] = []
    let succeeds = true
    for (const [at, node] of nodes.entries()) {
      outputs.push(this.along(at > 0 && !isHeard ? { isBehind: true } : {}, () => this.node(node, place, stdin)))
      if (this.outcome === false) break
      succeeds &&= this.outcome === true
    }
    if (this.outcome !== false) this.outcome = succeeds || undefined
    return together(outputs)
  }

  private node(node: ShellNode, place: Place, stdin: Output): Output {
    if (!place.effort.spend(NODE)) return undefined
    switch (node.type) {
      case 'command':
        return this.commands.follow(node, place, stdin)
      case 'sequence':
        return node.and ? this.chain(node.items, place, stdin) : this.list(node.items, place, stdin)
      case 'choice':
        return this.choice(node, place, stdin)
      case 'case':
        return this.caseOf(node, place, stdin)
      case 'not': {
        const output = this.node(node.body, place, stdin)
        this.outcome = negated(this.outcome)
        return output
      }
      default: {
        const output = this.compound(node, place, stdin)
        this.outcome = undefined
        return output
      }
    }
  }

  private compound(node: Compound, place: Place, stdin: Output): Output {
    switch (node.type) {
      case 'subshell':
        this.goesOn ||= node.goesOn === true
        return this.list(node.items, copyPlace(place), stdin)
      case 'pipeline':
        return node.stages.reduce<Output>(
          (input, stage, at) =>
            this.along(at < node.stages.length - 1 ? UNHEARD : {}, () => this.node(stage, copyPlace(place), input)),
          stdin,
        )
      case 'each':
        return this.each(node.variable, this.loopValues(node.values, place), node.body, place, stdin)
      case 'while':
        return this.whileLoop(node, place, stdin)
      case 'function':
        place.functions.set(node.name, node.body)
        return []
      case 'redirected': {
        const { input, files } = followRedirects(this, node.redirects, place)
        if (files.length > 0) this.commands.note([], files, place)
        return this.node(node.body, place, input ?? stdin)
      }
    }
  }

  private choice(node: ShellNode & { type: 'choice' }, place: Place, stdin: Output): Output {
    const { by, branches } = node
    this.along(UNHEARD, () => this.list(node.condition, place, stdin))
    const holds = this.outcome
    if (holds !== undefined) {
      const way = branches[holds === (by !== 'or') ? 0 : 1]
      // An `if` that finds no way succeeds.
      if (!way && by === 'if') this.outcome = true
      return way ? this.list(way, place, stdin) : []
    }
    return this.oneOf(branches, place, stdin)
  }

  private caseOf({ word, branches }: ShellNode & { type: 'case' }, place: Place, stdin: Output): Output {
    const value = expandOne(word, place, this.substituteIn(place))
    const fitting = fittingBranch(value, branches, place)
    if (!fitting)
      return this.oneOf(
        branches.map(({ body }) => body),
        place,
        stdin,
      )
    this.outcome = undefined
    return this.list(fitting.body, place, stdin)
  }

  /** One of the ways is taken, or none. */
  private oneOf(branches: ShellNode[][], place: Place, stdin: Output): Output {
    const ways = branches.map((branch) => {
      const way = copyPlace(place)
      this.along(MAYBE, () => this.list(branch, way, stdin))
      return way
    })
    Object.assign(place, mergePlaces(place, [place, ...ways]))
    this.outcome = undefined
    return undefined
  }

  private loopValues(words: ShellNodeWords, place: Place): Value[] {
    return words ? expandWords(words, place, this.substituteIn(place)) : (place.args ?? [unknown()])
  }

  /** Values of one loop variable belong together (`mv "$f" "$f.bak"`), so the body is walked once for each. */
  private each(variable: string, values: Value[], body: ShellNode[], place: Place, stdin: Output): Output {
    const before = copyPlace(place)
    const outputs: Output[] = []
    for (const value of values) {
      if (place.effort.isOver) break
      const isLast = this.commands.areEnoughOfLoops()
      place.variables.set(variable, [isLast ? unknown() : value])
      outputs.push(this.along(UNHEARD, () => this.list(body, place, stdin)))
      if (isLast) break
    }
    Object.assign(place, mergePlaces(before, [before, place]))
    return outputs.length < values.length ? undefined : together(outputs)
  }

  private whileLoop(node: ShellNode & { type: 'while' }, place: Place, stdin: Output): Output {
    this.along(UNHEARD, () => this.list(node.condition, place, stdin))
    if (node.condition.length > 0 && this.outcome === false) return []
    const variable = readVariable(node.condition)
    if (variable && stdin)
      return this.along(MAYBE, () => this.each(variable, linesOf(stdin), node.body, place, undefined))
    const before = copyPlace(place)
    // What a round changes is different in the next one.
    for (const [name, value] of assignedIn(node.body)) place.variables.set(name, [value])
    this.along(MAYBE, () => this.list(node.body, place, undefined))
    Object.assign(place, mergePlaces(before, [before, place]))
    return undefined
  }

  /** Defines an alias as a function: its arguments are appended to the text. */
  define(name: string, text: string, place: Place): void {
    place.functions.set(name, this.setting.parse(`${text} "$@"`).body)
  }

  heed(name: string, value: Value, place: Place): void {
    this.commands.heed(name, value, place)
  }

  substituteIn(place: Place) {
    return (script: ShellNode[]) => this.list(script, copyPlace(place), undefined)
  }
}

/** Of commands that run one after the other. */
function together(outputs: Output[]): Output {
  return outputs.some((output) => !output) ? undefined : outputs.flatMap((output) => output!)
}

/** What stands behind `exit` in a list never runs, nor what stands behind `set -n`. */
function endsShell(node: ShellNode, { functions }: Place): boolean {
  if (node.type !== 'command' || node.assigns.length > 0) return false
  const [name, option] = node.words.map((word) => (word.length === 1 && word[0]?.type === 'text' ? word[0].text : ''))
  if (name === undefined || functions.has(name)) return false
  return name === 'exit' || (name === 'set' && option === '-n' && node.words.length === 2)
}

const UNHEARD: Partial<Flow> = { isHeard: false }
const MAYBE: Partial<Flow> = { maybe: true }

type Compound = Exclude<ShellNode, { type: 'command' | 'sequence' | 'choice' | 'case' | 'not' }>
type ShellNodeWords = (ShellNode & { type: 'each' })['values']
