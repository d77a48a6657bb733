import { existsSync, realpathSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { environment } from '#config/load.ts'
import { plainText } from '#config/plain-file.ts'
import type { Ran, RunOptions } from '#core/ports/programs.ts'
import { behind } from '../file-hash.ts'
import { run } from '../spawn.ts'
import { commonOf, type GitPlace, gitPlace, headBranch, isWhereGitLooks } from './head.ts'
import { readSettings, usersVariables, withoutPrograms, withoutStarting } from './repository-programs.ts'

/** How git is started to look at a repository without starting anything that the repository names. */
export interface LookOnly {
  /** What stands before the command. */
  before: readonly string[]
  env: Record<string, string | undefined>
}

/**
 * No monitor, no hooks, no check of signatures, no pager, no lists of names and orders that may be endless, and no lock that
 * the user's own git would run into.
 */
const BEFORE = [
  '--no-optional-locks',
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'log.showSignature=false',
    'log.mailmap=false',
    'diff.orderFile=/dev/null',
  ].flatMap((one) => ['-c', one]),
]
/**
 * Missing objects are not fetched: git would do so from where the repository says, by the program that it names. Git
 * before 2.45 does not know the first of these variables, and fails because no protocol is allowed.
 */
const NO_FETCH = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' }

/**
 * Settings are examined only where one of these words occurs: a copied folder, or an agent, may bring some that name a program,
 * other files or another folder. What starts no program with the options that `withoutStarting` gives is not among them.
 */
const MAY_NAME_PROGRAMS = /filter|include|extensions|hook|attributesfile|worktree/i
/** Files with more settings, which may change without a change of these. */
const NAMES_FILES = /include/i
const LARGEST = 256 * 1024
/** Room for the settings of twenty thousand branches. Git is not asked about a repository with more: it would take seconds each time. */
const MOST_SETTINGS = BigInt(2 * 1024 * 1024)
/** Of a file that holds one path. */
const MOST_OF_A_PATH = BigInt(16 * 1024)
const MOST_KNOWN = 100

/** By repository: the variables that switch its programs off. */
const known = new Map<string, { stamp: string; off: Promise<Record<string, string>> }>()

/** How long a look that timed out, or ended at a pipe, is not repeated: each would keep a hook waiting. */
const REST_MS = 15_000
const stuckUntil = new Map<string, number>()

/** Runs git in a folder to look at its repository. It fails, at once, where there is no folder, and where git itself would wait or has just waited. */
export async function look(folder: string, args: string[], options: RunOptions & { timeoutMs: number }): Promise<Ran> {
  if (!behind(folder)?.isDirectory()) return NOT_LOOKED
  const place = placeOf(folder)
  const key = place?.top ?? folder
  if ((place && waitsFor(place)) || performance.now() < (stuckUntil.get(key) ?? 0)) return NOT_LOOKED
  const { before, env } = await lookOnly(folder)
  const begin = performance.now()
  const whole = [...before, '-C', folder, ...withoutStarting(args)]
  const ran = await run('git', whole, { env, endsAtPipes: true, ...options })
  const saidNothing = performance.now() - begin >= options.timeoutMs || ran.stdout === ''
  if (ran.signal !== null && saidNothing && !options.signal?.aborted) {
    if (stuckUntil.size >= MOST_KNOWN) stuckUntil.clear()
    stuckUntil.set(key, performance.now() + REST_MS)
  }
  return ran
}

const NOT_LOOKED: Ran = { code: null, signal: null, stdout: '', stderr: '' }

/**
 * Files that git opens for every command: a pipe in their place would block it, a device would be read without end, and what is
 * meant to be small and is not keeps it for seconds, each time.
 */
function waitsFor({ top, dir, common }: GitPlace): boolean {
  const at = (folder: string, names: string[], most?: bigint) =>
    names.map((name) => ({ file: join(folder, name), most }))
  const opened = [
    ...at(top, ['.gitignore', '.gitattributes', '.gitmodules', '.mailmap'], MOST_SETTINGS),
    ...at(dir, ['HEAD', 'commondir'], MOST_OF_A_PATH),
    ...at(dir, ['config.worktree'], MOST_SETTINGS),
    ...at(dir, ['index']),
    ...at(common, ['config', 'info/exclude', 'info/attributes', 'objects/info/alternates'], MOST_SETTINGS),
    ...at(common, ['packed-refs', 'shallow', join('refs', 'heads', headBranch(top) ?? '')]),
  ]
  return opened.some(({ file, most }) => {
    const found = behind(file)
    if (found === undefined || found.isDirectory()) return false
    return !found.isFile() || (most !== undefined && found.size > most)
  })
}

/** What stays the same is read again when the settings of the repository change. */
export async function lookOnly(folder: string): Promise<LookOnly> {
  const place = placeOf(folder)
  const off = place ? await withoutItsPrograms(place, folder) : {}
  return { before: BEFORE, env: { ...usersVariables(environment()), ...NO_FETCH, ...off } }
}

/** Whether git could find a repository here. Where it could not, asking it costs three processes that say so. */
export function isInRepository(folder: string): boolean {
  return behind(folder)?.isDirectory() === true && placeOf(folder) !== undefined
}

/** Git begins where the folder really lies, and takes a folder that is a repository itself before one around it. */
function placeOf(folder: string): GitPlace | undefined {
  const real = behind(folder) ? realpathSync.native(folder) : folder
  return barePlace(real) ?? gitPlace(real)
}

function withoutItsPrograms(place: GitPlace, folder: string): Promise<Record<string, string>> {
  const files = [join(place.common, 'config'), join(place.dir, 'config.worktree')]
  if (!isWhereGitLooks(place) || files.some((file) => names(NAMES_FILES, file))) return readPrograms(place, folder)
  const stamp = files.map(stampOf).join(' ')
  const before = known.get(place.dir)
  if (before?.stamp === stamp) return before.off
  const off = files.some((file) => names(MAY_NAME_PROGRAMS, file)) ? readPrograms(place, folder) : Promise.resolve({})
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(place.dir, { stamp, off })
  return off
}

/** A folder that is a repository itself, as git takes it for one; its settings may give it a work tree, and filters. */
function barePlace(folder: string): GitPlace | undefined {
  for (let dir = resolve(folder); dirname(dir) !== dir && !existsSync(join(dir, '.git')); dir = dirname(dir))
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(dir, name))))
      return { top: dir, dir, common: commonOf(dir) }
  return undefined
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.ctimeMs}:${stat.size}` : '-'
}

function names(what: RegExp, file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return false
  const text = plainText(file, { most: LARGEST })
  return text === undefined || what.test(text)
}

/** Git then fails: what it would start is not known. */
const NO_REPOSITORY = { GIT_DIR: devNull }

/** Lists git's settings from the folder in which the next commands run, so that git finds the same files. */
async function readPrograms({ top }: GitPlace, folder: string): Promise<Record<string, string>> {
  const { code, stdout } = await run('git', [...BEFORE, '-C', folder, 'config', '--list', '--show-scope', '-z'], {
    env: { ...usersVariables(environment()), ...NO_FETCH },
    timeoutMs: 5000,
    endsAtPipes: true,
  })
  if (code !== 0) return NO_REPOSITORY
  const found = readSettings(stdout)
  const off = withoutPrograms(found)
  const settings = off.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  // A repository that puts its work tree somewhere else would have files there read, and taken for its own.
  const here = found.some(({ scope, key }) => scope !== 'global' && key === 'core.worktree')
  return {
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(off.length),
    ...(here && { GIT_WORK_TREE: top }),
  }
}
