import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionSnapshot, SessionSummary } from '../../../src/protocol/api/sessions.ts'
import { type Scenario, ScenarioFile } from '../../../src/simulator/schema.ts'
import type { Daemon, House } from './house.ts'

/** A feature of one question and two steps, for any number of sessions at once: the model answers by what it is asked. */

const grove = (name: string, input: object) => ({ tool_use: { name: `mcp__grove__${name}`, input } })
const STEPS = ['a', 'b']

const step = (id: string) => [
  {
    when: { last_user: `Implement the step ${id} `, tool_result: { matches: '.' } },
    reply: grove('complete_step', { stepId: id, summary: 'written' }),
  },
  {
    when: { newest: `Implement the step ${id} ` },
    reply: { tool_use: { name: 'Write', input: { file_path: `{{cwd}}/new/${id}.txt`, content: `${id}\n` } } },
  },
]

export const SMALL_MODEL: Scenario = {
  ...ScenarioFile.parse({
    default: 'A summary.',
    replies: [
      { when: { tool_result: 'Recorded.' }, reply: 'Done.' },
      ...STEPS.flatMap(step),
      { when: { newest: 'Write the pull request' }, reply: grove('report_pr', { title: 'T', body: 'B' }) },
      { when: { newest: 'fresh eyes' }, reply: grove('report_review', { findings: [] }) },
      {
        when: { newest: 'Decision: ' },
        reply: grove('propose_plan', { steps: STEPS.map((id) => ({ id, title: `Write ${id}`, paths: ['new/**'] })) }),
      },
      {
        when: { newest: 'You plan this feature' },
        reply: grove('ask_decision', {
          questions: [{ question: 'Which?', options: [{ label: 'One', recommended: true }], priority: 1 }],
        }),
      },
    ].map((entry) => ({ ...entry, repeat: 'forever' })),
  }),
  name: 'small',
}

/** The form of it; nothing leaves the machine. */
export const SMALL_FORM = {
  acceptanceCriteria: [{ text: 'Looks good', checked: true, type: 'manual' }],
  options: { recommendedReviews: 0, localReview: true, maxCallsPerHour: 100_000 },
}

/** Does what a person would, until the session is complete. Every hold that comes up on the way is told. */
export async function completeSmall(
  daemon: () => Daemon,
  { projectId, featureId }: Pick<SessionSummary, 'projectId' | 'featureId'>,
  held: (kind: string) => void = () => {},
): Promise<SessionSnapshot> {
  const path = `/api/sessions/${projectId}/${featureId}`
  for (;;) {
    const { body } = await daemon().ask<{ session: SessionSnapshot }>('GET', path)
    const { session, questions, summary } = body.session
    if (session.status === 'completed') return body.session
    const say = (where: string, what: object) => daemon().ask('POST', `${path}${where}`, what)
    const wants = new Set(summary.waiting.map(({ kind }) => kind))
    if (session.hold && !session.hold.until) {
      held(session.hold.kind)
      await say('/choice', { choice: session.hold.kind === 'interrupted' ? 'resume' : 'retry' })
    } else if (wants.has('questions') && questions[0])
      await say('/questions', { answers: [{ questionId: questions[0].id, value: 'A' }] })
    else if (wants.has('plan_approval')) await say('/plan/approve', { planHash: session.planHash, signOff: true })
    else if (wants.has('final_approval')) await say('/final-approval', { action: 'merge' })
    await sleep(100)
  }
}

/** What is wrong with a completed session: one sentence for each. */
export async function wrongWith(daemon: Daemon, { session, plan, events }: Ended): Promise<string[]> {
  const done = events.filter(({ eventType }) => eventType === 'execution.step_completed').length
  const numbers = events.map(({ number }) => number)
  const lines = daemon.output().match(/"level":50.*/g) ?? []
  return [
    ...(plan?.steps.every(({ status }) => status === 'completed') ? [] : ['a step is not done']),
    ...(done === STEPS.length ? [] : [`${done} steps were reported as done instead of ${STEPS.length}`]),
    ...(numbers.every((number, index) => number === index + 1) ? [] : ['events are missing or twice']),
    ...(session.baseCommitSha === '' ? ['it has no base'] : []),
    ...lines,
  ]
}

export interface Ended extends Pick<SessionSnapshot, 'session' | 'plan'> {
  events: { number: number; eventType: string }[]
}

/** Kills one client of the house after the other, so many; resolves to how many it were, at the latest when `over` is aborted. */
export async function killClients(house: House, most: number, over: AbortSignal): Promise<number> {
  const killed = new Set<number>()
  while (killed.size < most && !over.aborted) {
    const pid = clientsOf(house).find((one) => !killed.has(one))
    // Some just started, others at work.
    await sleep(pid === undefined ? 50 : 250 * (killed.size % 5))
    if (pid === undefined) continue
    try {
      process.kill(pid, 'SIGKILL')
      killed.add(pid)
    } catch {
      // It has ended by itself.
    }
  }
  return killed.size
}

/** The processes of clients that this house has started, by the mark that they inherit. */
export function clientsOf(house: House): number[] {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return pids.map(Number).filter((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      return variables.includes(`HOME=${house.folder}`) && variables.some((one) => one.startsWith('GROVE_SPAWN='))
    } catch {
      return false // It has ended, or is somebody else's.
    }
  })
}
