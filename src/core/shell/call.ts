import type { Place } from './expand.ts'
import type { Output, Value } from './values.ts'

/** How a path is changed. `create` may also replace what was there; `move` is the place a file leaves. */
export type WriteKind = 'create' | 'modify' | 'delete' | 'move'

/** One path a command writes. */
export interface PathWrite {
  /** Absolute, unless the folder is an unknown home; `..` is kept, because a link may stand before it. */
  path: string
  /** As the command spells it. */
  written: string
  kind: WriteKind
  /** The path has live wildcards (or a piece known only at run time, shown as `*`). */
  glob?: true
  /** A piece of the path is known only at run time. */
  guessed?: true
  /** Everything below the path too. */
  tree?: true
  /** Some of what the path covers, not surely all of it. */
  maybe?: true
  /** The path itself is a folder: `mkdir`, `rmdir`. */
  folder?: true
  /** The path becomes a link: what is written through it later lands elsewhere. */
  link?: true
  /** What comes to lie there is moved, not made. */
  moved?: true
  /** What an install or a build makes by the way: a lock file, a build folder. It is compared afterwards. */
  byproduct?: true
}

export type WriteTraits = Pick<PathWrite, 'tree' | 'maybe' | 'folder' | 'link' | 'moved' | 'byproduct'> & {
  /** Where the link leads, as it is spelled. */
  linkTo?: string
  /** What it is a copy of. */
  copyOf?: string
}

/**
 * Where it is written which files a command will write: a patch, an archive, commits, a stash. The reader of commands
 * does no I/O, so it only says where to look.
 */
export interface ContentSource {
  kind: 'patch' | 'tar' | 'zip' | 'cpio' | 'commits' | 'reverts' | 'stash' | 'branch' | 'merge' | 'diff' | 'tree'
  /** The file, or the names of commits. */
  from: string[]
  /** Absolute; what the names in it are counted from. */
  cwd: string
  /** How many folders are taken off the names. */
  strip?: number
  /** Where it is put, from `cwd`. */
  folder?: string
}

/** One command about to run, with what it may ask and tell. */
export interface Call {
  name: string
  args: Value[]
  place: Place
  /** What is piped in, when that can be known. */
  stdin: Output
  /** The file that its input is read from. */
  stdinFile?: Value | undefined
  /** The working tree's top folder, when known. */
  root: string | undefined
  /** Says where the names of the files that it writes can be read. False when that is only known when it runs. */
  namesIn(source: Omit<ContentSource, 'cwd' | 'from'> & { from: (Value | undefined)[]; cwd?: string }): boolean
  write(target: Value | undefined, kind: WriteKind, traits?: WriteTraits): undefined
  /** Only running it tells what it writes. `local`: nothing says that it writes at all, so that comparing afterwards is enough. */
  undecided(why: string, local?: 'local'): undefined
  /** A variable is set for what runs next; some make programs run others. */
  heed(name: string, value: Value): void
  /** Runs another command line from here: wrappers, `xargs`, `find -exec`. */
  run(words: Value[], options?: { place?: Place; stdin?: Output }): Output
  /** Runs shell text from here: `bash -c`, `eval`, a heredoc fed to `sh`. `makes`: of a test or a build, whose new files are its output. */
  script(text: string, options?: { place?: Place; args?: Value[]; makes?: true }): Output
  /** A name for shell text, to be used like a command. */
  define(name: string, text: string): void
  /** What a short script of the project says; undefined when it cannot be read, is long, or is written by this very command. */
  scriptAt(path: Value): string | undefined
  /** What a file of the project says, where it says it in letters; undefined as with `scriptAt`. */
  textOf(path: Value): string | undefined
  /** What this command line itself has written into a file by then; undefined when it has not, or when the content cannot be told. */
  textWrittenTo(path: Value): string | undefined
  /** A program is compiled from text of this very command line, and what it was compiled from. */
  isMadeOf(program: Value, source: string): void
  sourceOf(program: Value): string | undefined
  /** An archive that this very command line packs, and what the names in it are. */
  packs(archive: Value, members: Value[]): void
  packedIn(archive: Value): Value[] | undefined
  /** Whether it has run already, so that the disk shows what came of it. */
  hasRun: boolean
  /** Whether something lies there; undefined when there is no way to look. */
  isThere(path: Value): boolean | undefined
  /** Whether the path is a folder by now; undefined when there is no way to look. */
  isFolder(path: Value): boolean | 'either' | undefined
}

/** What a command does, given its arguments; it returns what it prints when that matters to the next command. */
export type Effect = (call: Call) => Output
