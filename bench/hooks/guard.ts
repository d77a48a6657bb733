import { execFileSync } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { payload } from './events.ts'
import { askHttp, type launcher, median } from './measure.ts'
import type { Home, Stage } from './stage.ts'

const INTENTS = 5000
const LEDGER_BYTES = 200 * 1024 * 1024
/** The one the agents work for; it lies in the middle. */
const CHOSEN = 'INT-2500'

/** What a permitted write costs with very many intents and a very long ledger, as a multiple of the same with one and none. */
export interface GuardRatios extends Record<Way, number> {
  /** As a multiple of a project without `.orchestration`, where the guard has nothing to do. */
  unguarded: Record<Way, number>
}

const WAYS = ['http', 'command', 'down'] as const
type Way = (typeof WAYS)[number]
const SIDES = ['none', 'one', 'many'] as const
type Side = (typeof SIDES)[number]
type Run = ReturnType<typeof launcher>['run']

/** Three copies of the project, asked in turns: whatever else the machine does meets all of them. */
export async function measureGuard(stage: Stage, run: Run, rounds: number): Promise<GuardRatios> {
  const places = Object.fromEntries(SIDES.map((side) => [side, prepare(stage, side)])) as Record<Side, string>
  const taken = new Map<string, number[]>()
  const note = (way: Way, side: Side, ms: number) =>
    taken.set(`${way}-${side}`, [...(taken.get(`${way}-${side}`) ?? []), ms])
  const input = join(stage.project, '..', 'payload.json')
  // The first round fills caches, of the machine and of Grove, and does not count.
  for (let round = 0; round <= rounds; round++) {
    const body = (way: Way, side: Side, n = 0) =>
      JSON.stringify(payload('pre-tool-use', sessionOf(way, side), `${way}-${side}-${round}-${n}`, places[side]))
    const process = async (way: 'command' | 'down', side: Side, { script, env }: Home) => {
      writeFileSync(input, body(way, side))
      const { cpuMs } = await run(script, ['pre-tool-use'], input, env)
      if (round > 0) note(way, side, cpuMs)
    }
    for (const side of turned(SIDES, round)) await process('command', side, stage.up)
    for (const side of turned(SIDES, round)) await process('down', side, stage.down)
    for (let n = 0; n < HTTP; n++) {
      for (const side of turned(SIDES, round + n)) {
        const ms = await askHttp(stage.webUrl, '/hooks/pre-tool-use', stage.token, body('http', side, n))
        if (round > 0) note('http', side, ms)
      }
    }
  }
  const times = (way: Way, side: Side) => median(taken.get(`${way}-${side}`)!)
  const ratios = (to: Side) =>
    Object.fromEntries(WAYS.map((way) => [way, times(way, 'many') / times(way, to)])) as Record<Way, number>
  return { ...ratios('one'), unguarded: ratios('none') }
}

const HTTP = 20

function sessionOf(way: Way, side: Side): string {
  return `guard-${way}-${side}`
}

/** By turns each is the first. */
function turned<T>(all: readonly T[], by: number): T[] {
  const at = by % all.length
  return [...all.slice(at), ...all.slice(0, at)]
}

/** A copy of the project with so many intents, one of them selected in every session that will ask. */
function prepare(stage: Stage, side: Side): string {
  const place = join(stage.project, '..', `guarded-${side}`)
  cpSync(stage.project, place, { recursive: true })
  if (side === 'none') return place
  const folder = join(place, '.orchestration')
  mkdirSync(folder)
  writeIntents(folder, side === 'many' ? INTENTS : 1)
  if (side === 'many') writeLedger(folder)
  for (const way of WAYS) {
    const { env } = way === 'down' ? stage.down : stage.up
    const grove = join(dirname(stage.client), 'grove.js')
    const args = ['intent', 'select', side === 'many' ? CHOSEN : 'INT-0', '--session', `bench-${sessionOf(way, side)}`]
    execFileSync(process.execPath, [grove, ...args], { cwd: place, env, stdio: 'ignore' })
  }
  return place
}

function writeIntents(folder: string, count: number) {
  const intents = Array.from({ length: count }, (_, i) => {
    const scope = count === 1 || `INT-${i}` === CHOSEN ? 'src/**' : `src/part-${i}/**`
    return `  - id: INT-${i}\n    name: Work number ${i}\n    status: active\n    owned_scope: [${scope}, test/part-${i}/**]\n    constraints: []\n    acceptance_criteria: [It works]\n`
  })
  writeFileSync(join(folder, 'active_intents.yaml'), `active_intents:\n${intents.join('')}`)
}

function writeLedger(folder: string) {
  const ledger = openSync(join(folder, 'agent_trace.jsonl'), 'w')
  for (let written = 0, n = 0; written < LEDGER_BYTES; n++) {
    const lines = Array.from({ length: 1000 }, (_, i) => `${JSON.stringify(record(n * 1000 + i))}\n`)
    written += writeSync(ledger, lines.join(''))
  }
  closeSync(ledger)
}

function record(n: number) {
  return {
    version: '0.1.0',
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    timestamp: '2026-01-01T00:00:00.000Z',
    vcs: { type: 'git', revision: '0'.repeat(40) },
    files: [
      {
        path: `src/part-${n % INTENTS}/file.ts`,
        conversations: [
          {
            contributor: { type: 'ai', model_id: 'a/b' },
            ranges: [{ start_line: 1, end_line: 9, content_hash: `sha256:${n}` }],
          },
        ],
      },
    ],
  }
}
