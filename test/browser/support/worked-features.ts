import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../src/core/ports/runtime.ts'
import { DEFAULT_CRITERIA } from '../../../src/protocol/api/session-form.ts'
import { answer } from '../../../src/workflow/commands/answer.ts'
import { approve } from '../../../src/workflow/commands/approve.ts'
import type { Engine } from '../../../src/workflow/engine.ts'
import type { Feature } from '../../../src/workflow/feature.ts'
import { setFeatureStage } from '../../support/feature-stage.ts'
import type { Github } from '../../support/gh-github.ts'
import type { Project } from '../../support/project.ts'
import { type Script, scriptedAgent, type Turn } from '../../support/scripted-agent.ts'
import { makeBrokenSetup, nothing, STORIES, type StateName, type Story, works } from './feature-stories.ts'
import { ONE_STEP, PR_WORDS, planAfter, UNREAL } from './told-plan.ts'

/**
 * Feature sessions in every state, brought there by the real engine on a real repository, with Claude's turns written down.
 * A daemon that is started on the home afterwards finds them as if it had been there all the time.
 */

/** Where each feature session is shown. */
export type WorkedFeatures = Record<StateName, string>

/** What is held until a moment that has to lie ahead of the daemon's clock. */
const IN_TIME: StateName[] = ['usageLimit', 'hourlyLimit']
const WITH_GITHUB: StateName[] = ['pushConsent', 'rebase', 'prReview', 'final', 'completed', 'ghLogin', 'prFailed']

export async function seedFeatures(home: string, project: Project, github: Github): Promise<WorkedFeatures> {
  const ends: (() => Promise<void> | void)[] = []
  const told = new Map<string, Story & { rounds: number; reviewed: number }>()
  const paths: Partial<WorkedFeatures> = {}
  const folders: Partial<Record<StateName, string>> = {}

  /** Claude by what it is asked; the folder is named after the feature. */
  function claude({ heard, run }: Turn): Script {
    const story = told.get(run.cwd.split('/').at(-1)!)!
    if (heard.includes('Implement the step')) return story.implements ?? works('src/auth/refresh.ts', 'export {}\n')
    if (heard.includes('Write the pull request')) return async ({ call }) => void (await call('report_pr', PR_WORDS))
    if (heard.includes('Check each concern')) return validates
    if (heard.includes('Review this plan')) {
      const findings = story.reviews?.[story.reviewed++] ?? []
      return async ({ call, spend }) => {
        await spend(42_000)
        await call('report_review', { findings })
      }
    }
    if (heard.includes('fresh eyes'))
      return async ({ call }) => void (await call('report_review', { findings: story.prReview ?? [] }))
    if (heard.includes('checks fail')) return nothing
    if (story.discovers && !heard.includes('Bring the plan')) return story.discovers
    const rounds = story.rounds++
    const plan = story.plan === 'long' ? planAfter(rounds) : { summary: story.title, steps: ONE_STEP }
    return async ({ call, say, spend }) => {
      await spend(27_000)
      await say(`The plan of “${story.title}”, in small steps.`)
      await call('propose_plan', plan)
    }
  }

  const open = (clock?: Clock) =>
    setFeatureStage((end) => void ends.unshift(end), scriptedAgent(claude), {
      at: { home, project },
      // The model of the feature that lives never ends its answer: nothing waits for that when the scene closes.
      settings: 'setup = true\nci_poll_seconds = 1\n[proxy]\ndrain_seconds = 1\n',
      env: { ...github.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      ...(clock && { clock }),
    })
  const close = async () => {
    for (const end of ends.splice(0)) await end()
  }
  const lead = async ({ engine, begin }: Awaited<ReturnType<typeof open>>, name: StateName) => {
    const story: Story = STORIES[name]
    const feature = await begin({
      title: story.title,
      description: DESCRIPTION,
      acceptanceCriteria: DEFAULT_CRITERIA.map((criterion) => ({ ...criterion, checked: true })),
      options: { recommendedReviews: story.reviews ? 10 : 0, ...story.options },
    })
    const { projectId, featureId } = feature.session
    told.set(featureId, { ...story, rounds: 0, reviewed: 0 })
    paths[name] = `/features/${projectId}/${featureId}`
    await story.lead({
      ...{ engine, feature, project, github },
      until: (holds) => until(name, feature, holds),
      answerAll: () => answerAll(engine, feature),
      async approve() {
        await approve(engine, feature, feature.session.planHash, true)
      },
    })
    folders[name] = feature.folder
  }

  await makeBrokenSetup(project)
  const now = await open()
  for (const name of IN_TIME) await lead(now, name)
  await close()
  const earlier = await open(pastClock())
  const others = (Object.keys(STORIES) as StateName[]).filter((name) => ![...IN_TIME, ...WITH_GITHUB].includes(name))
  await Promise.all([
    ...others.map((name) => lead(earlier, name)),
    (async () => {
      for (const name of WITH_GITHUB) await lead(earlier, name)
    })(),
  ])
  // As a power cut leaves it; what is being written at this moment is under another name.
  const powerCut = `${home}-cut`
  await cp(folders.interrupted!, powerCut, { recursive: true, filter: (path) => !path.endsWith('.tmp') })
  await close()
  await cp(powerCut, folders.interrupted!, { recursive: true })
  for (const name of ['session.json', 'session.json.bak']) await writeFile(join(folders.corrupted!, name), '{ "ver')
  return paths as WorkedFeatures
}

const DESCRIPTION =
  'Refresh tokens live for thirty days today. A stolen one is good for as long, and nobody notices. Rotate them on every use, and end the family when one is used twice.'

/** One concern is not real; the others are. */
const validates: Script = ({ heard, answer: tell }) => {
  const concerns = [...heard.matchAll(/^## (\S+)\nConcern: (.*)/gm)]
  tell({
    verdicts: concerns.map(([, id, text]) => ({
      id,
      valid: text !== UNREAL,
      reason: 'There is an index on user_id since 0042_users.sql',
    })),
  })
}

/** Begins three hours ago and runs fast, so that what takes seconds here has taken minutes. */
function pastClock(): Clock {
  const began = Date.now()
  return { now: () => Math.min(Date.now(), began - 3 * 3_600_000 + (Date.now() - began) * 100) }
}

async function answerAll(engine: Engine, feature: Feature): Promise<void> {
  const open = feature.files.questions.questions.filter(({ state }) => state === 'open')
  const given = open.map(({ id, options }) => ({
    questionId: id,
    value: options.find(({ recommended }) => recommended)!.value,
  }))
  await answer(engine, feature, given)
}

const LOOK_MS = 25
const LONGEST_MS = 120_000

async function until(name: StateName, feature: Feature, holds: (feature: Feature) => boolean): Promise<void> {
  for (let waited = 0; waited < LONGEST_MS; waited += LOOK_MS) {
    if (holds(feature)) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  const { status, currentStage, task, hold, reviewCount } = feature.session
  throw new Error(`${name} is still ${JSON.stringify({ status, currentStage, task, hold, reviewCount })}`)
}
