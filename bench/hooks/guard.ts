import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { payload } from './events.ts'
import { askHttp, type launcher, median } from './measure.ts'
import type { Stage } from './stage.ts'

const INTENTS = 5000
const LEDGER_BYTES = 200 * 1024 * 1024

/** How much slower the guard gets with very many intents and a very long ledger: ratios to the same project with neither. */
export interface GuardRatios {
  http: number
  command: number
  down: number
}

type Run = ReturnType<typeof launcher>['run']

export async function measureGuard(stage: Stage, run: Run, rounds: number): Promise<GuardRatios> {
  const folder = join(stage.project, '.orchestration')
  const few = await measure(stage, run, rounds, 'few')
  fill(folder)
  const many = await measure(stage, run, rounds, 'many')
  rmSync(folder, { recursive: true })
  return { http: many.http / few.http, command: many.command / few.command, down: many.down / few.down }
}

async function measure(stage: Stage, run: Run, rounds: number, name: string): Promise<GuardRatios> {
  const times = { http: [] as number[], command: [] as number[], down: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const body = (way: string, n = 0) =>
      JSON.stringify(payload('pre-tool-use', `${way}-${name}`, `${way}-${name}-${round}-${n}`, stage.project))
    const input = join(stage.project, '..', 'payload.json')
    writeFileSync(input, body('guard-command'))
    const command = await run(stage.up.script, ['pre-tool-use'], input, stage.up.env)
    writeFileSync(input, body('guard-down'))
    const down = await run(stage.down.script, ['pre-tool-use'], input, stage.down.env)
    const http: number[] = []
    for (let n = 0; n < 20; n++) {
      http.push(await askHttp(stage.webUrl, '/hooks/pre-tool-use', stage.token, body('guard-http', n)))
    }
    if (round === 0) continue
    times.http.push(...http)
    times.command.push(command.cpuMs)
    times.down.push(down.cpuMs)
  }
  return { http: median(times.http), command: median(times.command), down: median(times.down) }
}

function fill(folder: string) {
  mkdirSync(folder, { recursive: true })
  const intents = Array.from(
    { length: INTENTS },
    (_, i) =>
      `  - id: INT-${i}\n    name: Work number ${i}\n    status: active\n    owned_scope: [src/part-${i}/**, test/part-${i}/**]\n    constraints: []\n    acceptance_criteria: [It works]\n`,
  )
  writeFileSync(join(folder, 'active_intents.yaml'), `active_intents:\n${intents.join('')}`)
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
