import { it } from 'vitest'
import { openSync, writeSync, closeSync, statSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { guarded, intentsYaml } from '/work/main/test/support/guarded.ts'
import { traceWorld } from '/work/main/src/daemon/guard.ts'
import { loadConfig } from '/work/main/src/config/load.ts'
import { recordOf } from '/work/main/src/core/trace/record.ts'
import { sha256 } from '/work/main/src/exec/file-hash.ts'
import { traceBlame } from '/work/main/src/supervisor/guard/trace-blame.ts'
import { traceLog } from '/work/main/src/supervisor/guard/trace-log.ts'
import { traceVerify } from '/work/main/src/supervisor/guard/trace-verify.ts'
it('big', async ({ onTestFinished }) => {
  const files: Record<string, string> = { '.orchestration/active_intents.yaml': intentsYaml({ a: ['**'] }) }
  for (let f = 0; f < 500; f++) files[`src/f${f}.ts`] = Array.from({ length: 200 }, (_, i) => `export const value_${f}_${i} = compute(${i})`).join('\n')
  const g = await guarded(onTestFinished, files)
  const ledger = join(g.dir, '.orchestration/agent_trace.jsonl')
  const h = openSync(ledger, 'w')
  let written = 0, n = 0
  while (written < 200 * 1024 * 1024) {
    const lines: string[] = []
    for (let k = 0; k < 500; k++, n++) {
      const f = n % 2000
      const after = Array.from({ length: 20 }, (_, i) => `export const value_${f}_${(n * 7 + i) % 400} = compute(${(n * 7 + i) % 400})`).join('\n')
      lines.push(JSON.stringify(recordOf({ id: crypto.randomUUID(), at: 1.7e12 + n, grove: { version: '1' }, session: `s${n % 50}`, tool: 'Edit', toolUseId: `toolu_${n}`, intent: `INT-${n % 5000}`, model: 'claude-opus-4-8', revision: 'a'.repeat(40), files: [{ path: `src/f${f}.ts`, change: 'modify', before: '', after, mutation: { class: 'INTENT_EVOLUTION', why: 'x' } }] }, sha256)) + '\n')
    }
    written += writeSync(h, lines.join(''))
  }
  closeSync(h)
  console.log('records', n, statSync(ledger).size)
  const world = traceWorld(loadConfig({ env: { GROVE_HOME: g.home }, cwd: g.home }))
  const t = async (label: string, work: () => Promise<unknown>) => { const s = performance.now(); const r = await work(); console.log(label, Math.round(performance.now() - s), 'ms', JSON.stringify(r)?.slice(0, 120)) }
  await t('log', () => traceLog(world, g.governed, { limit: 20 }))
  await t('index cold', () => traceLog(world, g.governed, { limit: 20, intent: 'INT-42' }))
  await t('log intent', () => traceLog(world, g.governed, { limit: 20, intent: 'INT-42' }))
  await t('blame', () => traceBlame(world, g.governed, 'src/f7.ts'))
  await t('recentOf', () => g.world.ledger.recentOf(g.governed, 'INT-42', 10))
  await t('verify', async () => { const v = await traceVerify(world, g.governed, { revision: (await world.git.revision(g.dir, 'HEAD'))! }); return [v.lines, v.records.goneCount] })
  console.log(readdirSync(join(g.home, 'cache')).map((f) => [f, statSync(join(g.home, 'cache', f)).size]), process.memoryUsage().rss / 1e6)
}, 300000)
