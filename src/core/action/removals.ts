/** What a shell command takes away or moves, as written. A light look, as in `actions.ts`: enough to score it, not to guard it. */
export function removedBy(program: string, args: string[]): string[] {
  if (program === 'git') return removedByGit(args)
  if (program === 'find') return removesFound(args) ? foundIn(args) : []
  return REMOVES.has(program) ? places(args) : []
}

/** Builds, caches, installed packages and temporary files: throwing them away belongs to any task. */
export function isScratch(path: string): boolean {
  return TEMPORARY.test(path) || MADE.test(path) || (BUILT.test(path) && !SOURCE.test(path))
}

/** `rm` leaves nothing behind; `mv` changes the place it takes from and the one it puts to. */
const REMOVES = new Set(['rm', 'rmdir', 'unlink', 'shred', 'mv'])
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev)(?:\/|$)/
const MADE =
  /(?:^|\/)(?:node_modules|__pycache__|\.?venv|\.(?:next|nuxt|turbo|cache|parcel-cache|nyc_output|gradle|tox|[a-z]+_cache)|[^/]+\.(?:egg-info|pyc|log|tmp|tsbuildinfo)|\.DS_Store)(?:\/|$)/
/** Names that source folders have too: `src/build` is somebody's work. */
const BUILT = /(?:^|\/)(?:dist|build|out|target|coverage|tmp|temp)(?:\/|$)/
const SOURCE = /(?:^|\/)(?:src|lib|app)\//

function removedByGit([command = '', ...args]: string[]): string[] {
  if (command === '-C') {
    const [folder = '', ...rest] = args
    return removedByGit(rest).map((path) => (path.startsWith('/') ? path : `${folder}/${path}`))
  }
  const isTried = args.some((arg) => arg === '--dry-run' || /^-[a-z]*n/.test(arg))
  return ['rm', 'mv', 'clean'].includes(command) && !isTried ? places(args) : []
}

function removesFound(args: string[]): boolean {
  return args.some((arg, at) => arg === '-delete' || (arg.startsWith('-exec') && REMOVES.has(args[at + 1] ?? '')))
}

/** All of a folder, or what a test picks out of it. */
function foundIn(args: string[]): string[] {
  const end = args.findIndex((arg) => /^[-(!\\]/.test(arg))
  const isPicked = args.some((arg) => /^-(?!delete$|exec|type$|depth$|mindepth$|print)/.test(arg))
  const folders = places(args.slice(0, end))
  return isPicked ? folders.filter((folder) => folder !== '.').map((folder) => `${folder}/*`) : folders
}

/** Without options, redirections and what only the shell could tell. `src/*` is all of `src`. */
function places(args: string[]): string[] {
  const end = args.indexOf('--')
  return args
    .filter((arg, at) => (end >= 0 && at > end) || !arg.startsWith('-'))
    .filter((arg, at, all) => !/^\d*&?[<>]/.test(arg) && !/^\d*&?[<>]+$/.test(all[at - 1] ?? ''))
    .filter((arg) => arg !== '' && !/[$`{}]/.test(arg))
    .map((arg) => arg.replace(/(^|\/)\*+(?:\/\*+)*$/, '$1') || '.')
}
