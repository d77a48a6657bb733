import { isSecretFile } from '../intent/secret-file.ts'
import type { ShellRedirect } from './ast.ts'
import type { PathWrite, WriteKind, WriteTraits } from './call.ts'
import type { Doubts } from './doubts.ts'
import { asText, expandOne, type Place } from './expand.ts'
import type { ShellSetting } from './reading.ts'
import { contentOf, foldPath, joinPath, known, literal, type Output, UNKNOWN, type Value } from './values.ts'

/** What the command would have done to files so far. The command is read before it runs, so the disk shows the state before it. */
export class FileState {
  readonly writes: PathWrite[] = []
  /** Links that the command makes, with where they lead. */
  private readonly links: { path: string; to?: string }[] = []
  /** What the command itself has put into files, as far as it can be read. */
  private readonly contents = new Map<string, string | undefined>()
  /** Links to, and copies of, what lies elsewhere: `ln -s /usr/bin/tee show`. */
  readonly standIns = new Map<string, string>()
  /** Files that the command has written and that were read since. */
  private readonly read = new Set<string>()
  /** Programs that the command compiles, with their source. */
  readonly sources = new Map<string, string>()
  /** Archives that the command packs, with the names in them. */
  readonly archives = new Map<string, Value[]>()
  private readonly setting: ShellSetting
  private readonly doubts: Doubts

  /** Whether the part that is being followed may not run at all. */
  private readonly isMaybe: () => boolean

  constructor(setting: ShellSetting, doubts: Doubts, isMaybe: () => boolean) {
    this.setting = setting
    this.doubts = doubts
    this.isMaybe = isMaybe
  }

  write(target: Value | undefined, kind: WriteKind, place: Place, traits: WriteTraits = {}): undefined {
    if (!target || target.text === '') return
    if (target.text.startsWith(UNKNOWN)) {
      this.doubts.add('a path is only known when it runs')
      return
    }
    if (target.text.length > LONGEST_PATH || this.writes.length >= MOST_WRITES) {
      this.doubts.leaveUnread('more files, or longer paths, than can be followed')
      return
    }
    // Processes show folders there under other names.
    if (/^\/(?:proc|dev\/fd)\/.*\//.test(target.text)) {
      this.doubts.add('a path is only known when it runs')
      return
    }
    // Devices are no files; `/dev/shm` is a folder in memory with real ones.
    if (/^\/dev(?!\/shm\/)(\/|$)/.test(target.text)) return
    if (target.text.includes(UNKNOWN)) this.doubts.add('part of a path is only known when it runs')
    const isAbsolute = /^[/~]/.test(target.text)
    if (!isAbsolute && place.cwd === undefined) {
      this.doubts.add('the folder is only known when it runs')
      return
    }
    const written = target.text.replaceAll(UNKNOWN, '*')
    const path = isAbsolute ? written : joinPath(place.cwd!, written)
    // `app/[id]/page.tsx` names a new file: brackets that match nothing are letters to the shell.
    const isLive = target.text.includes(UNKNOWN) || (target.glob && !(kind === 'create' && !/[*?]/.test(written)))
    // Where the link itself goes, nothing is written through it.
    const isItself = kind === 'delete' || kind === 'move'
    const through = this.links.find((link) => (path === link.path && !isItself) || path.startsWith(`${link.path}/`))
    if (through) this.doubts.add('writes through a link that the command itself makes')
    const { linkTo, copyOf, ...kept } = traits
    const standsFor = linkTo ?? copyOf
    if (standsFor?.startsWith('/')) this.standIns.set(foldPath(path), standsFor)
    if (copyOf !== undefined && !traits.tree) this.contents.set(path, this.textOf(known(copyOf), place))
    if (through?.to !== undefined) {
      const landed = foldPath(through.to + path.slice(through.path.length))
      this.writes.push({ path: landed, written: landed, kind, ...kept })
    }
    if (traits.link) this.links.push({ path, ...(linkTo !== undefined && { to: linkedFrom(path, linkTo) }) })
    if (this.doubts.isMaking && kind === 'create' && !this.isThere(path)) {
      this.doubts.add('what a test or a build of the project makes', true)
      return
    }
    // Deleting what does not exist changes nothing, but may undo what this command has created before.
    if (kind === 'delete' && !isLive && !through && !this.hasRun && this.setting.isThere?.(path) === false) {
      if (!traits.maybe && !this.isMaybe()) this.takeBack(path)
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

  /** Drops the writes of a file that the command itself has created and now deletes. */
  private takeBack(path: string): void {
    const isMade = (write: PathWrite) =>
      write.path === path && !write.glob && !write.tree && !write.link && !write.moved
    for (let at = this.writes.length - 1; at >= 0; at--) if (isMade(this.writes[at]!)) this.writes.splice(at, 1)
  }

  /** What this command line itself has put there; undefined when it has not, or when the content cannot be told. */
  textWrittenTo(file: string): string | undefined {
    return this.contents.get(file)
  }

  /** Code that the command has written outside the project and that was not read yet, when it is among these words. */
  unreadCode(words: readonly Value[]): string[] {
    const { root = this.setting.cwd } = this.setting
    return Array.from(this.contents).flatMap(([file, text]) => {
      const [, name = '', ending = ''] = /^(.+)\.(\w+)$/.exec(file.slice(file.lastIndexOf('/') + 1)) ?? []
      if (text === undefined || this.read.has(file) || file.startsWith(`${root}/`) || !CODE.test(ending)) return []
      const isNamed = words.some(({ text: word }) => word.split(/[/=:.,\s]/).includes(name))
      if (isNamed) this.read.add(file)
      return isNamed ? [text] : []
    })
  }

  /** What a short script of the project says. */
  scriptAt(path: Value, place: Place): string | undefined {
    const name = path.origin ? undefined : literal(path)
    const isInstalled = name !== undefined && place.cwd !== undefined && this.isInstalled(joinPath(place.cwd, name))
    const text = isInstalled ? undefined : this.textOf(path, place)
    return text !== undefined && text.length <= LONGEST_SCRIPT ? text : undefined
  }

  /** A program that came from elsewhere: what it does depends on its arguments, and its text names far more than it touches. */
  private isInstalled(file: string): boolean {
    const { root = this.setting.cwd } = this.setting
    const isNear = [root, '/tmp', '/var/tmp'].some((folder) => file.startsWith(`${folder}/`))
    return !isNear || file.includes('/node_modules/')
  }

  /** What the command itself has written by then is not what lies there now; secrets are not for passing on. */
  textOf(path: Value, { cwd }: Place): string | undefined {
    if (path.origin && 'output' in path.origin) return asText(path.origin.output)
    const name = literal(path)
    if (name === undefined || cwd === undefined || isSecretFile(name)) return undefined
    const file = joinPath(cwd, name)
    this.read.add(file)
    const isWritten = this.contents.has(file) || this.writes.some((write) => write.path === file)
    return isWritten ? this.contents.get(file) : this.setting.textAt?.(file)
  }

  /** `cat > run.sh <<EOF`: what is run later by that name is read from here. */
  keepContents(redirects: ShellRedirect[], output: Output, place: Place): void {
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

  get hasRun(): boolean {
    return this.setting.hasRun === true
  }

  isThere(file: string): boolean | undefined {
    return this.writes.some((write) => write.path === file) || this.setting.isThere?.(file)
  }

  /** What lies there, as long as the command has not come near it. */
  untouchedAt(file: string): 'file' | 'folder' | 'nothing' | undefined {
    const isNear = ({ path, glob }: PathWrite) =>
      glob || path === file || path.startsWith(`${file}/`) || file.startsWith(`${path}/`)
    const isThere = this.writes.some(isNear) ? undefined : this.setting.isThere?.(file)
    if (isThere !== true) return isThere === false ? 'nothing' : undefined
    return this.setting.isFolder?.(file) ? 'folder' : 'file'
  }

  /** What a command reads from a file. */
  contentOf(path: Value, place: Place): Value {
    const text = this.textOf(path, place)
    return text === undefined || text.includes(UNKNOWN) ? contentOf(path) : known(text.replace(/\n$/, ''))
  }

  /** What the command did earlier counts for more than what lies on the disk now. */
  folderAt(path: string): boolean | 'either' | undefined {
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
}

const CODE =
  /^(?:py|[mc]?[jt]sx?|rb|php|p[lm]|t|sh|bash|java|kts?|scala|groovy|gradle|go|rs|c|cc|cpp|cs|fsx|swift|lua|r|jl|exs?|clj|hs|ml|dart|nim|zig|cr|mk|cmake|tcl)$/i

/** What Linux takes as a path. */
const LONGEST_PATH = 4096
/** Each is compared with those before it and looked up on the disk. */
const MOST_WRITES = 1000

/** A longer script does more than one thing, and much of it only under conditions that are not known here. */
const LONGEST_SCRIPT = 20_000

/** Where a link leads that lies at `path`. */
function linkedFrom(path: string, to: string): string {
  return foldPath(joinPath(path.slice(0, path.lastIndexOf('/')) || '/', to))
}
