import { expect, it } from 'vitest'
import type { ToolUse } from '#core/turn.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { engine, engineForEach, store } from '../../../../test/support/start-engine.ts'
import { Engine, edit, postTool, SESSION, Talk } from '../../testing/engine.ts'

// What an agent has declared itself is evidence: what it names is expected, and what it does not name is pointed out.

engineForEach((store) => new Engine(store, heuristicJudge, { settings: { asksForPlan: true } }))

const PROMPT = 'Let people pay in instalments'
const declares = (files: string[], limits: string[] = []): ToolUse => ({
  id: 'toolu_declared',
  name: 'mcp__grove__declare_goal',
  input: { goal: 'Instalments for orders', files, limits },
})

it('is asked for with the prompt that begins a task, through hooks and proxy alike', async () => {
  const asked = await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT })
  expect(asked.hookSpecificOutput?.additionalContext).toContain('`declare_goal`')
  const forwarded = await new Talk(engine.supervisor, 'another').prompt(PROMPT).turn({ text: 'Hm.' })
  expect(forwarded).toContain('`declare_goal`')
})

it('is shown to the user, and holds for what comes after it', async () => {
  await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT })
  const told = await engine.hook(postTool(declares(['src/orders', 'db/schema.sql'])))
  expect(told.systemMessage).toContain('declared its goal: Instalments for orders, in src/orders, db/schema.sql.')
  await engine.hook(postTool(edit('src/orders/pay.ts', 'const instalments = 3')))
  const strayed = await engine.hook(postTool(edit('src/users/login.ts', 'const instalments = 3')))
  expect(strayed.hookSpecificOutput?.additionalContext).toContain('you declared to change src/orders, db/schema.sql')
  const levels = engine.events.flatMap((event) => (event.type === 'drift' ? [event.level] : []))
  expect(levels).toEqual(['correct'])

  await engine.hook(postTool({ ...declares(['src']), id: 'toolu_again' }))
  await engine.hook(postTool(edit('src/users/session.ts', 'const instalments = 3')))
  expect(engine.events.filter(({ type }) => type === 'drift')).toHaveLength(1)
  expect((await store.steps.recent(SESSION, 9)).map(({ tool }) => tool)).toContain('mcp__grove__declare_goal')
})

it('binds the agent to the limits that it has declared, and the user to none of them', async () => {
  await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT })
  const told = await engine.hook(postTool(declares(['src/orders'], ['Do not touch src/orders/legacy'])))
  expect(told.systemMessage).toContain('it will not go against: Do not touch src/orders/legacy.')
  await engine.hook(postTool(edit('src/orders/pay.ts', 'const instalments = 3')))
  const strayed = await engine.hook(postTool(edit('src/orders/legacy/pay.ts', 'const instalments = 3')))
  expect(strayed.hookSpecificOutput?.additionalContext).toContain(
    'you declared the limit “Do not touch src/orders/legacy”',
  )
  await engine.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Change src/orders/legacy/pay.ts as well.' })
  await engine.hook(postTool({ ...edit('src/orders/legacy/pay.ts', 'const instalments = 4'), id: 'toolu_asked' }))
  expect(engine.events.filter(({ type }) => type === 'drift')).toHaveLength(1)
})
