import { statSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '#config/load.ts'
import { plainText } from '#config/plain-file.ts'
import { run } from '../spawn.ts'
import { type GitPlace, gitPlace } from './head.ts'
import { readSettings, withoutPrograms } from './repository-programs.ts'

/** How git is started to look at a repository without starting anything that the repository names. */
export interface LookOnly {
  /** What stands before the command. */
  before: readonly string[]
  /** Only where the repository's own settings name programs. */
  env?: Record<string, string | undefined>
}

/** No monitor, no hooks, no check of signatures, no pager, and no lock that the user's own git would run into. */
const BEFORE = [
  '--no-optional-locks',
  '--no-pager',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false'].flatMap((one) => ['-c', one]),
]
const PLAIN: LookOnly = { before: BEFORE }

/** A clone brings no settings, but a copied folder does, and an agent can write them; hardly any names a program. */
const MAY_NAME_PROGRAMS = /filter|include|extensions/i
const LARGEST = 256 * 1024
const MOST_KNOWN = 100

const known = new Map<string, { stamp: string; how: Promise<LookOnly> }>()

/** The same for a folder until the settings of its repository change. */
export async function lookOnly(folder: string): Promise<LookOnly> {
  const place = gitPlace(folder)
  if (!place) return PLAIN
  const files = [join(place.common, 'config'), join(place.dir, 'config.worktree')]
  const stamp = files.map(stampOf).join(' ')
  const before = known.get(place.dir)
  if (before?.stamp === stamp) return before.how
  const how = files.some(mayNamePrograms) ? withoutItsPrograms(place) : Promise.resolve(PLAIN)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(place.dir, { stamp, how })
  return how
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs}:${stat.size}` : '-'
}

function mayNamePrograms(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return false
  return MAY_NAME_PROGRAMS.test(plainText(file, { most: LARGEST }) ?? 'include')
}

async function withoutItsPrograms({ top }: GitPlace): Promise<LookOnly> {
  const { stdout } = await run('git', [...BEFORE, '-C', top, 'config', '--list', '--show-scope', '-z'], {
    timeoutMs: 5000,
  })
  const off = withoutPrograms(readSettings(stdout))
  if (off.length === 0) return PLAIN
  const settings = off.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    before: BEFORE,
    env: { ...environment(), ...Object.fromEntries(settings), GIT_CONFIG_COUNT: String(off.length) },
  }
}
