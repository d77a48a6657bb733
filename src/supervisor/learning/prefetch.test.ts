import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setBench, spoken, told } from '../../../test/support/learning-bench.ts'
import { reflect } from './reflect.ts'

const candidate = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
  context_files: ['db/seed.ts'],
}

/** A daemon that counts how often it asks git how much was changed. */
async function setUp() {
  const bench = await setBench(
    { 'src/cart.test.ts': 'export {}\n', '.grove/config.toml': '[gate]\nask = "session"\n' },
    { later: setImmediate },
  )
  const { ownLines } = bench.world.changes
  const counts = { looks: 0 }
  bench.world.changes.ownLines = (...given) => {
    counts.looks++
    return ownLines(...given)
  }
  const transcript = join(bench.home, 'transcript.jsonl')
  writeFileSync(transcript, '')
  const tells = (id: string) => {
    const block = { type: 'tool_use', id, name: 'Write', input: { file_path: 'src/cart.test.ts', content: 'x' } }
    appendFileSync(transcript, spoken('cli', block))
    return { tool_name: 'Write', tool_input: block.input, tool_use_id: id, transcript_path: transcript }
  }
  const stop = () => bench.hook('Stop', { transcript_path: transcript })
  await bench.hook('SessionStart', { source: 'startup', transcript_path: transcript })
  return { bench, counts, tells, stop }
}

describe('a daemon', () => {
  it('has counted what was changed before the agent wants to stop', async () => {
    const { bench, counts, tells, stop } = await setUp()
    bench.write('src/cart.test.ts', 'line\n'.repeat(40))
    await bench.hook('PostToolUse', tells('t1'))
    await expect.poll(() => counts.looks).toBe(1)
    expect(told(await stop())).toContain('You changed 41 lines')
    expect(counts.looks).toBe(1)
  })

  it('counts again when a tool has run since, whether a hook told of it or only the transcript', async () => {
    const { bench, counts, tells, stop } = await setUp()
    await bench.hook('PostToolUse', tells('t1'))
    await expect.poll(() => counts.looks).toBe(1)
    bench.write('src/cart.test.ts', 'line\n'.repeat(40))
    tells('t2')
    expect(told(await stop())).toContain('You changed 41 lines')
  })

  it('does not wait for a look that has not begun', async () => {
    const { bench, tells, stop } = await setUp()
    bench.write('src/cart.test.ts', 'line\n'.repeat(40))
    await bench.hook('PostToolUse', tells('t1'))
    expect(told(await stop())).toContain('You changed 41 lines')
  })

  it('chooses learnings by the files it saw last, and makes up for others with the first prompt', async () => {
    const { bench } = await setUp()
    await reflect(bench.world, { cwd: bench.root, candidates: [candidate] })
    bench.write('.grove/config.toml', '[retrieval]\nstrategy = "conservative"\n')
    bench.write('db/seed.ts', 'export {}\n')
    const start = await bench.hook('SessionStart', { session_id: 's2', source: 'startup' })
    expect(start).toEqual({})
    const prompt = await bench.hook('UserPromptSubmit', { session_id: 's2', prompt: 'Go on with the work' })
    expect(prompt.hookSpecificOutput?.additionalContext).toContain('Run the migrations')
    const next = await bench.hook('SessionStart', { session_id: 's3', source: 'startup' })
    expect(next.hookSpecificOutput?.additionalContext).toContain('Run the migrations')
  })

  it('looks anew when something was committed', async () => {
    const { bench } = await setUp()
    await reflect(bench.world, { cwd: bench.root, candidates: [candidate] })
    bench.write('.grove/config.toml', '[retrieval]\nstrategy = "conservative"\n')
    bench.write('db/seed.ts', 'export {}\n')
    bench.git('add', 'db/seed.ts')
    const start = await bench.hook('SessionStart', { session_id: 's2', source: 'startup' })
    expect(start.hookSpecificOutput?.additionalContext).toContain('Run the migrations')
  })
})
