import { isSecretFile } from '../intent/secret-file.ts'
import type { ParseShell, ShellCommand, ShellNode, ShellRedirect } from './ast.ts'
import type { Call, ContentSource, PathWrite, WriteKind, WriteTraits } from './call.ts'
import { effectOf } from './commands/table.ts'
import { asText, copyPlace, expandOne, expandWord, mergePlaces, type Place } from './expand.ts'
import { assignedIn, readVariable } from './loops.ts'
import { outwardEffects } from './outward.ts'
import { isRoutine, isTrial } from './routine.ts'
import { type Flow, type SimpleCommand, STRAIGHT } from './simple-command.ts'
import {
  baseName,
  contentOf,
  foldPath,
  joinPath,
  known,
  linesOf,
  literal,
  type Output,
  UNKNOWN,
  unknown,
  type Value,
} from './values.ts'
import { heedVariable } from './variables.ts'

/** What a shell command runs and writes, as far as reading it can tell. */
export interface ShellReading {
  /** Every program it runs, in order; of wrappers (`sudo`, `xargs`, `bash -c`) both the wrapper and what it runs. */
  commands: SimpleCommand[]
  writes: PathWrite[]
  /** Why running it may write more than is listed; empty when the list is complete. */
  undecided: string[]
  /** It surely changes no file. */
  readOnly: boolean
  /** Where the files are named that it writes besides. */
  sources: ContentSource[]
  /** What cannot be known beforehand is left to tests, builds, linters and installs alone. */
  routine: boolean
  /** What it does outside the working tree: pushes, publishes, deploys, sends. */
  outward: string[]
}

export interface ShellSetting {
  parse: ParseShell
  cwd: string
  home?: string
  root?: string
  /** Lets `cp a b` tell a folder `b` from a file; without it the spelling decides. */
  isFolder?: (absolutePath: string) => boolean
  /** Lets a script be read that a command runs; without it what a script does shows only afterwards. */
  textAt?: (absolutePath: string) => string | undefined
  /** Lets a script that is not there be told from one that cannot be read. */
  isThere?: (absolutePath: string) => boolean
}

/** A longer script does more than one thing, and much of it only under conditions that are not known here. */
const LONGEST_SCRIPT = 20_000

/** Scripts inside scripts, functions that call themselves and loops in loops end here; then we say so. */
const LIMIT = { depth: 12, commands: 2000 }

/** Follows a shell command: what it runs, every path it writes, and where reading is not enough to know. */
export function readShell(command: string, setting: ShellSetting): ShellReading {
  const walk = new Walk(setting)
  const variables = new Map<string, Value[]>(setting.home ? [['HOME', [known(setting.home)]]] : [])
  variables.set('TMPDIR', [known('/tmp')])
  walk.text(command, { cwd: setting.cwd, previous: undefined, variables, functions: new Map(), args: [] }, undefined)
  const { commands, writes } = walk
  const undecided = [...walk.reasons]
  return {
    commands,
    writes,
    undecided,
    sources: walk.sources,
    readOnly: writes.length === 0 && undecided.length === 0,
    routine: walk.isRoutine,
    outward: outwardEffects(commands),
  }
}

class Walk {
  readonly commands: SimpleCommand[] = []
  readonly writes: PathWrite[] = []
  readonly reasons = new Set<string>()
  readonly sources: ContentSource[] = []
  /** Links that the command makes, with where they lead. */
  private readonly links: { path: string; to?: string }[] = []
  /** What the command itself has put into files, as far as it can be read. */
  private readonly contents = new Map<string, string | undefined>()
  private strange = 0
  private depth = 0
  private flow = STRAIGHT
  /** Within a test or a build of the project. */
  private makes = false
  private readonly setting: ShellSetting

  constructor(setting: ShellSetting) {
    this.setting = setting
  }

  text(text: string, place: Place, stdin: Output): Output {
    const script = this.setting.parse(text)
    if (script.broken) this.doubt(`not valid shell: ${script.broken}`)
    return this.deeper(() => this.list(script.body, place, stdin))
  }

  /** Every reason was given by a program that is known to test, build, check or install. */
  get isRoutine(): boolean {
    return this.strange === 0
  }

  private doubt(why: string, isExpected = false): undefined {
    this.reasons.add(why)
    if (!isExpected && !this.makes) this.strange++
  }

  private deeper(work: () => Output): Output {
    if (this.depth >= LIMIT.depth) {
      this.doubt('scripts nested too deep to follow')
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
  private list(nodes: ShellNode[], place: Place, stdin: Output): Output {
    const outputs = nodes.map((node, at) =>
      at === nodes.length - 1
        ? this.node(node, place, stdin)
        : this.along(UNHEARD, () => this.node(node, place, stdin)),
    )
    return outputs.some((output) => !output) ? undefined : outputs.flatMap((output) => output!)
  }

  /** In `a && b` a failing of `a` is that of the whole; where that is not known, neither is whether `b` ran. */
  private chain(nodes: ShellNode[], place: Place, stdin: Output): Output {
    const { isHeard } = this.flow
    const outputs = nodes.map((node, at) =>
      this.along(at > 0 && !isHeard ? { isBehind: true } : {}, () => this.node(node, place, stdin)),
    )
    return outputs.some((output) => !output) ? undefined : outputs.flatMap((output) => output!)
  }

  private node(node: ShellNode, place: Place, stdin: Output): Output {
    switch (node.type) {
      case 'command':
        return this.command(node, place, stdin)
      case 'sequence':
        return node.and ? this.chain(node.items, place, stdin) : this.list(node.items, place, stdin)
      case 'subshell':
        return this.list(node.items, copyPlace(place), stdin)
      case 'pipeline':
        return node.stages.reduce<Output>(
          (input, stage, at) =>
            this.along(at < node.stages.length - 1 ? UNHEARD : {}, () => this.node(stage, copyPlace(place), input)),
          stdin,
        )
      case 'choice':
        return this.choice(node, place, stdin)
      case 'each':
        return this.each(node.variable, this.loopValues(node.values, place), node.body, place, stdin)
      case 'while':
        return this.whileLoop(node, place, stdin)
      case 'function':
        place.functions.set(node.name, node.body)
        return []
      case 'redirected': {
        const { input, files } = this.redirect(node.redirects, place)
        if (files.length > 0) this.note([], files, place)
        return this.node(node.body, place, input ?? stdin)
      }
    }
  }

  private choice(node: ShellNode & { type: 'choice' }, place: Place, stdin: Output): Output {
    this.along(UNHEARD, () => this.list(node.condition, place, stdin))
    const ways = node.branches.map((branch) => {
      const way = copyPlace(place)
      this.along(MAYBE, () => this.list(branch, way, stdin))
      return way
    })
    Object.assign(place, mergePlaces(place, [place, ...ways]))
    return undefined
  }

  private loopValues(words: ShellNodeWords, place: Place): Value[] {
    return words
      ? words.flatMap((word) => expandWord(word, place, this.substituteIn(place)))
      : (place.args ?? [unknown()])
  }

  /** Values of one loop variable belong together (`mv "$f" "$f.bak"`), so the body is walked once for each. */
  private each(variable: string, values: Value[], body: ShellNode[], place: Place, stdin: Output): Output {
    const before = copyPlace(place)
    const outputs = values.map((value) => {
      if (this.hasEnough()) return undefined
      place.variables.set(variable, [value])
      return this.along(UNHEARD, () => this.list(body, place, stdin))
    })
    Object.assign(place, mergePlaces(before, [before, place]))
    return outputs.some((output) => !output) ? undefined : outputs.flatMap((output) => output!)
  }

  private whileLoop(node: ShellNode & { type: 'while' }, place: Place, stdin: Output): Output {
    this.along(UNHEARD, () => this.list(node.condition, place, stdin))
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

  private command(node: ShellCommand, place: Place, stdin: Output): Output {
    const substitute = this.substituteIn(place)
    const words = node.words.flatMap((word) => expandWord(word, place, substitute))
    const { input = stdin, files, inputFile } = this.redirect(node.redirects, place)
    const isDeclaration = words.length === 0 || DECLARATIONS.has(words[0]!.text)
    // `A=1 cmd` sets it for that command alone; the shell's own words work on the shell itself.
    const isOwnWord = OWN_WORDS.has(words[0]?.text ?? '')
    const inside = isDeclaration || isOwnWord || node.assigns.length === 0 ? place : copyPlace(place)
    for (const { name, append, value, elements } of node.assigns) {
      const values = elements
        ? elements.flatMap((word) => expandWord(word, place, substitute))
        : [expandOne(value, place, substitute)]
      this.heed(name, values[0] ?? unknown(), place)
      if (isOwnWord && !isDeclaration) continue
      const held = inside.variables.get(name)
      if (!append) inside.variables.set(name, values)
      else if (elements) inside.variables.set(name, [...(held ?? [unknown()]), ...values])
      else inside.variables.set(name, [{ ...values[0]!, text: (held?.[0]?.text ?? UNKNOWN) + values[0]!.text }])
    }
    // The parser takes `ls=…` for an assignment there too.
    const given = words[0]?.text === 'alias' ? aliases(node, place, substitute) : []
    if (!isDeclaration) {
      const output = this.call([...words, ...given], inside, input, files, inputFile)
      this.keepContents(node.redirects, output, place)
      return output
    }
    if (files.length > 0) this.note([], files, place)
    return []
  }

  private note([name, ...args]: Value[], redirects: Value[], { cwd }: Place) {
    const { maybe, isBehind } = this.flow
    this.commands.push({
      name: name?.text ?? '',
      args,
      redirects,
      cwd,
      ...(maybe && { maybe }),
      ...(isBehind && { isBehind }),
    })
  }

  private hasEnough(): boolean {
    if (this.commands.length < LIMIT.commands) return false
    this.doubt('too many commands to follow')
    return true
  }

  private call(words: Value[], place: Place, stdin: Output, redirects: Value[] = [], stdinFile?: Value): Output {
    const name = literal(words[0])
    if (this.hasEnough()) return undefined
    this.note(words, redirects, place)
    if (name === undefined) {
      this.doubt('the name of a command is only known when it runs')
      return undefined
    }
    const args = words.slice(1)
    const ownFunction = place.functions.get(name)
    if (ownFunction) {
      const inside = { ...place, args }
      return this.deeper(() => this.list(ownFunction, inside, stdin))
    }
    const output = effectOf(baseName(name), name)(this.callOf(name, args, place, stdin, stdinFile))
    return output ?? undefined
  }

  private callOf(name: string, args: Value[], place: Place, stdin: Output, stdinFile: Value | undefined): Call {
    const isTried = isTrial(baseName(name), args)
    return {
      stdinFile,
      namesIn: ({ from, cwd = place.cwd, ...source }) => {
        const names = from.map((one) => literal(one))
        if (cwd === undefined || names.length === 0 || names.some((name) => name === undefined)) return false
        this.sources.push({ ...source, from: names.map((name) => name!), cwd })
        return true
      },
      name,
      args,
      place,
      stdin,
      root: this.setting.root,
      write: (target, kind, traits) => {
        // `cargo update --dry-run` names its lock file and leaves it alone.
        if (isTried) return undefined
        return this.write(target, kind, place, traits)
      },
      undecided: (why, local) => this.doubt(why, local !== undefined || isRoutine(name, args)),
      heed: (name, value) => this.heed(name, value, place),
      run: (words, options = {}) =>
        this.deeper(() => this.call(words, options.place ?? place, 'stdin' in options ? options.stdin : stdin)),
      script: (text, options = {}) => {
        const inside = options.place ?? place
        const before = this.makes
        this.makes ||= options.makes === true
        const output = this.text(text, options.args ? { ...copyPlace(inside), args: options.args } : inside, stdin)
        this.makes = before
        return output
      },
      textOf: (path) => this.textOf(path, place),
      isThere: (path) => {
        const name = literal(path)
        return name === undefined || place.cwd === undefined ? undefined : this.isThere(joinPath(place.cwd, name))
      },
      scriptAt: (path) => {
        const name = literal(path)
        const isInstalled = name !== undefined && place.cwd !== undefined && this.isInstalled(joinPath(place.cwd, name))
        const text = isInstalled ? undefined : this.textOf(path, place)
        return text !== undefined && text.length <= LONGEST_SCRIPT ? text : undefined
      },
      isFolder: (path) => {
        if (path.glob || path.text.includes(UNKNOWN) || place.cwd === undefined) return undefined
        return this.folderAt(joinPath(place.cwd, path.text).replace(/(?<!\/)\/+$/, ''))
      },
    }
  }

  /** A program that came from elsewhere: what it does depends on its arguments, and its text names far more than it touches. */
  private isInstalled(file: string): boolean {
    const { root = this.setting.cwd } = this.setting
    const isNear = [root, '/tmp', '/var/tmp'].some((folder) => file.startsWith(`${folder}/`))
    return !isNear || file.includes('/node_modules/')
  }

  /** What the command itself has written by then is not what lies there now; secrets are not for passing on. */
  private textOf(path: Value, { cwd }: Place): string | undefined {
    if (path.origin && 'output' in path.origin) return asText(path.origin.output)
    const name = literal(path)
    if (name === undefined || cwd === undefined || isSecretFile(name)) return undefined
    const file = joinPath(cwd, name)
    const isWritten = this.contents.has(file) || this.writes.some((write) => write.path === file)
    return isWritten ? this.contents.get(file) : this.setting.textAt?.(file)
  }

  /** `cat > run.sh <<EOF`: what is run later by that name is read from here. */
  private keepContents(redirects: ShellRedirect[], output: Output, place: Place): void {
    for (const redirect of redirects) {
      if (redirect.type !== 'file' || !/^>[>|]?$/.test(redirect.operator)) continue
      const name = literal(expandOne(redirect.target, place, () => undefined))
      if (name === undefined || place.cwd === undefined) continue
      const file = joinPath(place.cwd, name)
      const [before, text] = [this.contents.get(file), asText(output)]
      const isAdded = redirect.operator === '>>'
      this.contents.set(file, text === undefined || !isAdded ? text : before && `${before}\n${text}`)
    }
  }

  private isThere(file: string): boolean | undefined {
    return this.writes.some((write) => write.path === file) || this.setting.isThere?.(file)
  }

  /** What a command reads from a file. */
  private contentOf(path: Value, place: Place): Value {
    const text = this.textOf(path, place)
    return text === undefined || text.includes(UNKNOWN) ? contentOf(path) : known(text.replace(/\n$/, ''))
  }

  /** What the command did earlier counts for more than what lies on the disk now. */
  private folderAt(path: string): boolean | 'either' | undefined {
    let state: boolean | 'either' | undefined
    for (const write of this.writes) {
      const isAbove = path.startsWith(`${write.path}/`)
      if (write.path === path) {
        state = write.folder ? write.kind === 'create' : write.tree && write.kind !== 'delete' ? 'either' : false
      }
      if (write.path.startsWith(`${path}/`) && write.kind === 'create') state = true
      else if (isAbove && (write.tree || write.kind === 'delete')) state = 'either'
    }
    return state ?? this.setting.isFolder?.(path)
  }

  /** Records the files redirections write; returns them all, and the standard input they give. */
  private redirect(
    redirects: ShellRedirect[],
    place: Place,
  ): { input?: Value[] | undefined; files: Value[]; inputFile?: Value | undefined } {
    let input: Output
    let inputFile: Value | undefined
    const files: Value[] = []
    for (const redirect of redirects) {
      if (redirect.type === 'text') {
        input = [expandOne(redirect.body, place, this.substituteIn(place))]
        continue
      }
      const process = redirect.target[0]
      if (process?.type === 'process') {
        const output = this.list(process.script, copyPlace(place), undefined)
        if (!process.into) input = output
        continue
      }
      const target = expandOne(redirect.target, place, this.substituteIn(place))
      if (redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(target.text)) continue
      files.push(target)
      if (redirect.operator === '<') {
        inputFile = target
        input = [this.contentOf(target, place)]
      }
      if (redirect.operator === '<' || redirect.operator === '<&') continue
      const adds = redirect.operator.endsWith('>>') || redirect.operator === '<>'
      this.write(target, adds ? 'modify' : 'create', place)
    }
    return { input, files, inputFile }
  }

  private write(target: Value | undefined, kind: WriteKind, place: Place, traits: WriteTraits = {}): undefined {
    if (!target || target.text === '') return
    if (target.text.startsWith(UNKNOWN)) {
      this.doubt('a path is only known when it runs')
      return
    }
    // Memory that serves as a disk is one.
    if (/^\/dev(?!\/shm\/)(\/|$)/.test(target.text)) return
    if (target.text.includes(UNKNOWN)) this.doubt('part of a path is only known when it runs')
    const isAbsolute = /^[/~]/.test(target.text)
    if (!isAbsolute && place.cwd === undefined) {
      this.doubt('the folder is only known when it runs')
      return
    }
    const written = target.text.replaceAll(UNKNOWN, '*')
    const path = isAbsolute ? written : joinPath(place.cwd!, written)
    // `app/[id]/page.tsx` names a new file: brackets that match nothing are letters to the shell.
    const isLive = target.text.includes(UNKNOWN) || (target.glob && !(kind === 'create' && !/[*?]/.test(written)))
    const through = this.links.find((link) => path === link.path || path.startsWith(`${link.path}/`))
    if (through) this.doubt('writes through a link that the command itself makes')
    const { linkTo, ...kept } = traits
    if (through?.to !== undefined) {
      const landed = foldPath(through.to + path.slice(through.path.length))
      this.writes.push({ path: landed, written: landed, kind, ...kept })
    }
    if (traits.link) this.links.push({ path, ...(linkTo !== undefined && { to: linkedFrom(path, linkTo) }) })
    if (this.makes && kind === 'create' && !this.isThere(path)) {
      this.doubt('what a test or a build of the project makes', true)
      return
    }
    const isGuessed = target.text.includes(UNKNOWN)
    this.writes.push({
      path,
      written,
      kind,
      ...(isLive && { glob: true }),
      ...(isGuessed && { guessed: true }),
      ...kept,
    })
  }

  private heed(name: string, value: Value, place: Place): void {
    const undecided = (why: string) => this.doubt(why)
    const write = (target: Value) => this.write(target, 'modify', place)
    const run = (text: string) => void this.text(text, copyPlace(place), undefined)
    heedVariable(name, value, { cwd: place.cwd, root: this.setting.root, write, undecided, run })
  }

  private substituteIn(place: Place) {
    return (script: ShellNode[]) => this.list(script, copyPlace(place), undefined)
  }
}

/** Where a link leads that lies at `path`. */
function linkedFrom(path: string, to: string): string {
  return foldPath(joinPath(path.slice(0, path.lastIndexOf('/')) || '/', to))
}

function aliases({ assigns }: ShellCommand, place: Place, substitute: (script: ShellNode[]) => Output): Value[] {
  return assigns.map(({ name, value }) => {
    const { text } = expandOne(value, place, substitute)
    return known(`${name}=${text}`)
  })
}

const UNHEARD: Partial<Flow> = { isHeard: false }
const MAYBE: Partial<Flow> = { maybe: true }

type ShellNodeWords = (ShellNode & { type: 'each' })['values']

/** They change the shell they run in: its folder, variables, arguments. */
const OWN_WORDS = new Set([
  'cd',
  'pushd',
  'popd',
  'read',
  'mapfile',
  'readarray',
  'unset',
  'shift',
  'set',
  'eval',
  'source',
  '.',
])
const DECLARATIONS = new Set(['export', 'declare', 'local', 'readonly', 'typeset'])
