import { loadConfig } from '../../../src/config/load.ts'
import { openWorld } from '../../../src/daemon/compose/world.ts'
import { reflect } from '../../../src/supervisor/learning/reflect.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

const of = (category: string, summary: string, detail: string, files: string[], tags: string[]) => ({
  category,
  summary,
  detail,
  criteria_met: ['behavior_changing'],
  tags,
  context_files: files,
})

const CANDIDATES = [
  of(
    'pitfall',
    'Run the migrations before the seed script',
    'The seed script inserts into tables that only `npm run db:migrate` creates; without it every test of stock fails.',
    ['src/stock/count.ts'],
    ['database', 'tests'],
  ),
  of(
    'pitfall',
    'Freeze the clock with clock.ts in tests of manifests',
    'The close time is rounded to minutes; a real clock makes close.test.ts fail about once in forty runs.',
    ['test/manifest/close.test.ts'],
    ['tests', 'time'],
  ),
  of(
    'convention',
    'Money is kept as integers of cents, never as floats',
    'Rounding happens once, in vat(), because two roundings differ from the tax office by a cent.',
    ['src/invoice/tax.ts'],
    ['money'],
  ),
  of(
    'domain',
    'Handhelds number their scans, and the server ignores numbers it has seen',
    'A handheld repeats what it has not been told of; only the number tells a repetition from a second parcel.',
    ['src/stock/count.ts'],
    ['offline'],
  ),
]

const LATER = [
  of(
    'pitfall',
    'Do not run the migrations before the seed script',
    'Since the seed script was rewritten it creates its own tables, and migrations before it clash with them.',
    ['src/stock/count.ts'],
    ['database'],
  ),
  {
    ...of('pitfall', 'Tests should be written carefully', 'Be careful with the tests, they matter a lot here.', [], []),
    criteria_met: [],
  },
  { summary: 'fixed it' },
]

/** What agents have learned in the project, what was turned down, and one contradiction that waits for a person. */
export async function seedLearnings(home: string, cwd: string): Promise<void> {
  const config = loadConfig({ env: { GROVE_HOME: home }, cwd })
  const world = openWorld({ config, log: silent })
  const learning = await world.learning()
  await reflect(learning, { cwd, sessionId: 'b41f7c09-0000-4000-8000-000000000000', candidates: CANDIDATES })
  await reflect(learning, { cwd, sessionId: 'b41f7c09-0000-4000-8000-000000000001', candidates: LATER })
  await world.close()
}
