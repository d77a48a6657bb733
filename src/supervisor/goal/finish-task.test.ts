import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#core/ports/store.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { SLOTS } from '../state-slots.ts'
import { Engine, edit, PROJECT, SESSION, Talk } from '../testing/engine.ts'

const GOAL = 'Fix the token refresh in src/auth/token.ts. Do not touch src/styles.'

let store: Store
let engine: Engine
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' })
  engine = new Engine(store, heuristicJudge)
})
afterEach(() => store.close())

const memories = async () => (await store.memories.list(PROJECT, { limit: 9 })).toReversed()

describe('what is kept of finished work', () => {
  it('names files, functions, decisions with reasons and limits', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({
      text: 'I chose milliseconds because Date.now() gives them.',
      tools: [edit('src/auth/token.ts', 'export function refreshToken(expiry: number) {')],
    })
    await talk.turn({ text: "I've fixed refreshToken() in src/auth/token.ts. It requires a clock that runs." })
    expect(await memories()).toMatchObject([
      {
        status: 'complete',
        trigger: 'complete',
        reasoningTrace: expect.arrayContaining([expect.stringContaining('src/auth/token.ts: refreshToken')]),
        decisions: [{ choice: 'I chose milliseconds', reason: 'Date.now() gives them' }],
        constraints: expect.arrayContaining(['Do not touch src/styles', 'It requires a clock that runs.']),
        files: ['src/auth/token.ts'],
        tags: [],
      },
    ])
  })

  it('is what was valid; an agent that never came back leaves work to be looked at', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (const name of 'ab') await talk.turn({ tools: [edit(`src/styles/${name}.css`, name)] })
    await engine.hook({ hook_event_name: 'SessionEnd', reason: 'other' })
    expect(await memories()).toMatchObject([
      { status: 'abandoned', files: ['src/auth/token.ts'], tags: ['had-drift', 'needs-review'] },
    ])
    expect(JSON.stringify(await memories())).not.toContain('.css')
    // What was only needed while it was going on is gone; what was rejected stays on record.
    expect(await store.steps.recent(SESSION, 9)).toEqual([])
    expect(await store.tasks.current(SESSION)).toBeUndefined()
    expect(await store.states.get(SLOTS.session, SESSION)).toBeUndefined()
    expect(await store.driftEvents.ofSession(SESSION, 9)).toHaveLength(2)
  })

  it('is marked task by task: a subtask that went astray does not mark its parent', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    talk.prompt('First extract the clock into src/clock.ts. Do not touch src/styles.')
    await talk.turn({ tools: [edit('src/clock.ts', 'clock')] })
    await talk.turn({ tools: [edit('src/styles/a.css', 'a')] })
    await talk.turn({ tools: [edit('src/clock.ts', 'clock again')] })
    await talk.turn({ text: "I've extracted the clock." })
    await talk.turn({ text: 'Task complete.' })
    expect((await memories()).map(({ files, tags }) => [...files, ...tags])).toEqual([
      ['src/clock.ts', 'had-drift'],
      ['src/auth/token.ts'],
    ])
  })
})
