import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Config } from './config.ts'
import { privateFolder } from './private-folder.ts'

/** In the home of a demo: what it plays now. */
export const SCENE_FILE = 'demo.json'

/** Everything that lies under the home folder. */
export interface Paths {
  home: string
  config: string
  database: string
  /** One file per running listener of the daemon: its pid and address. */
  run: string
  /** The file with the secret that browsers and tools are let in by. */
  token: string
  socket: string
  /** Where a proxy that runs without the web page answers hooks, for the process that has the other socket. */
  proxySocket: string
  logs: string
  log: string
}

/** Where things lie, given the settings. */
export function pathsOf({ home, log }: Pick<Config, 'home' | 'log'>): Paths {
  const logs = log.dir ?? join(home, 'logs')
  return {
    home,
    config: join(home, 'config.toml'),
    database: join(home, 'grove.db'),
    run: join(home, 'run'),
    token: join(home, 'token'),
    socket: socketPath(home),
    proxySocket: socketPath(home, 'grove-proxy'),
    logs,
    log: log.file ?? join(logs, 'grove.log'),
  }
}

/** The current folder. One that was removed since still has its name, so commands that need no folder go on. */
export function workingFolder({ PWD }: Record<string, string | undefined>): string {
  try {
    return process.cwd()
  } catch {
    return PWD || '/'
  }
}

/** `~/x` and relative paths made absolute. */
export function absolute(path: string, cwd: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1))
  return resolve(cwd, path)
}

/** Unix sockets have a short limit (104 bytes on macOS, 108 on Linux, with the ending zero), so a deep home gets one in this user's own temporary folder. */
export function socketPath(home: string, name = 'grove'): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}-${shortHash(home)}`
  const inside = join(home, `${name}.sock`)
  return Buffer.byteLength(inside) < 104 ? inside : join(privateFolder(), `${name}-${shortHash(home)}.sock`)
}

/** Loaded on use: the hook client starts with every tool call, and rarely needs it. */
function shortHash(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** The nearest folder upwards that holds `.grove` or `.git`; Grove's own home folder does not make a project. */
export function projectRoot(cwd: string, home: string): string | undefined {
  const isHome = (folder: string) => folder === home || folder === join(homedir(), '.grove')
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const marked = join(folder, '.grove')
    if (existsSync(join(folder, '.git')) || (existsSync(marked) && !isHome(marked) && isOwnPlace(marked))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * Whether configuration in this folder may be trusted: not in another user's folder, nor in a shared place such as the
 * temporary folder or above the user's home.
 */
export function isOwnPlace(marked: string): boolean {
  const folder = dirname(marked)
  if ([homedir(), tmpdir()].some((shared) => shared.startsWith(folder === '/' ? '/' : `${folder}/`))) return false
  if (folder === tmpdir()) return false
  if (leadsOut(marked, folder)) return false
  const uid = process.getuid?.()
  return uid === undefined || statSync(marked, { throwIfNoEntry: false })?.uid === uid
}

/** A link that leads nowhere leads to no place outside. */
function leadsOut(marked: string, folder: string): boolean {
  try {
    if (!lstatSync(marked).isSymbolicLink()) return false
    return !realpathSync(marked).startsWith(`${realpathSync(folder)}/`)
  } catch {
    return false
  }
}

/** The configuration file of a project. */
export function projectConfigFile(root: string): string {
  return join(root, '.grove', 'config.toml')
}

/** A path as people write it. */
export function tilde(path: string): string {
  const home = homedir()
  return path === home || path.startsWith(`${home}/`) ? join('~', path.slice(home.length)) : path
}
