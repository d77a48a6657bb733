import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkflowStore } from '../../src/storage/files/workflow-store.ts'
import { answer } from '../../src/workflow/commands/answer.ts'
import { approve, final } from '../../src/workflow/commands/approve.ts'
import { choose } from '../../src/workflow/commands/choose.ts'
import type { Engine } from '../../src/workflow/engine.ts'
import type { Feature } from '../../src/workflow/feature.ts'
import { setFeatureStage } from '../support/feature-stage.ts'
import { scriptedAgent } from '../support/scripted-agent.ts'

/** Dies at its n-th change: some files are written, session.json is not, and nothing is written ever after. */
class DyingStore extends WorkflowStore {
  writes = 0

  constructor(
    root: string,
    private readonly last: number,
  ) {
    super(root)
  }

  override async write(...args: Parameters<WorkflowStore['write']>): Promise<void> {
    this.writes++
    if (this.writes > this.last) throw new Error('killed')
    if (this.writes < this.last || args[0] === undefined) return super.write(...args)
    const { projectId, featureId } = args[1].session
    const files = ['session.json', 'session.json.bak'].map((name) => join(this.folder(projectId, featureId), name))
    const before = await Promise.all(files.map((file) => readFile(file).catch(() => undefined)))
    await super.write(...args)
    await Promise.all(files.map((file, index) => before[index] && writeFile(file, before[index])))
    throw new Error('killed')
  }
}

const plan = {
  steps: [
    { id: 'a', title: 'Write it', paths: ['src/**'] },
    { id: 'b', title: 'And more', paths: ['src/**'] },
  ],
}

function agent(acknowledged: string[]) {
  return scriptedAgent(({ heard }) => {
    const step = /Implement the step (\w)/.exec(heard)?.[1]
    if (step) {
      return async ({ call }) => {
        const { isError } = await call('complete_step', { stepId: step, summary: 'done' })
        if (!isError) acknowledged.push(step)
      }
    }
    if (/Review this plan|fresh eyes/.test(heard))
      return async ({ call }) => void (await call('report_review', { findings: [] }))
    if (heard.includes('Decision:')) return async ({ call }) => void (await call('propose_plan', plan))
    if (heard.includes('You plan this feature'))
      return ({ ask }) => ask([{ question: 'Which?', options: [{ label: 'One', recommended: true }] }])
    if (heard.includes('Bring the plan')) return async ({ call }) => void (await call('keep_plan', { reason: 'fine' }))
    if (heard.includes('Write the pull request'))
      return async ({ call }) => void (await call('report_pr', { title: 'T', body: 'B' }))
    return async ({ call }) => void (await call('report_review', { findings: [] }))
  })
}

/** Does what a person would do, until the session is complete or nothing moves any more. */
async function drive(engine: Engine, feature: Feature, patience: number): Promise<void> {
  for (let quiet = 0; quiet < patience && feature.session.status !== 'completed'; quiet++) {
    const { session, files } = feature
    const open = files.questions.questions.filter(({ state }) => state === 'open')
    const before = session.revision
    if (session.hold) await choose(engine, feature, session.hold.kind === 'interrupted' ? 'resume' : 'retry', 'go on')
    else if (session.task === null && open[0]) await answer(engine, feature, [{ questionId: open[0].id, value: 'A' }])
    else if (session.task === null && session.currentStage === 2) await approve(engine, feature, session.planHash, true)
    else if (session.currentStage === 6) await final(engine, feature, 'merge', '')
    else await new Promise((resolve) => setTimeout(resolve, 50))
    if (feature.session.revision !== before) quiet = 0
  }
}

// Every few changes, over the whole life of a session.
const MOMENTS = Array.from({ length: 8 }, (_, index) => 3 + index * 7)

it.each(MOMENTS)(
  'a session that Grove dies under at its change %i is completed after a restart, no step done twice',
  async (moment) => {
    const finished: (() => Promise<void> | void)[] = []
    try {
      const acknowledged: string[] = []
      const claude = agent(acknowledged)
      const stage = await setFeatureStage((work) => void finished.push(work), claude, {
        settings: '\n',
        store: (home) => new DyingStore(join(home, 'workflows'), moment),
      })
      const feature = await stage.begin().catch(() => undefined)
      if (feature) await drive(stage.engine, feature, 60).catch(() => {})
      const engine = await stage.restart(claude)
      const [again] = engine.all()
      // Dying before the form was answered leaves nothing, and nothing was promised.
      if (!again) return expect(feature).toBeUndefined()
      // Longer than Grove waits for a client that does not come back to its parked call.
      await drive(engine, again, 800)
      expect(again.session).toMatchObject({ status: 'completed', currentStage: 6 })
      expect(acknowledged.sort()).toEqual(['a', 'b'])
      const numbers = again.events.after(0, 10_000).map(({ number }) => number)
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
      expect(again.files.questions.questions.filter(({ state }) => state === 'answered')).toHaveLength(1)
    } finally {
      for (const work of finished.reverse()) await work()
    }
  },
)
