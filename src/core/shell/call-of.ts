import type { Call, ContentSource } from './call.ts'
import type { Doubts } from './doubts.ts'
import { copyPlace, type Place } from './expand.ts'
import type { FileState } from './file-state.ts'
import { isRoutine, isTrial } from './routine.ts'
import { baseName, foldPath, joinPath, literal, type Output, UNKNOWN, type Value } from './values.ts'

/** What a command may ask of the reader that follows it. */
interface Walk {
  root: string | undefined
  files: FileState
  doubts: Doubts
  sources: ContentSource[]
  run(words: Value[], place: Place, stdin: Output): Output
  script(text: string, place: Place, stdin: Output, makes: true | undefined): Output
  heed(name: string, value: Value, place: Place): void
  define(name: string, text: string, place: Place): void
}

interface Given {
  name: string
  args: Value[]
  place: Place
  stdin: Output
  stdinFile: Value | undefined
}

/** A command about to run, for the table of commands. */
export function callOf(walk: Walk, { name, args, place, stdin, stdinFile }: Given): Call {
  const { files } = walk
  const atPath = <T>(path: Value, work: (file: string) => T): T | undefined => {
    const name = literal(path)
    return name === undefined || place.cwd === undefined ? undefined : work(foldPath(joinPath(place.cwd, name)))
  }
  const isTried = isTrial(baseName(name), args)
  return {
    stdinFile,
    namesIn: ({ from, cwd = place.cwd, ...source }) => {
      const names = from.map((one) => literal(one))
      if (cwd === undefined || names.length === 0 || names.some((name) => name === undefined)) return false
      walk.sources.push({ ...source, from: names.map((name) => name!), cwd })
      return true
    },
    name,
    args,
    place,
    stdin,
    root: walk.root,
    write: (target, kind, traits) => {
      // `cargo update --dry-run` names its lock file and leaves it alone.
      if (isTried) return undefined
      // As an argument it is what is printed; only a redirection makes a file of that name.
      if (target?.text === '-') return undefined
      return files.write(target, kind, place, traits)
    },
    undecided: (why, local) => walk.doubts.add(why, local !== undefined || isRoutine(name, args)),
    heed: (name, value) => walk.heed(name, value, place),
    run: (words, options = {}) => walk.run(words, options.place ?? place, 'stdin' in options ? options.stdin : stdin),
    script: (text, options = {}) => {
      const inside = options.place ?? place
      return walk.script(
        text,
        options.args ? { ...copyPlace(inside), args: options.args } : inside,
        stdin,
        options.makes,
      )
    },
    define: (name, text) => walk.define(name, text, place),
    textOf: (path) => files.textOf(path, place),
    textWrittenTo: (path) => {
      const name = literal(path)
      return name === undefined || place.cwd === undefined ? undefined : files.textWrittenTo(joinPath(place.cwd, name))
    },
    isMadeOf: (program, source) => atPath(program, (file) => source !== '' && files.sources.set(file, source)),
    sourceOf: (program) => atPath(program, (file) => files.sources.get(file)),
    packs: (archive, members) => atPath(archive, (file) => files.archives.set(file, members)),
    packedIn: (archive) => atPath(archive, (file) => files.archives.get(file)),
    hasRun: files.hasRun,
    isThere: (path) => {
      const name = literal(path)
      return name === undefined || place.cwd === undefined ? undefined : files.isThere(joinPath(place.cwd, name))
    },
    scriptAt: (path) => files.scriptAt(path, place),
    isFolder: (path) => {
      if (path.glob || path.text.includes(UNKNOWN) || place.cwd === undefined) return undefined
      return files.folderAt(joinPath(place.cwd, path.text).replace(/(?<!\/)\/+$/, ''))
    },
  }
}
