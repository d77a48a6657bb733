import { type Mode, setBench as setAnyBench } from './learning-bench.ts'

/** What the tests of the learning gate hand it: a ticket and its closing, a candidate, a session without tickets. */

export const lines = (count: number) => 'line\n'.repeat(count)
export const ticket = {
  id: 'app-7',
  title: 'Make the seed script idempotent',
  description: 'Running it twice must not fail.',
  status: 'in_progress',
  labels: ['database'],
}
export const beads = { '.beads/issues.jsonl': `${JSON.stringify(ticket)}\n` }
export const bash = (command: string, id = 't1') => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: id })
export const closes = bash('bd close app-7')
export const worked = { tool_response: { stdout: '✓ Closed app-7: done', stderr: '', interrupted: false } }
export const candidate = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  scope: 'project',
  confidence: 'high',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
  context_files: ['db/seed.ts'],
}
export const DAY = 24 * 60 * 60 * 1000

export const inSession = '[gate]\nask = "session"\n'

/** The gate works the same wherever it runs. */
export const PLACES = [
  { where: 'in a daemon', later: setImmediate },
  { where: 'alone', later: undefined },
]

export function benchesIn(later: Mode['later']) {
  const setBench = (files?: Record<string, string>, entrypoint = 'cli') => setAnyBench(files, { later, entrypoint })
  /** A session of a project without tickets that is asked about its own work. */
  const working = async (files: Record<string, string> = {}) => {
    const bench = await setBench({ '.grove/config.toml': inSession, ...files })
    await bench.hook('SessionStart', { source: 'startup' })
    return bench
  }
  return { setBench, working }
}
