import { beforeEach, expect, it } from 'vitest'
import type { Found } from '#core/ports/memory.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { GOAL, store, storeForEach } from '../../../../test/support/start-engine.ts'
import { memoryOf } from '../../../../test/support/team-memories.ts'
import { SLOTS } from '../../state-slots.ts'
import { Engine, edit, PROJECT, postTool, SESSION, Talk } from '../../testing/engine.ts'

const found: Found = { memoryId: 'mem_1', confidence: 0.9, why: 'words', shared: { words: 3, files: 1 } }

storeForEach()
beforeEach(async () => {
  await store.memories.put(memoryOf('mem_1', 1, 'ada', { projectId: PROJECT, goal: 'The token refresh was fixed' }))
})

function engineWith(settings: { remember?: boolean; perSession?: number }) {
  const folders: string[] = []
  const settingsAt = (cwd: string) => {
    folders.push(cwd)
    return { remember: true, perSession: 5, confidence: 0.5, ...settings }
  }
  const engine = new Engine(store, heuristicJudge, { memory: { find: async () => [found], settingsAt } })
  return { engine, folders }
}

it('a project that remembers nothing leaves no memory, and no text once the session is over', async () => {
  const { engine, folders } = engineWith({ remember: false })
  const talk = new Talk(engine.supervisor).prompt(GOAL)
  await talk.turn({ text: 'I chose milliseconds because of the issuer.', tools: [edit('src/auth/token.ts')] })
  await talk.turn({ tools: [edit('src/styles/a.css')] })
  expect(await store.steps.recent(SESSION, 9)).not.toEqual([])
  expect(await store.driftEvents.ofSession(SESSION, 9)).not.toEqual([])
  expect(await store.injections.ofSession(SESSION, 9)).not.toEqual([])
  await engine.hook({ hook_event_name: 'SessionEnd', reason: 'other' })
  await engine.supervisor.idle()

  expect(await store.memories.list(undefined, { limit: 9 })).toMatchObject([{ id: 'mem_1' }])
  expect(await store.tasks.ofSession(SESSION)).toEqual([])
  expect(await store.steps.recent(SESSION, 9)).toEqual([])
  expect(await store.driftEvents.ofSession(SESSION, 9)).toEqual([])
  expect(await store.injections.ofSession(SESSION, 9)).toEqual([])
  expect(await store.states.get(SLOTS.session, SESSION)).toBeUndefined()
  expect(await store.states.get(SLOTS.endedSession, SESSION)).toBeUndefined()
  expect(new Set(folders)).toEqual(new Set(['/repo/app']))
  expect(engine.warnings).toEqual([])
})

it('a project that remembers keeps it, from hooks alone too', async () => {
  const { engine } = engineWith({})
  await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: GOAL })
  await engine.hook(postTool(edit('src/auth/token.ts')))
  await engine.hook({ hook_event_name: 'SessionEnd', reason: 'other' })
  expect(await store.memories.count(PROJECT)).toBe(2)
  expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)
})

it.each(['hooks', 'the proxy'])('a project that is shown nothing is shown nothing, through %s', async (through) => {
  const said = async (perSession: number) => {
    const { engine } = engineWith({ perSession })
    if (through === 'the proxy') {
      const talk = new Talk(engine.supervisor, `session-${perSession}`).prompt('Test the token refresh in src/auth')
      return (await talk.turn({ text: 'ok' })).includes('The token refresh was fixed')
    }
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'Test the token refresh in src/auth' }
    const answer = await engine.hook({ ...prompt, session_id: `session-${perSession}` })
    return JSON.stringify(answer).includes('The token refresh was fixed')
  }
  expect([await said(5), await said(0)]).toEqual([true, false])
})

it('something has to come first: the task that seemed to be over goes on, and its part ends before it', async () => {
  const { engine } = engineWith({})
  const say = (prompt: string) => engine.hook({ hook_event_name: 'UserPromptSubmit', prompt })
  const close = (words: string) => engine.hook({ hook_event_name: 'Stop', last_assistant_message: words })
  await say('Add a dark mode to src/settings.ts')
  await engine.hook(postTool(edit('src/settings.ts', 'dark')))
  await close('The colours are in the way.')
  await say('First extract the colours into src/colours.ts')
  await engine.hook(postTool(edit('src/colours.ts', 'colours')))
  await close('The colours are extracted now.')
  await say('Go on')
  await engine.hook(postTool({ ...edit('src/settings.ts', 'dark mode'), id: 'toolu_more' }))
  await close('The dark mode is done.')
  const tasks = await store.tasks.ofSession(SESSION)
  expect(tasks.map(({ kind, status }) => [kind, status])).toEqual([
    ['main', 'completed'],
    ['subtask', 'completed'],
  ])
  expect(tasks[1]?.parentId).toBe(tasks[0]?.id)
})
