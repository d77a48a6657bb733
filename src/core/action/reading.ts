import { redact } from '../redact/redact.ts'
import type { ShellReading } from '../shell/reading.ts'
import type { ActionKind, EarlierWork, Step } from '../step.ts'
import { pathsItSaysToWrite, type Told, type ToolInput } from './input.ts'
import { type Invocation, invocationsOf } from './invocations.ts'
import { folderOf, placed } from './paths.ts'
import { gitDeedsIn, programsRun } from './programs-run.ts'
import { isScratch } from './scratch.ts'
import { shellPlaces } from './shell-places.ts'
import { anyCommandLineOf, commandLineOf, isHarmless, toldBy, toolNamed } from './tools.ts'

/** One call of a tool, wherever it was seen. */
export interface ToolCall {
  id?: string | undefined
  tool: string
  input: ToolInput
  outcome: Outcome
}

/** `announced` calls are about to run, or it is not known yet what became of them. */
export type Outcome = 'announced' | 'ran' | 'failed' | 'denied'

/** Where a call is made from. */
export interface CallPlace {
  cwd?: string | undefined
  /** The working tree's top folder. */
  root?: string | undefined
}

/** What a tool call does, worked out once and shared by all parts. */
export interface ToolReading extends ToolRecord {
  outcome: Outcome
  /** It surely changes no file. */
  readsOnly: boolean
  /** Files and folders that are taken away or moved, as a whole and scratch aside; `.` is the whole working directory. */
  removes?: string[]
  /** Of what it removes, that which lies elsewhere in the project afterwards. */
  moves?: string[]
  /** What a command line runs: programs, and git's subcommands as `git stash pop`. Empty for other tools. */
  programs: string[]
  /** The same with all their words, secrets aside: what a command line does besides writing files is decided by it. */
  invocations: Invocation[]
  /** Files and folders that it changes for sure, removals included and scratch aside. */
  changes: string[]
  /** Where it puts back what was last committed; `.` is the whole working directory. */
  restores?: string[]
  earlierWork?: EarlierWork
  effect: ToolEffect
}

/** What is kept of a call: without secrets, paths relative to the working directory, always with forward slashes. */
export interface ToolRecord extends Pick<Step, 'tool' | 'files' | 'folders' | 'command' | 'query' | 'excerpt'> {
  kind: ActionKind
}

/** How the files that a call changes can be known. It is as the agent wrote it, secrets included: decide by it, never keep it. */
export type ToolEffect =
  | { kind: 'none' }
  | { kind: 'files'; paths: string[] }
  | { kind: 'shell'; command: string; inBackground: boolean; script: ShellReading }
  /** Seen only afterwards. `paths` are those that the tool seems to say it writes. */
  | { kind: 'unknown'; paths: string[] }

/** Reads a command line; needed for calls that have one (`anyCommandLineOf`). */
export type ReadShell = (
  command: string,
  at: { cwd: string; root?: string | undefined; hasRun?: boolean | undefined },
) => ShellReading

/** The drift scorer learned from excerpts of this length. */
const EXCERPT_CHARS = 260
/** No system starts a command of more characters. */
const LONGEST_SHOWN = 256 * 1024
/** Longer than any secret that begins in the excerpt. */
const READ_CHARS = 5000
/** A secret that begins in the excerpt and is neither a key block nor a single word ends before this. */
const NEAR_CHARS = 2 * EXCERPT_CHARS

/** What a call does, before anything of it is made fit to be kept. */
export interface ReadEffect {
  effect: ToolEffect
  told: Told
  script?: ShellReading
}

/** The effect of a call, which is all that a decision about it needs. Unknown tools are understood by the names of their inputs. */
export function readEffect(call: ToolCall, at: CallPlace, readShell: ReadShell): ReadEffect {
  const line = commandLineOf(call.tool, call.input)
  const script = line === undefined ? undefined : shellAt(call, at, readShell)(line)
  const told = script ? {} : toldBy(call.tool, call.input)
  return { effect: effectOf(call, script, told), told, ...(script && { script }) }
}

function shellAt({ outcome }: ToolCall, { cwd = '.', root }: CallPlace, readShell: ReadShell) {
  return (command: string) => readShell(command, { cwd, root, hasRun: outcome === 'ran' })
}

/** In a container or on another machine: none of this disk's scripts lies there. */
function shellElsewhere(readShell: ReadShell) {
  return (command: string) => readShell(command, { cwd: '/' })
}

/** What a call does, or would do. */
export function readToolCall(
  call: ToolCall,
  at: CallPlace,
  readShell: ReadShell,
  { effect, told, script }: ReadEffect = readEffect(call, at, readShell),
): ToolReading {
  const { tool, input, outcome } = call
  const { cwd } = at
  const line = commandLineOf(tool, input)
  const said =
    line !== undefined && script
      ? saidByScript(line, script, cwd ?? '.', {
          here: shellAt(call, at, readShell),
          elsewhere: shellElsewhere(readShell),
        })
      : saidByInput(call, told, shellElsewhere(readShell))
  const files = known(said.files, cwd)
  const folders = unique([...known(said.folders, cwd), ...files.map(folderOf)]).filter((path) => path !== '')
  // A tool of another server that says it writes a file is a write like any other.
  const isForeignWrite = toolNamed(tool).kind === 'mcp' && effect.kind === 'unknown' && effect.paths.length > 0
  // One that names no file names folders, or moves something: all that it names counts as taken away.
  const shownAt = (paths: string[] = []) => unique(paths.map((path) => redact(placed(path, cwd)) || '.'))
  const taken = isForeignWrite && files.length === 0 ? effect.paths : said.removes
  const removes = shownAt(taken).filter((path) => !isScratch(path))
  const moves = shownAt(said.moves).filter((path) => removes.includes(path))
  const written = known(changedBy(effect), cwd).filter((path) => !isScratch(path) && isShown(path, line, said.command))
  const changes = unique([...written, ...removes])
  const restores = shownAt(said.restores)
  const gone = removes.filter((path) => !moves.includes(path))
  const landed = shownAt(said.landed).filter((path) => moves.includes(path))
  const moved = moves.filter((path) => !landed.includes(path))
  const restored = script && throwsAway(script) ? restores : []
  const earlierWork = script && earlierWorkOf({ removed: gone, moved, landed, restored, git: gitDeedsIn(script) })
  // Before it is cut: half a secret is not recognised any more.
  const excerpt = said.excerpt && redact(aroundExcerpt(said.excerpt)).slice(0, EXCERPT_CHARS)
  return {
    tool,
    kind: isForeignWrite ? 'write' : toolNamed(tool).kind,
    outcome,
    readsOnly: effect.kind === 'none' || script?.readOnly === true,
    files,
    folders,
    ...(removes.length > 0 && { removes }),
    ...(moves.length > 0 && { moves }),
    programs: script ? programsRun(script) : [],
    invocations: said.invocations ?? [],
    changes,
    ...(restores.length > 0 && { restores }),
    ...(earlierWork && { earlierWork }),
    ...(said.command && { command: said.command }),
    ...(said.query && { query: redact(said.query) }),
    ...(excerpt && { excerpt }),
    effect,
  }
}

/** `git clean` alone takes away what was never committed, and leaves the changes of the rest. */
function throwsAway(script: ShellReading): boolean {
  return programsRun(script).some((program) => /^git (?:checkout|restore|reset)$/.test(program))
}

function earlierWorkOf(all: Required<EarlierWork>): EarlierWork | undefined {
  const some = Object.entries(all).filter(([, list]) => list.length > 0)
  return some.length > 0 ? Object.fromEntries(some) : undefined
}

/** As much of a text as it takes to recognise every secret that begins in its excerpt. */
function aroundExcerpt(text: string): string {
  const most = text.slice(0, READ_CHARS)
  const near = most.slice(0, NEAR_CHARS)
  if (near.includes('-----BEGIN')) return most
  const rest = most.slice(NEAR_CHARS).search(/\s/)
  return rest < 0 ? most : most.slice(0, NEAR_CHARS + rest)
}

/** What may be kept of a reading. */
export function recordOf({ tool, kind, files, folders, command, query, excerpt }: ToolReading): ToolRecord {
  return {
    tool,
    kind,
    files,
    folders,
    ...(command && { command }),
    ...(query && { query }),
    ...(excerpt && { excerpt }),
  }
}

function effectOf({ tool, input }: ToolCall, script: ShellReading | undefined, told: Told): ToolEffect {
  if (isHarmless(tool)) return { kind: 'none' }
  if (toolNamed(tool).changes === 'its file') return { kind: 'files', paths: told.files ?? [] }
  const command = commandLineOf(tool, input)
  if (command === undefined || !script) return { kind: 'unknown', paths: pathsItSaysToWrite(tool, input) }
  const inBackground = input.run_in_background === true || toolNamed(tool).goesOn === true
  return { kind: 'shell', command, inBackground, script }
}

interface Said extends Told {
  command?: string
  invocations?: Invocation[]
  removes?: string[]
  moves?: string[]
  landed?: string[]
  restores?: string[]
}

/** What a call surely writes, as it says so itself; what a command only may write is found by comparing the work tree. */
function changedBy(effect: ToolEffect): string[] {
  if (effect.kind === 'none') return []
  if (effect.kind !== 'shell') return effect.paths
  return effect.script.writes
    .filter(({ glob, guessed, maybe, folder }) => !glob && !guessed && !maybe && !folder)
    .map(({ path }) => path)
}

/** A password may look like a file that a command writes: where it holds one, only what the rest of it names is kept. */
function isShown(path: string, line = '', shown = line): boolean {
  return shown === line || shown.includes(path.slice(path.lastIndexOf('/') + 1))
}

function saidByInput({ tool, input }: ToolCall, told: Told, read: (line: string) => ShellReading): Said {
  const line = anyCommandLineOf(tool, input)
  if (!line) return told
  const command = redact(line)
  // Of a line for another shell it is known what it runs, as far as it is written alike.
  const invocations = line.length > LONGEST_SHOWN ? [] : invocationsOf(read(command), read)
  return { ...told, command, invocations }
}

/** A password in it may look like a path, so what is kept or shown is read without its secrets. */
function saidByScript(
  command: string,
  script: ShellReading,
  start: string,
  read: Record<'here' | 'elsewhere', (line: string) => ShellReading>,
): Said {
  // What is too long to be read is too long to be shown.
  if (command.length > LONGEST_SHOWN) return { command: redact(aroundExcerpt(command)), ...shellPlaces(script, start) }
  const shown = redact(command)
  const told = shown === command ? script : read.here(shown)
  return { command: shown, invocations: invocationsOf(told, read.elsewhere), ...shellPlaces(told, start) }
}

/** Paths as the project knows them; the working directory itself is none. */
function known(paths: string[] = [], cwd: string | undefined): string[] {
  return unique(unique(paths).map((path) => redact(placed(path, cwd)))).filter((path) => path !== '')
}

function unique(values: string[]): string[] {
  return [...new Set(values)]
}
