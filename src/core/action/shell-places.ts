import type { PathWrite } from '../shell/call.ts'
import { readOptions } from '../shell/options.ts'
import type { ShellReading } from '../shell/reading.ts'
import type { SimpleCommand } from '../shell/simple-command.ts'
import { baseName, isKnown, type Value } from '../shell/values.ts'
import { isFileName, looksLikePath, placed, under } from './paths.ts'
import { gitOptions } from './programs-run.ts'

/** Where a command line works, and what it takes away or moves. */
interface ShellPlaces {
  files: string[]
  folders: string[]
  removes: string[]
  /** Of these, what lies elsewhere in the project afterwards. */
  moves: string[]
  /** Of these, where it came to lie. */
  landed: string[]
  /** Where git puts back what was last committed. */
  restores: string[]
}

/** `start` is the folder that the reading began in: where a `cd` cannot be followed, it is the best guess. */
export function shellPlaces({ commands, writes }: ShellReading, start: string): ShellPlaces {
  const removes = [...writes.flatMap((write) => takenAway(write, start)), ...commands.flatMap(untracked)]
  const named = commands.flatMap((command) =>
    placesIn(command).map((place) => under(folderOf(command) ?? start, place)),
  )
  const landings = writes.filter(({ moved }) => moved)
  const places = [...named, ...removes.filter((place) => !/[*?[]/.test(place))]
  return {
    files: places.filter(isFileName),
    folders: places.filter((place) => !isFileName(place)),
    removes,
    moves: movedWithin(writes, landings, start),
    landed: landings.flatMap((write) => takenAway(write, start)),
    restores: commands.flatMap((command) => restoredBy(command, writes)),
  }
}

const PUTS_BACK = /^(?:checkout|restore|reset|clean)$/

/** `git checkout -- src`, `git restore a.ts`, `git reset --hard`: the places that the reader lists as `maybe` written. */
function restoredBy(command: SimpleCommand, writes: PathWrite[]): string[] {
  if (baseName(command.name) !== 'git') return []
  const [verb] = gitOptions(command).operands
  if (!PUTS_BACK.test(verb?.text ?? '')) return []
  return writes.filter(({ maybe, tree, glob }) => maybe && tree && !glob).map(({ path }) => path)
}

/** Commands whose first plain argument is a pattern or a program, not a path. */
const PATTERN_FIRST = new Set(['grep', 'rg', 'ag', 'egrep', 'sed', 'awk', 'perl', 'jq'])
/** Commands whose plain arguments are folders or files, whatever they look like. */
const TAKES_FOLDERS = new Set(['ls', 'cd', 'tree', 'mkdir', 'rmdir', 'rm', 'cp', 'mv', 'du', 'pushd', 'find'])
/** Commands whose plain arguments are files, with spaces in their names maybe. */
const TAKES_FILES = new Set(['cat', 'head', 'tail', 'less', 'wc', 'touch', 'stat', 'file', 'diff', 'bat', 'open'])

/** The words of a command that are places, as written. */
function placesIn({ name, args, redirects }: SimpleCommand): string[] {
  const program = baseName(name)
  const words = argumentsOf(program, args)
  const own = looksLikePath(name) && isFileName(name) ? [name] : []
  const values = words.flatMap((word, at) => {
    if (at === patternAt(program, words) || !isSpelledOut(word)) return []
    // `./pkg/...` is how some tools say: this folder and all below.
    const place = word.text.replace(/^--?[\w-]+=|\/\.{3}$/g, '')
    return isPlace(program, place) ? [place] : []
  })
  const files = redirects.filter((file) => isSpelledOut(file) && !/^\/dev\//.test(file.text)).map(({ text }) => text)
  return [...own, ...values, ...files]
}

function argumentsOf(program: string, args: Value[]): Value[] {
  if (program === 'git') return args.slice(args.findIndex(({ text }) => text === '--') + 1)
  if (program !== 'find') return args
  // The first option of `find` begins its tests and actions; the folders stand before it.
  const tests = args.findIndex(({ text }) => /^[-(!]/.test(text))
  return tests < 0 ? args : args.slice(0, tests)
}

function patternAt(program: string, words: Value[]): number {
  if (!PATTERN_FIRST.has(program) || words.some(({ text }) => /^-\w*[ef]$/.test(text))) return -1
  return words.findIndex(({ text }) => !text.startsWith('-'))
}

/** Nothing in it is left for the running shell to fill in. Brackets do not count: `app/[id]` is often a folder's real name. */
function isSpelledOut(word: Value): boolean {
  return isKnown(word) && !(word.glob && /[*?]/.test(word.text))
}

function isPlace(program: string, word: string): boolean {
  if (word.startsWith('-')) return false
  if (TAKES_FOLDERS.has(program)) return /^[\w@.~/ +()[\]-]*[\w.~/)\]]$/.test(word) && word !== '.'
  if (/\s/.test(word) && !(TAKES_FILES.has(program) && isFileName(word))) return false
  return looksLikePath(word) && !(program === 'git' && !isFileName(word))
}

/** The folder that the command's paths are relative to. */
function folderOf(command: SimpleCommand): string | undefined {
  const { name, cwd } = command
  const folder = baseName(name) === 'git' ? gitOptions(command).get('C') : undefined
  return folder && isSpelledOut(folder) && cwd !== undefined ? under(cwd, folder.text) : cwd
}

/** The path that a write deletes or moves away, or to which something is moved. */
function takenAway({ path, kind, glob, maybe, guessed, moved }: PathWrite, start: string): string[] {
  if ((kind !== 'delete' && kind !== 'move' && !moved) || guessed) return []
  // `git clean` alone may delete anything below the folder: no path can be named.
  if (!glob) return maybe && path === start ? [] : [path]
  // `src/*` is all of `src`, and so is what `find src` finds.
  const folder = path.replace(/(?:\/\*+)+$/, '')
  if (folder !== path) return [folder || '/']
  const picked = path.replace(/\/\*\*\/.*$/, '/*')
  return picked === `${start}/*` ? [] : [picked]
}

/** What is moved, and where it is moved to, if nothing of it leaves the project. */
function movedWithin(writes: PathWrite[], landings: PathWrite[], start: string): string[] {
  const isWithin = ({ path }: PathWrite) => !/^(?:[/~]|\.\.(?:\/|$))/.test(placed(path, start))
  if (landings.length === 0 || !landings.every(isWithin)) return []
  return writes.filter(({ kind, moved }) => kind === 'move' || moved).flatMap((write) => takenAway(write, start))
}

/** `git rm --cached` leaves the files where they lie, but takes them out of the repository. */
function untracked(command: SimpleCommand): string[] {
  if (baseName(command.name) !== 'git') return []
  const [verb, ...args] = gitOptions(command).operands
  if (verb?.text !== 'rm') return []
  const { has, operands } = readOptions(args)
  if (!has('cached') || has('n', 'dry-run')) return []
  return operands.filter(isSpelledOut).map(({ text }) => under(folderOf(command) ?? '.', text))
}
