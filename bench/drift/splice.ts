/**
 * More drifted cases from the given ones, under their host's id: the run in an on-goal task's zone is replaced by a run of another task of the
 * same fold that shares no file, no file name and no telling goal word with it.
 */
import { gistOf, splitPath, stems, weight } from '#core/drift/gist.ts'
import { randomFrom } from './boost.ts'
import type { Case } from './data.ts'

const COPIES = 2
const TRIES = 60
const TELLING = 0.55

export function spliceForeignRuns(cases: Case[], folds: string[], seed = 5): Case[] {
  const random = randomFrom(seed)
  const tasks = cases
    .map((one, i) => ({ one, fold: folds[i]!, ...marksOf(one) }))
    .filter(({ one }) => one.label.kind === 'on')
  return tasks.flatMap((host) => {
    const donors = tasks.filter((task) => task !== host && task.fold === host.fold)
    const made: Case[] = []
    for (let tries = 0; tries < TRIES && made.length < COPIES && donors.length > 0; tries++) {
      const donor = donors[Math.floor(random() * donors.length)]!
      if (meet(host.goal, donor.goal) || meet(host.files, donor.files)) continue
      // Work in the same folder is harder to tell apart, so it is preferred.
      if (!meet(host.dirs, donor.dirs) && random() < 0.4) continue
      const run = runOf(donor.one, random() < 0.5 ? donor.one.label.onset : random(), host.one.label.k)
      if (run.length > 2) made.push(splice(host.one, run))
    }
    return made
  })
}

function marksOf({ traj }: Case) {
  const gists = traj.actions.flatMap((action) => gistOf(action) ?? [])
  return {
    goal: new Set(stems(traj.goal).filter((word) => weight(word) > TELLING)),
    files: new Set(
      gists.flatMap((g) => (g.base.some((word) => weight(word) > 0.5) ? [g.path, g.stem] : [g.path || '-'])),
    ),
    dirs: new Set(
      gists.filter((g) => g.kind === 'edit' || g.kind === 'write').map((g) => splitPath(g.path).dirs.join('/')),
    ),
  }
}

function meet(a: Set<string>, b: Set<string>): boolean {
  return [...a].some((x) => x !== '' && x !== '-' && b.has(x))
}

/** A run from the given step, or (a fraction) from somewhere in the task where a file is first visited. */
function runOf({ traj }: Case, from: number, length: number) {
  const firstVisit = (i: number) => {
    const { path } = traj.actions[i]!
    return path !== undefined && traj.actions.findIndex((action) => action.path === path) === i
  }
  let start = from >= 1 ? from : Math.floor(from * Math.max(1, traj.actions.length - 3))
  if (from < 1) while (start < traj.actions.length - 2 && !firstVisit(start)) start++
  return traj.actions.slice(start, start + length)
}

function splice({ traj, label }: Case, run: Case['traj']['actions']): Case {
  const zone = run.map((action) => {
    const role = gistOf(action)?.role
    return role === 'source' || role === 'test' ? 1 : -1
  })
  const steps = [...label.steps.slice(0, label.onset), ...zone]
  return {
    traj: { ...traj, actions: [...traj.actions.slice(0, label.onset), ...run] },
    label: { ...label, kind: 'drift', level: 'mid', k: run.length, steps, zone },
  }
}
