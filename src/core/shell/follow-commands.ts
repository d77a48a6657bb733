import type { ShellCommand, ShellNode } from './ast.ts'
import type { WriteTraits } from './call.ts'
import { callOf } from './call-of.ts'
import { effectOf } from './commands/table.ts'
import { heedUnread } from './commands/unread-code.ts'
import { copyPlace, expandOne, expandWords, isTooMuch, type Place } from './expand.ts'
import { type LookAt, outcomeOf } from './outcome.ts'
import { followRedirects } from './redirects.ts'
import type { SimpleCommand } from './simple-command.ts'
import { baseName, foldPath, joinPath, known, literal, type Output, UNKNOWN, unknown, type Value } from './values.ts'
import { heedVariable } from './variables.ts'
import type { Walk } from './walk.ts'

/** Where so many were followed, there are loops in loops; then we say so. */
const MOST = 2000
const MOST_ASSIGNED = 100

/** The commands that are met on the way, one by one. */
export class Commands {
  readonly ran: SimpleCommand[] = []
  /** `NAME=value`, for every variable that is set on the way. */
  readonly assigned: string[] = []
  private readonly walk: Walk

  constructor(walk: Walk) {
    this.walk = walk
  }

  /** One command with its words as the shell would expand them. */
  follow(node: ShellCommand, place: Place, stdin: Output): Output {
    const substitute = this.walk.substituteIn(place)
    const words = expandWords(node.words, place, substitute)
    this.walk.outcome = undefined
    const { input = stdin, files, inputFile } = followRedirects(this.walk, node.redirects, place)
    const isDeclaration = words.length === 0 || DECLARATIONS.has(words[0]!.text)
    // `A=1 cmd` sets it for that command alone; the shell's own words work on the shell itself.
    const isOwnWord = OWN_WORDS.has(words[0]?.text ?? '')
    const inside = isDeclaration || isOwnWord || node.assigns.length === 0 ? place : copyPlace(place)
    for (const { name, append, value, elements } of node.assigns) {
      const values = elements ? expandWords(elements, place, substitute) : [expandOne(value, place, substitute)]
      this.heed(name, values[0] ?? unknown(), place)
      if (this.assigned.length < MOST_ASSIGNED) this.assigned.push(`${name}=${values[0]?.text ?? ''}`)
      if (isOwnWord && !isDeclaration) continue
      const held = inside.variables.get(name)
      const added = elements
        ? [...(held ?? [unknown()]), ...values]
        : [{ ...values[0]!, text: (held?.[0]?.text ?? UNKNOWN) + values[0]!.text }]
      inside.variables.set(name, append ? (isTooMuch(added) ? [unknown()] : added) : values)
    }
    // The parser takes `ls=…` for an assignment there too.
    const given = words[0]?.text === 'alias' ? aliases(node, place, substitute) : []
    if (!isDeclaration) {
      const output = this.call([...words, ...given], inside, input, files, inputFile)
      this.walk.files.keepContents(node.redirects, output, place)
      return output
    }
    if (files.length > 0) this.note([], files, place)
    for (const word of words.slice(1)) this.declare(word, place)
    return []
  }

  /** A name that is only known when it runs, or one that stands for another, may be that of any variable. */
  private declare({ text }: Value, place: Place): void {
    const cut = text.indexOf('=')
    if (/^-\w*n/.test(text) || (cut >= 0 && !/^\w+$/.test(text.slice(0, cut))))
      this.walk.doubts.add('which variable is set is only known when it runs')
    else if (cut >= 0) place.variables.set(text.slice(0, cut), [known(text.slice(cut + 1))])
  }

  note([name, ...args]: Value[], redirects: Value[], { cwd, variables }: Place, stdin?: Output) {
    const { maybe, isBehind } = this.walk.flow
    const input = inputOf(stdin)
    const host = variables.get('DOCKER_HOST')?.[0]?.text
    this.ran.push({
      name: name?.text ?? '',
      args,
      redirects,
      cwd,
      ...(input && { input }),
      ...(host && { host }),
      ...(maybe && { maybe }),
      ...(isBehind && { isBehind }),
    })
  }

  areEnough(): boolean {
    if (this.ran.length < MOST) return false
    this.walk.doubts.leaveUnread('too many commands to follow')
    return true
  }

  /** Whether the rounds of a loop are no longer followed one by one, so that what stands behind it is read all the same. */
  areEnoughOfLoops(): boolean {
    return this.ran.length >= MOST / 2
  }

  call(words: Value[], place: Place, stdin: Output, redirects: Value[] = [], stdinFile?: Value): Output {
    const given = literal(words[0])
    if (this.areEnough()) return undefined
    this.note(words, redirects, place, stdin)
    const name = given === undefined || place.functions.has(given) ? given : this.programMeant(given, place)
    if (name === undefined) {
      this.walk.doubts.add('the name of a command is only known when it runs')
      return undefined
    }
    const args = words.slice(1)
    const ownFunction = place.functions.get(name)
    if (ownFunction) {
      const inside = { ...place, args }
      const output = this.walk.deeper(() => this.walk.list(ownFunction, inside, stdin))
      Object.assign(place, { cwd: inside.cwd, previous: inside.previous, pushed: inside.pushed })
      this.walk.outcome = undefined
      return output
    }
    if (DETACHES.has(name)) this.walk.goesOn = true
    if (ENDS_JOBS.has(name)) this.walk.goesOn = false
    const call = callOf(this.walk, { name, args, place, stdin, stdinFile })
    const { count } = this.walk.doubts
    const output = effectOf(baseName(name), name)(call)
    // A test or a compiler that is given code of this very command line runs that.
    if (this.walk.doubts.count > count)
      for (const code of this.walk.files.unreadCode(args))
        heedUnread(call, code, { why: `${name}: runs code that the command has written` })
    this.walk.outcome = redirects.length > 0 ? undefined : outcomeOf(name, args, (path) => this.lookAt(path, place))
    return output ?? undefined
  }

  /** A name may lead to a program that the command itself has put into a folder of `PATH`, or to a link or a copy that it has made. */
  private programMeant(name: string, place: Place): string {
    const { files } = this.walk
    const folders = name.includes('/') ? [] : (place.variables.get('PATH')?.[0]?.text.split(':') ?? [])
    const candidates = folders.filter((folder) => folder.startsWith('/') && !folder.includes(UNKNOWN))
    const found = candidates
      .map((folder) => `${folder.replace(/(?<!\/)\/+$/, '')}/${name}`)
      .find((path) => files.standIns.has(path) || files.textOf(known(path), place) !== undefined)
    const path = found ?? name
    if (!path.includes('/') || place.cwd === undefined) return path
    return files.standIns.get(foldPath(joinPath(place.cwd, path))) ?? path
  }

  /** What lies on the disk is what the command finds, unless something before it may have changed that. */
  private lookAt(path: string, { cwd }: Place): ReturnType<LookAt> {
    const { flow, doubts, sources, files } = this.walk
    if (flow.maybe || doubts.reasons.size + sources.length > 0 || cwd === undefined) return undefined
    return files.untouchedAt(joinPath(cwd, path))
  }

  heed(name: string, value: Value, place: Place): void {
    const undecided = (why: string) => this.walk.doubts.add(why)
    const write = (target: Value, traits?: WriteTraits) => this.walk.files.write(target, 'modify', place, traits)
    const run = (text: string) => void this.walk.text(text, copyPlace(place), undefined)
    heedVariable(name, value, { cwd: place.cwd, root: this.walk.root, write, undecided, run })
  }
}

/** The text that is piped in; where none of it is known, none. */
function inputOf(stdin: Output): string | undefined {
  const text = stdin?.map((line) => line.text).join('\n')
  return text === undefined || text.replaceAll(UNKNOWN, '').trim() === '' ? undefined : text
}

function aliases({ assigns }: ShellCommand, place: Place, substitute: (script: ShellNode[]) => Output): Value[] {
  return assigns.map(({ name, value }) => {
    const { text } = expandOne(value, place, substitute)
    return known(`${name}=${text}`)
  })
}

/** What they start outlives the command, until it is waited for or ended. */
const DETACHES = new Set('setsid disown at batch systemd-run daemonize screen tmux coproc'.split(' '))
const ENDS_JOBS = new Set('wait kill pkill killall'.split(' '))

/** They change the shell they run in: its folder, variables, arguments. */
const OWN_WORDS = new Set([
  'alias',
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
