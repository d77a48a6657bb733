import { describe, expect, it } from 'vitest'
import { setBench, told } from '../../test/support/learning-bench.ts'
import { learningTools } from './learning-tools.ts'

const candidate = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'The seed script inserts into tables that only `npm run db:migrate` creates.',
  criteria_met: ['behavior_changing'],
  tags: ['database'],
}

async function tools() {
  const bench = await setBench()
  const call = (name: string, input: object, caller: object = {}) => {
    const tool = learningTools(bench.world).find((one) => one.name === name)!
    return tool.handle(tool.input.parse(input), { cwd: bench.root, ...caller })
  }
  return { bench, call }
}

describe('the tools of the learning gate', () => {
  it('let an agent reflect, and say what became of each candidate', async () => {
    const { bench, call } = await tools()
    await bench.hook('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'bd close a-1' }, tool_response: {} })
    expect(told(await bench.hook('Stop'))).toContain('mcp__grove__reflect')
    const answer = await call('reflect', { candidates: [candidate, { category: 'x' }] }, { sessionId: 's1' })
    expect(answer).toMatch(/^Kept lrn_\w+: Run the migrations before the seed script\nNot kept: category must be/)
    expect(answer).toContain('You may finish now.')
    expect(await bench.hook('Stop')).toEqual({})
  })

  it('take the same input as the command, the session included', async () => {
    const { bench, call } = await tools()
    for (const session_id of ['s1', 's2']) await bench.hook('SessionStart', { session_id, source: 'startup' })
    await call('reflect', { session_id: 's1', candidates: [candidate] }, { sessionId: 's2' })
    expect((await bench.session('s1'))?.gate.status).toBe('reflected')
    expect((await bench.session('s2'))?.gate.status).toBe('idle')
  })

  it('say what to correct when nothing could be kept', async () => {
    const { call } = await tools()
    expect(await call('reflect', { candidates: [5] })).toEqual({
      error: expect.stringContaining('must be a JSON object'),
    })
  })

  it('let it skip with a reason', async () => {
    const { bench, call } = await tools()
    await bench.hook('SessionStart', { source: 'startup' })
    expect(await call('skip', { reason: 'only a version bump' })).toBe('Noted. You may finish now.')
  })

  it('let subagents leave notes', async () => {
    const { bench, call } = await tools()
    await bench.hook('SessionStart', { source: 'startup' })
    await call('observe', { note: 'The order of middlewares matters' }, { sessionId: 's1', agentId: 'a1' })
    expect((await bench.session())?.observations).toMatchObject([
      { note: 'The order of middlewares matters', agentId: 'a1' },
    ])
  })

  it('find what was learned', async () => {
    const { call } = await tools()
    await call('reflect', { candidates: [candidate] })
    expect(await call('search_learnings', { query: 'database' })).toContain('Run the migrations')
    expect(await call('search_learnings', { query: 'quantum' })).toBe('Nothing was learned about that yet.')
  })
})
