import { describe, expect, it } from 'vitest'
import { heuristicJudge } from '#llm/heuristic.ts'
import { shell } from '../../../../test/support/shell.ts'
import { engine, engineForEach, GOAL, store } from '../../../../test/support/start-engine.ts'
import { toolReader } from '../../action/tool-reader.ts'
import { SLOTS } from '../../state-slots.ts'
import { bash, Engine, edit, PROJECT, SESSION, Talk } from '../../testing/engine.ts'

engineForEach()

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

  it.each([
    ['git mv libs/dates libs/calendar', ['libs/dates', 'libs/calendar/index.ts', 'libs/calendar/opening.ts']],
    ["for f in libs/dates/*.ts; do sed -i 's/a/b/' $f; done", ['libs/dates/index.ts', 'libs/dates/opening.ts']],
    ["grep -rl old libs | xargs sed -i 's/old/new/'", []],
  ])('names the files that a command has moved or changed: %s', async (command, files) => {
    const there = { '/repo/app/libs/dates': ['index.ts', 'opening.ts'] }
    const filesIn = (place: string) =>
      Object.entries(there).flatMap(([folder, names]) =>
        place.startsWith(folder) ? names.map((name) => `${folder}/${name}`) : [],
      )
    const engine = new Engine(store, heuristicJudge, { tools: toolReader(async () => shell), filesIn })
    const talk = new Talk(engine.supervisor).prompt('dates is a calendar by now, rename it')
    await talk.turn({ tools: [bash(command), edit('tsconfig.json', '"libs/calendar"')] })
    await talk.turn({ text: 'The library is called calendar now.' })
    expect(await memories()).toMatchObject([{ files: [...files, 'tsconfig.json'] }])
  })

  it('no longer names what a later task of the session puts back', async () => {
    const talk = new Talk(engine.supervisor).prompt('Center the logo of the receipt')
    await talk.turn({ tools: [edit('src/print.css'), edit('src/printer.js')] })
    await talk.turn({ text: 'The logo is centered.' })
    expect(await memories()).toMatchObject([{ files: ['src/print.css', 'src/printer.js'] }])
    talk.prompt('Now write a parser for the price list in src/prices.ts')
    await talk.turn({ tools: [bash('git checkout -- src/printer.js')] })
    expect(await memories()).toMatchObject([{ files: ['src/print.css'] }])
    await talk.turn({ tools: [bash('git checkout -- src/print.css')] })
    expect(await memories()).toEqual([])
  })

  it('is nothing where only a running system was changed, and yet the task is done', async () => {
    const talk = new Talk(engine.supervisor).prompt('Restart the web pods in staging, they hang')
    await talk.turn({ tools: [bash('kubectl --context staging -n shop scale deploy/web --replicas=0')] })
    await talk.turn({ text: 'The web pods are restarted.' })
    expect(await memories()).toEqual([])
    expect(await store.tasks.ofSession(SESSION)).toMatchObject([{ status: 'completed' }])
  })

  it('is what was valid; an agent that never came back leaves work to be looked at', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    for (const name of 'ab') await talk.turn({ tools: [edit(`src/styles/${name}.css`, name)] })
    await engine.hook({ hook_event_name: 'SessionEnd', reason: 'other' })
    expect(await memories()).toMatchObject([
      { status: 'partial', files: ['src/auth/token.ts'], tags: ['had-drift', 'needs-review'] },
    ])
    expect(JSON.stringify(await memories())).not.toContain('.css')
    // What was only needed while it was going on is gone; what was rejected stays on record.
    expect(await store.steps.recent(SESSION, 9)).toEqual([])
    expect(await store.tasks.current(SESSION)).toBeUndefined()
    expect(await store.states.get(SLOTS.session, SESSION)).toBeUndefined()
    expect(await store.driftEvents.ofSession(SESSION, 9)).toHaveLength(2)
  })

  it('says what was asked for after the end once, to the agent and in the memory', async () => {
    const talk = new Talk(engine.supervisor).prompt(GOAL)
    await talk.turn({ tools: [edit('src/auth/token.ts')] })
    await talk.turn({ text: "I've fixed refreshToken() in src/auth/token.ts." })
    talk.prompt('same in the docs please')
    await talk.turn({ tools: [edit('docs/token.md', 'refreshToken()')] })
    await talk.turn({ tools: [edit('src/styles/a.css', 'a')] })
    await talk.turn({ text: "I've described refreshToken() in docs/token.md." })
    const [memory] = await memories()
    const [event] = await store.driftEvents.ofSession(SESSION, 9)
    for (const said of [JSON.stringify(memory), event!.correction])
      expect(said.match(/same in the docs please/g)).toHaveLength(1)
  })

  it('grows with the work that goes on after its end, and goes with what is taken back', async () => {
    const talk = new Talk(engine.supervisor).prompt('Add a dark mode to src/settings.ts')
    await talk.turn({ tools: [edit('src/settings.ts')] })
    await talk.turn({ text: "I've added the dark mode to src/settings.ts." })
    const [first] = await memories()
    expect(first).toMatchObject({ status: 'complete', files: ['src/settings.ts'] })

    talk.prompt('That is fine, but the toggle in src/toggle.ts still ignores it')
    await talk.turn({ tools: [edit('src/toggle.ts')] })
    await talk.turn({ text: "I've fixed the toggle in src/toggle.ts." })
    expect(await memories()).toMatchObject([{ id: first!.id, files: ['src/settings.ts', 'src/toggle.ts'] }])
    expect(await store.tasks.ofSession(SESSION)).toHaveLength(1)

    talk.prompt('Undo that')
    await talk.turn({ tools: [edit('src/settings.ts', 'as it was')] })
    await talk.turn({ text: "I've reverted all of it. Task complete." })
    expect(await memories()).toEqual([])
  })

  it('names no file that was not changed: calls that were denied, failed or taken back leave none', async () => {
    const talk = new Talk(engine.supervisor).prompt('Add a dark mode to src/settings.ts')
    await talk.turn({ tools: [edit('src/settings.ts')] })
    await talk.turn({
      tools: [edit('src/denied.ts')],
      results: ["The user doesn't want to proceed with this tool use."],
    })
    await talk.turn({ tools: [edit('src/failed.ts')], results: ['String to replace not found in file.'] })
    await talk.turn({ tools: [edit('src/wrong.ts')] })
    await talk.turn({ tools: [bash('git checkout src/wrong.ts')] })
    await talk.turn({ tools: [bash("sed -i 's/light/dark/' src/colours.ts")] })
    const outcomes = (await store.steps.recent(SESSION, 9)).map(({ files, outcome }) => `${files[0]} ${outcome}`)
    expect(outcomes).toContain('src/denied.ts denied')
    expect(outcomes).toContain('src/failed.ts failed')
    await talk.turn({ text: "I've added the dark mode to src/settings.ts." })
    const [memory] = await memories()
    expect(memory?.files).toEqual(['src/settings.ts', 'src/colours.ts'])
    expect(JSON.stringify(memory)).not.toMatch(/denied\.ts|failed\.ts/)
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
      ['src/clock.ts', 'had-drift', 'needs-review'],
      ['src/auth/token.ts'],
    ])
  })
})
