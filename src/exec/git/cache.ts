import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { WorkPlace } from '#core/memory/branch.ts'
import type { StateStore } from '#core/ports/store.ts'
import type { Project } from '#core/session.ts'
import { workPlace } from './branches.ts'
import { projectAt } from './git.ts'
import { gitPlace, headRevision } from './head.ts'

/**
 * What git says about a folder, asked once for each state its repository is in. Starting git takes longer than most
 * hooks may, so the answers are kept in the store too: the next process need not ask either.
 */

const KIND = 'git'
/** Git looks in places that are not looked at here. */
const HOLDS_MS = 60 * 60_000
const MOST_KNOWN = 100

interface Needs {
  states: StateStore
  now: () => number
}

interface Known<T> {
  at: number
  stamp: string
  answer: T
}

/** The project that a folder belongs to. */
export function knownProjects(needs: Needs): (cwd: string) => Promise<Project> {
  return known('project', projectAt, projectStamp, needs)
}

/** Where the work in a folder is done. */
export function knownWorkPlaces(needs: Needs): (cwd: string) => Promise<WorkPlace> {
  return known('place', workPlace, placeStamp, needs)
}

function known<T>(
  about: string,
  ask: (cwd: string) => Promise<T>,
  stampOf: (cwd: string) => string | undefined,
  { states, now }: Needs,
): (cwd: string) => Promise<T> {
  const here = new Map<string, { stamp: string; at: number; answer: Promise<T> }>()

  async function find(cwd: string, stamp: string): Promise<T> {
    const key = `${about} ${cwd}`
    const kept = (await states.get(KIND, key).catch(() => undefined)) as Known<T> | undefined
    if (kept?.stamp === stamp && now() - kept.at < HOLDS_MS) return kept.answer
    const answer = await ask(cwd)
    const fresh: Known<T> = { at: now(), stamp, answer }
    // Only a shortcut: a store that cannot keep it costs time, and nothing else.
    await states.put(KIND, key, fresh, fresh.at).catch(() => undefined)
    return answer
  }

  return (cwd) => {
    const stamp = stampOf(cwd)
    if (stamp === undefined) return ask(cwd)
    const last = here.get(cwd)
    if (last?.stamp === stamp && now() - last.at < HOLDS_MS) return last.answer
    const answer = find(cwd, stamp)
    here.delete(cwd)
    here.set(cwd, { stamp, at: now(), answer })
    answer.catch(() => here.delete(cwd))
    if (here.size > MOST_KNOWN) here.delete(here.keys().next().value!)
    return answer
  }
}

/** Changes with the remotes, and with the first commit. */
function projectStamp(cwd: string): string | undefined {
  const place = gitPlace(cwd)
  if (!place) return undefined
  const isBegun = headRevision(cwd, place) !== undefined
  return [place.top, isBegun, timeOf(join(place.common, 'config')), ...usersFiles()].join(' ')
}

/** Changes with the branch, its last commit, the branches there are, and the settings. */
function placeStamp(cwd: string): string | undefined {
  const place = gitPlace(cwd)
  const head = place && headRevision(cwd, place)
  if (!place || head === undefined) return undefined
  const shared = ['config', 'packed-refs', 'refs/heads', 'refs/remotes/origin', 'refs/remotes/origin/HEAD']
  const files = [join(place.dir, 'HEAD'), ...shared.map((name) => join(place.common, name))]
  return [head, ...files.map(timeOf), ...usersFiles()].join(' ')
}

function usersFiles(): number[] {
  return [join(homedir(), '.gitconfig'), join(homedir(), '.config', 'git', 'config')].map(timeOf)
}

function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
