import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionSnapshot, SessionSummary } from '../../../src/protocol/api/sessions.ts'
import type { Question } from '../../../src/protocol/workflow/questions.ts'
import type { Answer, Daemon, House } from './house.ts'
import { ASKED } from './model.ts'

type Named = Pick<SessionSummary, 'projectId' | 'featureId'>

/** What Grove has acknowledged: from then on it must not be lost. */
export interface Acknowledged {
  what: string
  questions: string[]
}

/** Somebody who sits before a feature session and does what is wanted next, as the story has it. */
export class Person {
  readonly acknowledged: Acknowledged[] = []
  /** Holds that the story does not have. */
  readonly surprises: string[] = []
  readonly #house: House
  readonly #session: Named

  constructor(house: House, session: Named) {
    this.#house = house
    this.#session = session
  }

  path(rest = ''): string {
    return `/api/sessions/${this.#session.projectId}/${this.#session.featureId}${rest}`
  }

  async look(daemon: Daemon): Promise<SessionSnapshot> {
    const { status, body } = await daemon.ask<{ session: SessionSnapshot }>('GET', this.path())
    if (status !== 200) throw new Error(`not shown: ${JSON.stringify(body)}`)
    return body.session
  }

  /** Does whatever is wanted until the session is complete; `signal` ends it early. */
  async live(
    daemon: Daemon,
    signal?: AbortSignal,
    looked: (seen: SessionSnapshot) => void = () => {},
  ): Promise<SessionSnapshot> {
    for (;;) {
      const seen = await this.look(daemon)
      looked(seen)
      this.#mendChecks(seen)
      if (seen.session.status === 'completed' || signal?.aborted) return seen
      const acted = await this.#act(daemon, seen)
      if (!acted) await sleep(100)
    }
  }

  /** The checks of the pull request fail until the step that mends them is planned. */
  #mendChecks({ plan }: SessionSnapshot): void {
    const isMended = plan?.steps.some(({ id }) => id === 'd') === true
    this.#house.github.checks = [
      {
        __typename: 'CheckRun',
        name: 'build',
        status: 'COMPLETED',
        conclusion: isMended ? 'SUCCESS' : 'FAILURE',
        detailsUrl: 'http://github.localhost/team/app/actions/runs/12/job/34',
        workflowName: 'CI',
      },
    ]
  }

  async #act(daemon: Daemon, seen: SessionSnapshot): Promise<boolean> {
    const { session, summary, questions, plan } = seen
    const wants = new Set(summary.waiting.map(({ kind }) => kind))
    if (session.hold) {
      if (session.hold.until) return false
      const { kind, message, detail } = session.hold
      if (kind !== 'interrupted') this.surprises.push(`${kind}: ${message} ${detail ?? ''}`)
      const choice = kind === 'interrupted' ? 'resume' : 'retry'
      return this.#say(daemon, `choice ${choice}`, '/choice', { choice })
    }
    if (seen.filtered > 0) return this.#restore(daemon)
    const [first] = questions
    if (wants.has('questions') && first) return this.#answer(daemon, first)
    if (wants.has('plan_approval'))
      return this.#say(daemon, 'approval', '/plan/approve', { planHash: session.planHash, signOff: true })
    if (wants.has('final_approval')) {
      const isNamed = plan?.steps.some(({ id }) => id === 'e') === true
      return this.#say(
        daemon,
        isNamed ? 'completion' : 'changes',
        '/final-approval',
        isNamed ? { action: 'merge' } : { action: 'plan_changes', feedback: ASKED.feedback },
      )
    }
    return false
  }

  async #restore(daemon: Daemon): Promise<boolean> {
    const { body } = await daemon.ask<{ questions: Question[] }>('GET', this.path('/questions?all=true'))
    const filtered = body.questions.find(({ state }) => state === 'filtered')
    return filtered ? this.#say(daemon, 'restored', `/questions/${filtered.id}/restore`, {}) : false
  }

  #answer(daemon: Daemon, { id, options, questionText }: Question): Promise<boolean> {
    const value = options.find(({ recommended }) => recommended)?.value ?? 'yes'
    return this.#say(daemon, `answer to ${questionText}`, '/questions', { answers: [{ questionId: id, value }] }, [id])
  }

  async #say(daemon: Daemon, what: string, path: string, body: object, questions: string[] = []): Promise<boolean> {
    const { status, body: said }: Answer<object> = await daemon.ask('POST', this.path(path), {
      ...body,
      requestId: randomUUID(),
    })
    if (status < 300) this.acknowledged.push({ what, questions })
    // Somebody was faster: the session has gone on since it was looked at.
    else if (said.code !== 'not_possible_now' && said.code !== 'question_not_found' && said.code !== 'plan_changed')
      this.surprises.push(`${what} was refused: ${said.code} ${said.message}`)
    return status < 300
  }
}
