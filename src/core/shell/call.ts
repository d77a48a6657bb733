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
}

export type WriteTraits = Pick<PathWrite, 'tree' | 'maybe' | 'folder' | 'link' | 'moved'>

/** One command about to run, with what it may ask and tell. */
export interface Call {
  name: string
  args: Value[]
  place: Place
  /** What is piped in, when that can be known. */
  stdin: Output
  /** The working tree's top folder, when known. */
  root: string | undefined
  write(target: Value | undefined, kind: WriteKind, traits?: WriteTraits): undefined
  undecided(why: string): undefined
  /** A variable is set for what runs next; some make programs run others. */
  heed(name: string, value: Value): void
  /** Runs another command line from here: wrappers, `xargs`, `find -exec`. */
  run(words: Value[], options?: { place?: Place; stdin?: Output }): Output
  /** Runs shell text from here: `bash -c`, `eval`, a heredoc fed to `sh`. */
  script(text: string, options?: { place?: Place; args?: Value[] }): Output
  /** Whether the path is a folder by now; undefined when there is no way to look. */
  isFolder(path: Value): boolean | 'either' | undefined
}

/** What a command does, given its arguments; it returns what it prints when that matters to the next command. */
export type Effect = (call: Call) => Output
