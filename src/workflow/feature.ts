import { stepStates } from '#core/plan/states.ts'
import type { OpenedFeature } from '#core/ports/workflow.ts'
import type { Decided, FlowEvent, Refused } from '#core/workflow/decide.ts'
import { decide } from '#core/workflow/decide.ts'
import { stageName } from '#core/workflow/stage.ts'
import type { EventRecord, NewWorkflowEvent, WorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles, FeatureRecords } from '#protocol/workflow/feature-files.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import { announce } from './announce.ts'
import type { WorkflowWorld } from './world.ts'

/** A change of a feature session: its new files, and the events to record. */
export interface Change {
  files: FeatureFiles
  events: NewWorkflowEvent[]
  /** The id of the command's request, kept with its effect, so that a repeated request does nothing. */
  request?: string | undefined
}

/** More request ids than a page could still repeat. */
const MOST_REQUESTS = 200

const EXPIRING = new Set(['active', 'paused', 'interrupted', 'error'])

/** One feature session in memory. Changes are queued, and each is written before it is published. */
export class Feature {
  readonly #world: WorkflowWorld
  readonly #opened: OpenedFeature<FeatureRecords>
  readonly #changed: (feature: Feature) => void
  #tail: Promise<unknown> = Promise.resolve()
  constructor(world: WorkflowWorld, opened: OpenedFeature<FeatureRecords>, changed: (feature: Feature) => void) {
    this.#world = world
    this.#opened = opened
    this.#changed = changed
  }

  get files(): FeatureFiles {
    return this.#opened.files
  }

  get session(): FeatureFiles['session'] {
    return this.#opened.files.session
  }

  get events(): OpenedFeature<FeatureRecords>['events'] {
    return this.#opened.events
  }

  get output(): OpenedFeature<FeatureRecords>['output'] {
    return this.#opened.output
  }

  get problems(): string[] {
    return this.#opened.problems
  }

  get key(): string {
    return `${this.session.projectId}/${this.session.featureId}`
  }

  get folder(): string {
    return this.#world.store.folder(this.session.projectId, this.session.featureId)
  }

  now(): string {
    return new Date(this.#world.clock.now()).toISOString()
  }

  /** Changes the session; undefined leaves it as it is. */
  update(change: (files: FeatureFiles) => Change | undefined): Promise<boolean> {
    const done = this.#tail.then(() => this.#apply(change(this.files)))
    this.#tail = done.catch(() => undefined)
    return done
  }

  /**
   * Applies an event to the session by `core/workflow/decide.ts`; a refused one changes nothing. `also` adds further
   * changes.
   */
  async happen(
    event: FlowEvent,
    also: (files: FeatureFiles) => Partial<Change> = () => ({}),
  ): Promise<Refused | undefined> {
    let refused: Refused | undefined
    await this.update((before) => {
      const decided: Decided = decide(before.session, event)
      if ('refused' in decided) {
        refused = decided.refused
        return undefined
      }
      const flowed: FeatureFiles = { ...before, session: { ...before.session, ...decided.flow } }
      const { files = flowed, events = [], request } = also(flowed)
      return { files, events: [...events, ...announce(before, files, decided.reason)], request }
    })
    return refused
  }

  async #apply(change: Change | undefined): Promise<boolean> {
    if (!change) return false
    const before = this.files
    const at = this.now()
    const settled = withStepStates(change.files)
    const { session } = settled
    const expiresAt = new Date(this.#world.clock.now() + session.settings.expiryHours * 3_600_000).toISOString()
    const files: FeatureFiles = {
      ...settled,
      session: {
        ...session,
        revision: before.session.revision + 1,
        updatedAt: at,
        requests: change.request ? [...session.requests, change.request].slice(-MOST_REQUESTS) : session.requests,
        sessionExpiresAt: EXPIRING.has(session.status) ? expiresAt : null,
      },
    }
    const records = change.events.map((event, index) => this.#record(event, files, index, at))
    await this.#world.store.write(before, files, records, this.events)
    this.#opened.files = files
    for (const { payload } of records) this.#world.publish(payload)
    this.#changed(this)
    return true
  }

  #record(event: NewWorkflowEvent, files: FeatureFiles, index: number, at: string): EventRecord {
    const { id: sessionId, projectId, featureId, currentStage } = files.session
    const number = this.events.last + 1 + index
    const payload = { ...event, sessionId, projectId, featureId, number } as WorkflowEvent
    return {
      id: this.#world.newId(),
      number,
      eventType: event.type,
      stage: stageName(currentStage),
      payload,
      createdAt: at,
    }
  }

  /** Writes a line of output and publishes it. */
  say(line: Omit<OutputLine, 'number' | 'at'>): void {
    const kept = this.output.add({ ...line, at: this.now() })
    const { id: sessionId, projectId, featureId } = this.session
    this.#world.publish({ type: 'output.line', sessionId, projectId, featureId, line: kept })
  }

  /** Resolves when every change so far is written. */
  async settled(): Promise<void> {
    await this.#tail
    await this.output.flush()
  }
}

/** Whether a plan is approved, and how each step stands, follows from the session and from what is asked. */
function withStepStates(files: FeatureFiles): FeatureFiles {
  const { plan, session, questions } = files
  if (!plan) return files
  const asked = questions.questions.filter(({ state, immediate }) => state === 'open' && immediate)
  const isApproved = session.approval?.planHash === plan.hash
  const blocked = new Set(asked.flatMap(({ stepId }) => stepId ?? []))
  const steps = stepStates(plan.steps, { isApproved, blocked })
  const isSame = isApproved === plan.isApproved && steps.every((step, index) => step === plan.steps[index])
  return isSame ? files : { ...files, plan: { ...plan, isApproved, steps } }
}
