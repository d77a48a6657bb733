import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer } from '../../src/workflow/commands/answer.ts'
import { approve } from '../../src/workflow/commands/approve.ts'
import { choose } from '../../src/workflow/commands/choose.ts'
import type { Engine } from '../../src/workflow/engine.ts'
import type { Feature } from '../../src/workflow/feature.ts'
import { setFeatureStage, until } from '../support/feature-stage.ts'
import { type Script, scriptedAgent } from '../support/scripted-agent.ts'

const plan = {
  steps: [
    { id: 'a', title: 'Write it', paths: ['src/**'] },
    { id: 'b', title: 'And more', paths: ['src/**'] },
  ],
}

/** By what they are asked: a process that starts anew goes on with the same one. */
function byPrompt(scripts: Record<string, Script>) {
  return scriptedAgent(({ heard }) => Object.entries(scripts).find(([words]) => heard.includes(words))?.[1])
}

const talk: Record<string, Script> = {
  'You plan this feature': ({ ask }) =>
    ask([{ question: 'Which?', options: [{ label: 'One', recommended: true }, { label: 'Two' }] }]),
  'Review this plan': async ({ call }) => void (await call('report_review', { findings: [] })),
  'Write the pull request': async ({ call }) => void (await call('report_pr', { title: 'T', body: 'B' })),
  'fresh eyes': async ({ call }) => void (await call('report_review', { findings: [] })),
  'Decision:': async ({ call }) => void (await call('propose_plan', plan)),
}

function same(engine: Engine, { session }: Feature): Feature {
  return engine.find(session.projectId, session.featureId)!
}

describe('after a restart', () => {
  it('a question is still there, and its answer goes on with the conversation', async ({ onTestFinished }) => {
    const agent = byPrompt(talk)
    const stage = await setFeatureStage(onTestFinished, agent)
    const feature = await stage.begin()
    await until(feature, ({ files }) => files.questions.questions.length === 1)
    await stage.engine.close()
    const engine = await stage.restart(agent)
    const again = same(engine, feature)
    const [question] = again.files.questions.questions
    expect(await answer(engine, again, [{ questionId: question!.id, value: 'A' }])).toBeUndefined()
    await until(again, ({ session }) => session.currentStage === 2 && session.task === null)
    expect(again.session).toMatchObject({ currentPlanVersion: 1, parked: null, status: 'active' })
    expect(again.session.claudeSessions).toHaveLength(1)
  })

  it('a step that was reported is not done twice, and work that was cut is offered to a person', async ({
    onTestFinished,
  }) => {
    let hang = true
    let begun = 0
    const never = new Promise<void>(() => {})
    const agent = byPrompt({
      'Implement the step a': async ({ call }) => {
        begun++
        await call('complete_step', { stepId: 'a', summary: 'done' })
        if (hang) await never
      },
      'Implement the step b': async ({ call }) => void (await call('complete_step', { stepId: 'b', summary: 'done' })),
      ...talk,
    })
    const stage = await setFeatureStage(onTestFinished, agent)
    const feature = await stage.begin()
    await until(feature, ({ files }) => files.questions.questions.length === 1)
    await answer(stage.engine, feature, [{ questionId: feature.files.questions.questions[0]!.id, value: 'A' }])
    await until(feature, ({ session }) => session.currentStage === 2 && session.task === null)
    expect(await approve(stage.engine, feature, feature.session.planHash, true)).toBeUndefined()
    await until(feature, ({ files }) => files.plan?.steps.find(({ id }) => id === 'a')?.status === 'completed')

    // The first Grove is simply gone: nothing was closed.
    hang = false
    const engine = await stage.restart(agent)
    const again = same(engine, feature)
    expect(again.session).toMatchObject({ status: 'interrupted', hold: { kind: 'interrupted' } })
    expect(await choose(engine, again, 'resume', '')).toBeUndefined()
    await until(again, ({ session }) => session.currentStage === 6)
    expect(begun).toBe(1)
    const numbers = again.events.after(0, 1000).map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  it('comments and the pull request are fetched again when their files are lost', async ({ onTestFinished }) => {
    const step = (id: string): Script => {
      return async ({ call }) => void (await call('complete_step', { stepId: id, summary: 'done' }))
    }
    const agent = byPrompt({ 'Implement the step a': step('a'), 'Implement the step b': step('b'), ...talk })
    const stage = await setFeatureStage(onTestFinished, agent, {
      files: { 'src/note.mjs': '// TODO: decide how long a token lives\n' },
    })
    const feature = await stage.begin()
    await until(feature, ({ files }) => files.questions.questions.length === 1)
    await answer(stage.engine, feature, [{ questionId: feature.files.questions.questions[0]!.id, value: 'A' }])
    await until(feature, ({ session }) => session.currentStage === 2 && session.task === null)
    await approve(stage.engine, feature, feature.session.planHash, true)
    await until(feature, ({ session }) => session.currentStage === 6)
    const before = feature.files.pr.pullRequest
    await stage.engine.close()
    for (const name of ['todos.json', 'pr.json'])
      for (const file of [name, `${name}.bak`]) await writeFile(join(feature.folder, file), '{"version":')
    const again = same(await stage.restart(agent), feature)
    expect(again.files.todos.items).toMatchObject([{ filePath: 'src/note.mjs', source: 'initial_scan' }])
    expect(again.files.pr.pullRequest).toMatchObject({ status: 'local', headCommit: before!.headCommit })
  })

  it.each([
    ['questions.json', '{"version":', 'questions.json was damaged'],
    ['plan.json', '', 'plan.json was damaged'],
    ['events.json', '{"version":"1.0","sessionId":"x","events":[\n{"half', 'events.json was damaged'],
    ['session.json', 'not json', 'session.json was damaged'],
  ])('a damaged %s is repaired, and said so', async (name, text, problem) => {
    const finished: (() => Promise<void> | void)[] = []
    const agent = byPrompt(talk)
    const stage = await setFeatureStage((work) => void finished.push(work), agent)
    try {
      const feature = await stage.begin()
      await until(feature, ({ files }) => files.questions.questions.length === 1)
      await answer(stage.engine, feature, [{ questionId: feature.files.questions.questions[0]!.id, value: 'A' }])
      await until(feature, ({ session }) => session.currentStage === 2 && session.task === null)
      await stage.engine.close()
      await writeFile(join(feature.folder, name), text)
      const again = same(await stage.restart(agent), feature)
      expect(again.problems.join()).toContain(problem)
      expect(again.files.plan?.steps).toHaveLength(3)
      expect(again.session.currentStage).toBe(2)
      expect(JSON.parse(await readFile(join(again.folder, 'session.json'), 'utf8')).id ?? again.session.id).toBe(
        again.session.id,
      )
    } finally {
      for (const work of finished.reverse()) await work()
    }
  })
})
