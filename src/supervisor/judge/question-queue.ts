import { failOpen } from '../fail-open.ts'
import type { SessionState } from '../session/session-state.ts'
import type { World } from '../world.ts'
import { consultationsFor, leaveToRules } from './consult.ts'
import type { Consultation } from './consultation.ts'

type ApplyVerdict = (sessionId: string, apply: (session: SessionState) => Promise<void>) => Promise<void>

/**
 * Questions for the judge. They are asked outside the queues of the sessions, so that no job waits for the judge; a verdict is
 * applied by a job in the queue of its session.
 */
export class QuestionQueue {
  readonly #world: World
  readonly #applyVerdict: ApplyVerdict
  /** Questions that came up in the middle of something, by session; asked when an answer is through. */
  readonly #noted = new Map<string, Consultation[]>()
  /** Questions to ask now, by session; there is an entry while they are being asked. */
  readonly #due = new Map<string, Consultation[]>()
  readonly #asking = new Set<Promise<void>>()

  constructor(world: World, applyVerdict: ApplyVerdict) {
    this.#world = world
    this.#applyVerdict = applyVerdict
  }

  note(sessionId: string, consultation: Consultation): void {
    if (this.#hasOnlyRules(sessionId)) return
    this.#noted.set(sessionId, withNewest(this.#noted.get(sessionId) ?? [], consultation))
  }

  askWhatIsDue(session: SessionState): Promise<void> | void {
    if (this.#hasOnlyRules(session.sessionId)) return leaveToRules(session)
    return this.#queueWhatIsDue(session)
  }

  /** Resolves when no question is being asked. */
  async idle(): Promise<void> {
    while (this.#asking.size > 0) await Promise.all(this.#asking)
  }

  #hasOnlyRules(sessionId: string): boolean {
    return this.#world.judgeFor(sessionId).name === 'heuristic'
  }

  async #queueWhatIsDue(session: SessionState) {
    const { sessionId } = session
    for (const consultation of await consultationsFor(this.#world, session)) this.note(sessionId, consultation)
    const noted = this.#noted.get(sessionId) ?? []
    this.#noted.delete(sessionId)
    const waiting = this.#due.get(sessionId)
    if (noted.length > 0) this.#due.set(sessionId, noted.reduce(withNewest, waiting ?? []))
    if (waiting || noted.length === 0) return
    const asking = this.#askQueued(sessionId)
    this.#asking.add(asking)
    void asking.then(() => this.#asking.delete(asking))
  }

  /** One question of a session after the other: a judge that is slow or down must not be asked ever more at once. */
  async #askQueued(sessionId: string) {
    for (;;) {
      const [next, ...rest] = this.#due.get(sessionId) ?? []
      if (!next) break
      this.#due.set(sessionId, rest)
      await this.#ask(sessionId, next)
    }
    this.#due.delete(sessionId)
  }

  #ask(sessionId: string, { about, ask, apply }: Consultation) {
    return failOpen(this.#world.log, `ask the judge about ${about}`, undefined, async () => {
      const verdict = await ask(this.#world.judgeFor(sessionId))
      await this.#applyVerdict(sessionId, (session) => apply(this.#world, session, verdict))
    })
  }
}

/** The newest question about a thing is the one that still matters. */
function withNewest(questions: Consultation[], newest: Consultation): Consultation[] {
  return [...questions.filter(({ about }) => about !== newest.about), newest]
}
