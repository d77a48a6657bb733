import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkflowStore } from '../../src/storage/files/workflow-store.ts'
import { answer } from '../../src/workflow/commands/answer.ts'
import { approve, final } from '../../src/workflow/commands/approve.ts'
import { choose } from '../../src/workflow/commands/choose.ts'
import type { Engine } from '../../src/workflow/engine.ts'
import type { Feature } from '../../src/workflow/feature.ts'
import { setFeatureStage, until } from '../support/feature-stage.ts'
import { createProject } from '../support/project.ts'
import { scriptedAgent, type Turn } from '../support/scripted-agent.ts'

async function put({ run }: Turn, path: string): Promise<void> {
  await mkdir(dirname(join(run.cwd, path)), { recursive: true })
  await writeFile(join(run.cwd, path), 'export {}\n')
}

const plan = { steps: ['a', 'b', 'c'].map((id) => ({ id, title: `Write ${id}`, paths: ['src/**'] })) }

/** Answers by what it is asked, for any number of sessions. */
function agent(done: string[] = []) {
  return scriptedAgent(({ heard }) => {
    const step = /Implement the step (\w)/.exec(heard)?.[1]
    if (step)
      return async (turn) => {
        await put(turn, `src/${step}.mjs`)
        const { isError } = await turn.call('complete_step', { stepId: step, summary: 'done' })
        if (!isError) done.push(`${turn.run.cwd} ${step}`)
      }
    if (heard.includes('Decision:')) return async ({ call }) => void (await call('propose_plan', plan))
    if (heard.includes('You plan this feature'))
      return ({ ask }) => ask([{ question: 'Which?', options: [{ label: 'One', recommended: true }] }])
    if (heard.includes('Write the pull request'))
      return async ({ call }) => void (await call('report_pr', { title: 'T', body: 'B' }))
    return async ({ call }) => void (await call('report_review', { findings: [] }))
  })
}

/** Does what a person would do next, if anything; trouble with the disk is theirs to try again. */
async function help(engine: Engine, feature: Feature): Promise<void> {
  const { session, files } = feature
  const [open] = files.questions.questions.filter(({ state }) => state === 'open')
  if (session.hold) await choose(engine, feature, 'retry', '')
  else if (session.task !== null) return
  else if (open) await answer(engine, feature, [{ questionId: open.id, value: 'A' }])
  else if (session.currentStage === 2) await approve(engine, feature, session.planHash, true)
  else if (session.currentStage === 6) await final(engine, feature, 'merge', '')
}

/** However long it takes: many sessions at once wait for each other's git. */
async function complete(engine: Engine, feature: Feature): Promise<void> {
  while (feature.session.status !== 'completed') {
    await help(engine, feature).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

it('eight features go on at once in three projects, each in its own branch', { timeout: 900_000 }, async ({
  onTestFinished,
}) => {
  const done: string[] = []
  const stage = await setFeatureStage(onTestFinished, agent(done))
  const projects = [stage.project, await createProject({ 'a.txt': '' }), await createProject({ 'a.txt': '' })]
  for (const project of projects.slice(1)) onTestFinished(project.remove)
  const features = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      stage.begin({
        projectPath: projects[at % 3]!.dir,
        options: { recommendedReviews: 0 },
        acceptanceCriteria: [{ text: 'Looks good', checked: true, type: 'manual' }],
      }),
    ),
  )
  await Promise.all(features.map((feature) => complete(stage.engine, feature)))
  expect(stage.trouble).toEqual([])
  expect(new Set(done).size).toBe(24)
  expect(done).toHaveLength(24)
  expect(new Set(features.map(({ session }) => session.folder)).size).toBe(8)
  for (const { session } of features) {
    const { git } = projects.find(({ dir }) => dir === session.projectPath)!
    expect(await git('rev-list', '--count', `main..${session.featureBranch}`)).toBe('1')
  }
})

/** Refuses writes as a full disk does, while it is said to be full. */
class SmallDisk extends WorkflowStore {
  isFull = false
  refused = 0

  override async write(...args: Parameters<WorkflowStore['write']>): Promise<void> {
    if (!this.isFull) return super.write(...args)
    this.refused++
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
}

it('a full disk stops a feature, loses nothing, and lets it go on when there is room', async ({ onTestFinished }) => {
  let disk: SmallDisk | undefined
  const done: string[] = []
  const stage = await setFeatureStage(onTestFinished, agent(done), {
    store: (home) => {
      disk = new SmallDisk(join(home, 'workflows'))
      return disk
    },
  })
  const feature = await stage.begin({ options: { recommendedReviews: 0 } })
  for (const stageNumber of [1, 3, 5]) {
    await until(feature, ({ session }) => {
      void help(stage.engine, feature).catch(() => {})
      return session.currentStage >= stageNumber
    })
    const { refused } = disk!
    const { revision } = feature.session
    disk!.isFull = true
    await until(feature, () => {
      void help(stage.engine, feature).catch(() => {})
      return disk!.refused > refused
    })
    expect(feature.session.revision).toBeGreaterThanOrEqual(revision)
    disk!.isFull = false
  }
  await complete(stage.engine, feature)
  const numbers = feature.events.after(0, 10_000).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(feature.files.questions.questions.filter(({ state }) => state === 'answered')).toHaveLength(1)
  expect(new Set(done).size).toBe(done.length)
})

it('a clock that jumps by hours, forwards and back, does not stop a feature', async ({ onTestFinished }) => {
  let jumps = 0
  const clock = { now: () => Date.now() + ((jumps++ * 7919) % 21) * 3_600_000 - 10 * 3_600_000 }
  const stage = await setFeatureStage(onTestFinished, agent(), { clock })
  const feature = await stage.begin({ options: { recommendedReviews: 0, expiryHours: 48 } })
  await complete(stage.engine, feature)
  expect(feature.session.status).toBe('completed')
  expect(stage.trouble).toEqual([])
})

/** Somebody makes the branch of a session in the moment between its form and its opening. */
class Overtaken extends WorkflowStore {
  overtake: () => Promise<unknown> = async () => undefined

  override async claim(...of: Parameters<WorkflowStore['claim']>): Promise<boolean> {
    await this.overtake()
    return super.claim(...of)
  }
}

it.each([
  ['use_branch', '', 'feature/add-login'],
  ['rename_branch', 'feature/other', 'feature/other'],
] as const)('a branch that has appeared meanwhile is asked about: %s', async (choice, text, branch) => {
  const finished: (() => Promise<void> | void)[] = []
  try {
    let store: Overtaken | undefined
    const stage = await setFeatureStage((work) => void finished.push(work), agent(), {
      store: (home) => {
        store = new Overtaken(join(home, 'workflows'))
        return store
      },
    })
    store!.overtake = () => stage.project.git('branch', '-f', 'feature/add-login', 'main')
    const feature = await stage.begin()
    await until(feature, ({ session }) => session.hold !== null)
    expect(feature.session.hold).toMatchObject({ kind: 'branch_exists' })
    expect(await choose(stage.engine, feature, 'rename_branch', 'feature/add-login')).toMatchObject({
      code: 'branch_exists',
    })
    expect(await choose(stage.engine, feature, 'rename_branch', '--help')).toMatchObject({ code: 'bad_branch' })
    expect(await choose(stage.engine, feature, choice, text)).toBeUndefined()
    await until(feature, ({ files }) => files.questions.questions.length > 0)
    expect(feature.session.featureBranch).toBe(branch)
    expect(await stage.project.git('-C', feature.session.folder, 'branch', '--show-current')).toBe(branch)
  } finally {
    for (const work of finished.reverse()) await work()
  }
})

it('the form is told of a branch that exists, and may say what is done about it', async () => {
  const finished: (() => Promise<void> | void)[] = []
  try {
    const stage = await setFeatureStage((work) => void finished.push(work), agent())
    await stage.project.git('branch', 'mine', 'main')
    const named = (more: object) => stage.begin({ options: { branch: 'mine', ...more } })
    await expect(named({})).rejects.toThrow('The branch mine exists already.')
    const numbered = await named({ ifBranchExists: 'number' })
    expect(numbered.session).toMatchObject({ featureBranch: 'mine-2', existingBranch: false })
    const used = await named({ ifBranchExists: 'use' })
    expect(used.session).toMatchObject({ featureBranch: 'mine', existingBranch: true })
    await expect(named({ ifBranchExists: 'use' })).rejects.toThrow('works on the branch mine already')
    await until(used, ({ files }) => files.questions.questions.length > 0)
  } finally {
    for (const work of finished.reverse()) await work()
  }
})
