import { describe, expect, it } from 'vitest'
import type { Memory } from '#core/memory/memory.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { store, storeForEach } from '../../../../test/support/start-engine.ts'
import { activeWork } from '../../session/work.ts'
import { SLOTS } from '../../state-slots.ts'
import { Engine, edit, PROJECT, Talk } from '../../testing/engine.ts'

// What speaks for an action that looks off goal: the repository, and earlier work with a like goal.

const GOAL = 'Fix the token refresh in src/auth/token.ts'
/** Far from the goal by its words, and where the earlier work had to go as well. */
const STRAY = 'web/styles/theme.css'

let sessions = 0
storeForEach()

function memory(more: Partial<Memory> = {}): Memory {
  return {
    id: 'mem_earlier',
    projectId: PROJECT,
    instruction: 'Fix the token refresh',
    goal: 'Fix the token refresh',
    reasoningTrace: [],
    decisions: [],
    constraints: [],
    files: [STRAY],
    tags: [],
    status: 'complete',
    trigger: 'complete',
    createdAt: 1,
    ...more,
  }
}

const sure = { memoryId: 'mem_earlier', confidence: 0.9, why: '', shared: { words: 3, files: 0 } }

/** The scores of a few edits far from the goal, after one on it. */
async function scores(more: ConstructorParameters<typeof Engine>[2] = {}) {
  const engine = new Engine(store, heuristicJudge, more)
  const sessionId = `session-${++sessions}`
  const talk = new Talk(engine.supervisor, sessionId).prompt(GOAL)
  for (const text of ['return expiry < Date.now()', 'return refreshToken'])
    await talk.turn({ tools: [edit('src/auth/token.ts', text)] })
  for (const text of ['--accent: blue', '--margin: 2em', '--border: none'])
    await talk.turn({ tools: [edit(STRAY, text)] })
  const session = (await store.states.get(SLOTS.session, sessionId))!
  return { risk: activeWork(session)!.trail.risk, warnings: engine.warnings }
}

describe('earlier work with a like goal', () => {
  it('speaks for the files it touched', async () => {
    await store.memories.put(memory())
    const { risk: without } = await scores()
    let asked = 0
    const find = async () => {
      asked++
      return [sure]
    }
    const { risk: having } = await scores({ memory: { find } })
    expect(having).toBeLessThan(without)
    // Once for the prompt, and once for all that looked odd.
    expect(asked).toBe(2)
  })

  it.each([
    ['touched other files', memory({ files: ['src/other.ts'] }), sure],
    [
      'touched half the project',
      memory({ files: Array.from({ length: 60 }, (_, i) => `f${i}.ts`).concat(STRAY) }),
      sure,
    ],
    ['is itself in doubt', memory({ tags: ['needs-review'] }), sure],
    ['belongs to another project', memory({ projectId: 'other' }), sure],
    ['is hardly like it', memory(), { ...sure, confidence: 0.1 }],
    ['was found by its files alone', memory(), { ...sure, shared: { words: 0, files: 1 } }],
  ])('says nothing where it %s', async (_, earlier, found) => {
    const { risk: without } = await scores()
    await store.memories.put(earlier)
    const { risk } = await scores({ memory: { find: async () => [found] } })
    expect(risk).toBe(without)
  })
})

describe('trouble with what speaks for an action', () => {
  it('means that nothing does', async () => {
    const { risk: without } = await scores()
    const broken = async () => Promise.reject(new Error('broken'))
    const { risk, warnings } = await scores({ evidence: broken, memory: { find: broken } })
    expect(risk).toBe(without)
    expect(warnings.every((line) => /^could not .*; the agent goes on/.test(line))).toBe(true)
  })

  it('never keeps a score waiting for ever', async () => {
    const never = () => new Promise<never>(() => {})
    let asked = 0
    const find = async () => (++asked === 1 ? [] : never())
    const { risk } = await scores({ evidence: never, memory: { find } })
    expect(risk).toBeGreaterThan(0)
  })
})
