import { describe, expect, it } from 'vitest'
import { engine, engineForEach, store } from '../../../../test/support/start-engine.ts'
import { SLOTS } from '../../state-slots.ts'
import { sweepStates } from '../../sweep-idle.ts'
import { bash, edit, PROJECT, SESSION, Talk } from '../../testing/engine.ts'

engineForEach()

describe('tasks', () => {
  it('follow the user: subtask, its end, and back to the parent', async () => {
    const talk = new Talk(engine.supervisor).prompt('Add dark mode to src/settings.ts')
    await talk.turn({ tools: [edit('src/settings.ts')] })
    talk.prompt('First I need the colours extracted into src/colours.ts')
    await talk.turn({ tools: [edit('src/colours.ts')] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ kind: 'subtask' })
    await talk.turn({ text: "I've extracted the colours." })
    expect(await store.tasks.current(SESSION)).toMatchObject({
      kind: 'main',
      goal: expect.stringContaining('dark mode'),
    })
    await talk.turn({ text: 'Task complete.' })
    expect(await store.tasks.current(SESSION)).toBeUndefined()
    const memories = await store.memories.list(PROJECT, { limit: 9 })
    expect(memories.map(({ files }) => files)).toEqual([['src/settings.ts'], ['src/colours.ts']])
    talk.prompt('New task: rename src/login.ts')
    await talk.turn({ text: 'Hm.' })
    expect(await store.steps.recent(SESSION, 9)).toEqual([])
  })

  it.each([
    ['psql shop -c "UPDATE carts SET tax = 7"', true],
    ['grep -rn "UPDATE carts SET" db', false],
  ])('of which only a command speaks end where it has changed something: %s', async (command, isDone) => {
    const talk = new Talk(engine.supervisor).prompt('Set the tax of all carts to 7')
    await talk.turn({ tools: [bash(command)] })
    await talk.turn({ text: "I've set the tax of all carts to 7." })
    expect((await store.tasks.current(SESSION)) === undefined).toBe(isDone)
  })

  it('end with the session, and with a day of silence; work that was done is not given up', async () => {
    await new Talk(engine.supervisor)
      .prompt('Add dark mode to src/settings.ts')
      .turn({ tools: [edit('src/settings.ts')] })
    await new Talk(engine.supervisor, 'other').prompt('Fix src/login.ts').turn({ tools: [edit('src/login.ts')] })
    await engine.hook({ hook_event_name: 'SessionEnd', reason: 'other' })
    engine.now += 25 * 3_600_000
    const closeSession = (sessionId: string) => engine.supervisor.abandon(sessionId)
    await sweepStates({ store, clock: { now: () => engine.now }, dropCopies: async () => {}, closeSession })
    const memories = await store.memories.list(PROJECT, { limit: 9 })
    expect(memories.map(({ status }) => status)).toEqual(['partial', 'partial'])
    expect((await store.sessions.get(SESSION))?.endedAt).toBeDefined()
  })

  it('go on where they were when a session that has ended is resumed; /clear begins another', async () => {
    const talk = new Talk(engine.supervisor).prompt('Add dark mode to src/settings.ts')
    await talk.turn({ tools: [edit('src/settings.ts')] })
    await engine.hook({ hook_event_name: 'SessionEnd', reason: 'clear' })
    await new Talk(engine.supervisor, 'after-clear').prompt('Go on').turn({ text: 'With what?' })
    expect(await store.tasks.current('after-clear')).toMatchObject({ kind: 'main', goal: 'Go on' })

    await engine.hook({ hook_event_name: 'SessionStart', source: 'resume' })
    await talk.prompt('Go on').turn({ tools: [edit('src/settings.ts', 'more')] })
    expect(await store.tasks.current(SESSION)).toMatchObject({ goal: 'Add dark mode to src/settings.ts' })
  })

  it('keep eight agents on one project apart', async () => {
    const talks = Array.from({ length: 8 }, (_, i) =>
      new Talk(engine.supervisor, `session-${i}`).prompt(`Fix src/part${i}.ts`),
    )
    await Promise.all(talks.flatMap((talk, i) => talk.turn({ tools: [edit(`src/part${i}.ts`)] })))
    for (const i of talks.keys()) {
      expect((await store.steps.recent(`session-${i}`, 9)).map(({ files }) => files)).toEqual([[`src/part${i}.ts`]])
    }
  })

  it('keep secrets out of everything that is stored', async () => {
    const key = `${'sk-ant-api03-'}${'Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz'}`
    const talk = new Talk(engine.supervisor).prompt(`Use the key ${key} in src/client.ts`)
    await talk.turn({ text: `I use ${key}.`, tools: [edit('src/client.ts', `const key = '${key}'`)] })
    const stored = async () =>
      JSON.stringify([
        await store.tasks.ofSession(SESSION),
        await store.steps.recent(SESSION, 9),
        await store.states.list(SLOTS.session, 9),
        await store.memories.list(PROJECT, { limit: 9 }),
      ])
    expect(await stored()).not.toMatch(/Zx9Qw3Er5Ty7/i)
    await talk.turn({ text: `Task complete, with ${key}.` })
    expect(await stored()).not.toMatch(/Zx9Qw3Er5Ty7/i)
    expect(await store.memories.list(PROJECT, { limit: 9 })).toHaveLength(1)
  })
})
