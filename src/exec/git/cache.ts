import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { WorkPlace } from '#core/memory/branch.ts'
import type { Slot, StateStore } from '#core/ports/state.ts'
import type { Project } from '#core/session.ts'
import type { GitAnswer } from '#core/state/values.ts'
import { workPlace } from './branches.ts'
import { projectAt } from './git.ts'
import { gitPlace, headRevision } from './head.ts'

/**
 * Caches what git says about a folder until its repository changes. Starting git takes longer than most hooks may, so
 * the answers are kept in the store too, for the next process.
 */

/** When an answer expires all the same: git also reads places that the key does not cover. */
const HOLDS_MS = 60 * 60_000
const MOST_KNOWN = 100

interface Needs {
  states: StateStore
  slot: Slot<GitAnswer>
  now: () => number
}

/** One question to git. */
interface Question<T extends GitAnswer['answer']> {
  about: string
  ask(cwd: string): Promise<T>
  /** The cache key: differs whenever the answer may differ; undefined where that cannot be told. */
  stampOf(cwd: string): string | undefined
  isAnswer(kept: GitAnswer['answer']): kept is T
  /** Whether git really answered. On a busy machine it may have timed out, and that must not be cached. */
  isSaid?(answer: T, cwd: string): boolean
}

export interface GitCache {
  /** The project that a folder belongs to. */
  projectAt(cwd: string): Promise<Project>
  /** Where the work in a folder is done. */
  workPlaceAt(cwd: string): Promise<WorkPlace>
}

export function gitCache(needs: Needs): GitCache {
  const isProject = (kept: GitAnswer['answer']): kept is Project => 'root' in kept
  const isPlace = (kept: GitAnswer['answer']): kept is WorkPlace => !('root' in kept)
  const project = {
    about: 'project',
    ask: projectAt,
    stampOf: projectStamp,
    isAnswer: isProject,
    isSaid: isNamedIfBegun,
  }
  const place = { about: 'place', ask: workPlace, stampOf: placeStamp, isAnswer: isPlace }
  return { projectAt: known(project, needs), workPlaceAt: known(place, needs) }
}

function known<T extends GitAnswer['answer']>(
  { about, ask, stampOf, isAnswer, isSaid = () => true }: Question<T>,
  { states, slot, now }: Needs,
): (cwd: string) => Promise<T> {
  const here = new Map<string, { stamp: string; at: number; answer: Promise<T> }>()

  async function find(cwd: string, stamp: string): Promise<T> {
    const key = `${about} ${cwd}`
    // Trouble with the store costs the time of asking git.
    const kept = await states.get(slot, key).catch(() => undefined)
    if (kept?.stamp === stamp && now() - kept.at < HOLDS_MS && isAnswer(kept.answer)) return kept.answer
    const answer = await ask(cwd)
    if (!isSaid(answer, cwd)) {
      here.delete(cwd)
      return answer
    }
    const at = now()
    // A failed write only costs the next process time.
    await states.put(slot, key, { at, stamp, answer }, at).catch(() => undefined)
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

/** A repository with commits has a name that all of its clones share; only its path is known where git said nothing. */
function isNamedIfBegun({ id }: Project, cwd: string): boolean {
  const place = gitPlace(cwd)
  return !(id.startsWith('path:') && place && headRevision(cwd, place) !== undefined)
}

/** Stamps of repositories that had a commit: they keep it, and finding it takes longer than the rest. */
const begun = new Set<string>()

/** Changes with the remotes, and with the first commit. */
function projectStamp(cwd: string): string | undefined {
  const place = gitPlace(cwd)
  if (!place) return undefined
  const stamp = [place.top, timeOf(join(place.common, 'config')), ...usersFiles()].join(' ')
  if (begun.has(stamp)) return stamp
  if (headRevision(cwd, place) === undefined) return `${stamp} unborn`
  if (begun.size >= MOST_KNOWN) begun.clear()
  begun.add(stamp)
  return stamp
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
