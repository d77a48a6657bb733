import type { Environment } from '../process/environment.ts'

/**
 * Settings of a repository that make git start a program, and what is said instead. The user's own settings hold; those that
 * came with the repository, or that an agent wrote into it, do not.
 */

export interface GitSetting {
  /** Where it is set: `system` and `global` are the user's, `local` and `worktree` the repository's. */
  scope: string
  key: string
  value: string
}

/** `git config --list --show-scope -z`: scope, then key and value with a line end between. */
export function readSettings(listing: string): GitSetting[] {
  const fields = listing.split('\0')
  const settings: GitSetting[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const entry = fields[at + 1]!
    const line = entry.indexOf('\n')
    const [key, value] = line < 0 ? [entry, 'true'] : [entry.slice(0, line), entry.slice(line + 1)]
    settings.push({ scope: fields[at]!, key, value })
  }
  return settings
}

/** What to set so that no program of the repository runs; later entries win, as in git's own files. */
export function withoutPrograms(settings: readonly GitSetting[]): [key: string, value: string][] {
  const isOwn = ({ scope }: GitSetting) => scope === 'local' || scope === 'worktree'
  const own = settings.filter(isOwn)
  const users = settings.filter((setting) => !isOwn(setting))
  return [
    ...filters(own),
    ...own.filter(({ key }) => /^merge\..+\.driver$/.test(key)).map(({ key }): [string, string] => [key, TEXT_MERGE]),
    ...helpers(own, users),
    ...sshCommand(own, users),
    ...otherEnds(own),
    ...hooks(own),
    ...attributes(own, users),
    ...own.filter(({ key }) => NAMED.test(key)).map(({ key }): [string, string] => [key, '']),
  ]
}

/** Git's built-in text merge. With an empty driver git would take one side and report success. */
const TEXT_MERGE = 'git merge-file %A %O %B'
const NAMED = /^(?:core\.(?:gitproxy|alternaterefscommand)|remote\..+\.proxy|lfs\..+\.path)$/

/** Programs started at the other end of a connection, which is this machine when the address is a path. */
function otherEnds(own: readonly GitSetting[]): [string, string][] {
  return own.flatMap(({ key }): [string, string][] => {
    const end = /^remote\..+\.(upload|receive)pack$/.exec(key)?.[1]
    return end ? [[key, `git-${end}-pack`]] : []
  })
}

/** Without git-lfs large files stay pointers; these are the settings with which it installs itself. */
const LFS = new Set(['git-lfs clean -- %f', 'git-lfs smudge -- %f', 'git-lfs filter-process'])
const LFS_PROGRAMS = /^lfs\.(?:customtransfer|extension|standalonetransferagent|.*\.standalonetransferagent)/

function filters(own: readonly GitSetting[]): [string, string][] {
  const trustsLfs = !own.some(({ key }) => LFS_PROGRAMS.test(key))
  const off = own.filter(
    ({ key, value }) => /^filter\..+\.(?:clean|smudge|process)$/.test(key) && !(trustsLfs && LFS.has(value)),
  )
  return off.flatMap(({ key }): [string, string][] => [
    [key, ''],
    [key.replace(/\.[^.]+$/, '.required'), 'false'],
  ])
}

/** Hooks that the settings themselves name, as git knows them from 2.54 on. */
function hooks(own: readonly GitSetting[]): [string, string][] {
  const names = new Set(own.flatMap(({ key }) => /^hook\.(.+)\.[^.]+$/.exec(key)?.[1] ?? []))
  return [...names].map((name) => [`hook.${name}.enabled`, 'false'])
}

/** Git reads this file line by line, and a device is a line without end. */
function attributes(own: readonly GitSetting[], users: readonly GitSetting[]): [string, string][] {
  const isFile = ({ key }: GitSetting) => key === 'core.attributesfile'
  return own.some(isFile) ? [['core.attributesfile', users.filter(isFile).at(-1)?.value ?? '']] : []
}

/** An empty entry forgets all helpers before it; then the user's come again. */
function helpers(own: readonly GitSetting[], users: readonly GitSetting[]): [string, string][] {
  const isHelper = ({ key }: GitSetting) => /^credential(?:\..+)?\.helper$/.test(key)
  const foreign = own.filter(isHelper)
  if (foreign.length === 0) return []
  const forgotten = foreign.map(({ key }): [string, string] => [key, ''])
  return [...forgotten, ...users.filter(isHelper).map(({ key, value }): [string, string] => [key, value])]
}

/** Choosing a key for one repository is common, and starts nothing but ssh; other signs mean something to the shell that git asks. */
const PLAIN_SSH = /^ssh(?: -i [\w./~+@:,=%][\w./~+@:,=%-]*| -o IdentitiesOnly=yes| -p \d+)*$/

function sshCommand(own: readonly GitSetting[], users: readonly GitSetting[]): [string, string][] {
  const isCommand = ({ key }: GitSetting) => key === 'core.sshcommand'
  const last = own.filter(isCommand).at(-1)
  if (!last || PLAIN_SSH.test(last.value)) return []
  return [['core.sshcommand', users.filter(isCommand).at(-1)?.value ?? 'ssh']]
}

const NO_DIFF_PROGRAMS = ['--no-ext-diff', '--no-textconv']
/** Git starts another git in each submodule, with the settings of that one, to see whether it is as committed. */
const NO_SUBMODULES = '--ignore-submodules=dirty'
const OPTIONS: Record<string, readonly string[]> = {
  status: [NO_SUBMODULES],
  diff: [...NO_DIFF_PROGRAMS, NO_SUBMODULES],
  'diff-files': [...NO_DIFF_PROGRAMS, NO_SUBMODULES],
  'diff-index': [...NO_DIFF_PROGRAMS, NO_SUBMODULES],
  'diff-tree': NO_DIFF_PROGRAMS,
  log: NO_DIFF_PROGRAMS,
  show: NO_DIFF_PROGRAMS,
}

/** Arguments of git, with the options by which its command starts no program that settings alone cannot switch off. */
export function withoutStarting(args: readonly string[]): string[] {
  const at = args.findIndex((arg, n) => !arg.startsWith('-') && args[n - 1] !== '-c')
  const options = OPTIONS[args[at] ?? ''] ?? []
  return [...args.slice(0, at + 1), ...options, ...args.slice(at + 1)]
}

/** Variables of git that are the user's own; the others would point it at another repository, index or program. */
const USERS =
  /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|SSH|SSH_COMMAND|SSL_\w+|EXEC_PATH|HTTP_\w+)$/

export function usersVariables(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') || USERS.test(name)),
  )
}
