import { reflect } from '../../src/supervisor/learning/reflect.ts'
import type { Bench } from './learning-bench.ts'

export const seed = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  scope: 'project',
  confidence: 'high',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
}

export const cookies = {
  ...seed,
  category: 'dependency',
  summary: 'The widget needs cookies with SameSite=None',
  detail: 'It is shown in an iframe of other sites, where Lax cookies are not sent.',
  tags: ['cookies'],
}

/** An agent hands them in, and leaves out which session it is. */
export const keep = (bench: Bench, ...candidates: unknown[]) =>
  reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates })

export const library = (bench: Bench) => bench.world.libraryAt(bench.root, bench.world.settingsAt(bench.root))
