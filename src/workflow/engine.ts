import { isRunnable } from '#core/workflow/decide.ts'
import { REFUSALS } from '#protocol/refusal.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import { Feature } from './feature.ts'
import { Held } from './hold-error.ts'
import { emptyFiles } from './new-files.ts'
import { PeriodicChecks } from './periodic-checks.ts'
import { repairLost } from './repair.ts'
import { Aborted, type RunHandle } from './run/facts.ts'
import { collect } from './tasks/collect-todos.ts'
import { commit } from './tasks/commit.ts'
import type { TaskContext } from './tasks/context.ts'
import { fix, implement } from './tasks/implement.ts'
import { open } from './tasks/open-worktree.ts'
import { discover, review, revise } from './tasks/plan.ts'
import { describe, prReview, publish } from './tasks/pull-request.ts'
import { check } from './tasks/run-checks.ts'
import { validate } from './tasks/validate.ts'
import { watch } from './tasks/watch-ci.ts'
import { waitingOf } from './view.ts'
import type { WorkflowWorld } from './world.ts'

const TICK_MS = 5_000

interface TaskRun extends RunHandle {
  controller: AbortController
  done: Promise<void>
  since: string
}

/** Runs every feature session: its tasks one after the other, until a person is needed. */
export class Engine {
  readonly world: WorkflowWorld
  readonly #features = new Map<string, Feature>()
  readonly #damaged = new Map<string, { projectId: string; featureId: string }>()
  readonly #runs = new Map<string, TaskRun>()
  readonly #stalled = new Set<string>()
  readonly #checks = new PeriodicChecks(this)
  #timer: NodeJS.Timeout | undefined
  #isClosing = false
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(world: WorkflowWorld) {
    this.world = world
  }

  /** Reads every session, ends processes that an earlier Grove has left, and continues the sessions. */
  async start(): Promise<void> {
    const { store, driver, log } = this.world
    const orphans = await driver.endOrphans().catch((err: unknown) => {
      log.warn({ err }, 'processes of an earlier run could not be looked for')
      return []
    })
    if (orphans.length > 0) log.warn({ spawns: orphans }, 'ended Claude processes that were left running')
    for (const { projectId, featureId } of await store.list()) await this.#load(projectId, featureId)
    this.#timer = setInterval(
      () => void this.#tick().catch((err: unknown) => log.warn({ err }, 'feature sessions were not looked after')),
      TICK_MS,
    ).unref()
    for (const feature of this.#features.values()) this.#kick(feature)
  }

  async #load(projectId: string, featureId: string): Promise<void> {
    const { store, log } = this.world
    const key = `${projectId}/${featureId}`
    try {
      const opened = await store.open(projectId, featureId, emptyFiles)
      if (opened === 'corrupted') {
        this.#damaged.set(key, { projectId, featureId })
        log.error({ feature: key }, 'session.json of a feature session cannot be read')
      }
      if (!opened || opened === 'corrupted') return
      for (const problem of opened.problems) log.warn({ feature: key, problem }, 'a state file was repaired')
      const feature = this.#add(opened)
      await this.#recover(feature)
      await repairLost(this.world, feature, opened.lost)
    } catch (err) {
      log.error({ err, feature: key }, 'a feature session could not be opened')
    }
  }

  #add(opened: ConstructorParameters<typeof Feature>[1]): Feature {
    const feature = new Feature(this.world, opened, (changed) => this.#changed(changed))
    this.#features.set(feature.key, feature)
    return feature
  }

  /**
   * A session that worked when Grove was killed is put on hold for a person; after an orderly stop it continues by
   * itself.
   */
  async #recover(feature: Feature): Promise<void> {
    if (feature.files.status.status !== 'executing') return
    const isCut = feature.session.status === 'active' && feature.session.hold === null
    const idle = (files: FeatureFiles) => ({
      ...files,
      status: { ...files.status, status: 'idle' as const, spawnId: null },
    })
    if (isCut) await feature.happen({ type: 'interrupted', at: feature.now() }, (files) => ({ files: idle(files) }))
    else await feature.update((files) => ({ files: idle(files), events: [] }))
  }

  /** A new session, its folder claimed and its files complete. */
  async adopt(files: FeatureFiles): Promise<Feature> {
    const { store } = this.world
    const { projectId, featureId, id, title } = files.session
    const { log } = await store.openEvents(projectId, featureId, id)
    const output = await store.openOutput(projectId, featureId)
    await store.write(undefined, files, [], log)
    await store.index(files.session)
    const feature = this.#add({ files, events: log, output, problems: [], lost: [] })
    await feature.update((now) => ({ files: now, events: [{ type: 'session.created', title }] }))
    return feature
  }

  /** Runs the work after everything that was queued here before. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  all(): Feature[] {
    return [...this.#features.values()]
  }

  find(projectId: string, featureId: string): Feature | undefined {
    return this.#features.get(`${projectId}/${featureId}`)
  }

  /** Sessions whose session.json cannot be read, nor the copy before it. */
  damaged(): { projectId: string; featureId: string }[] {
    return [...this.#damaged.values()]
  }

  /** Reads a damaged session again; true when that succeeded. */
  async readAgain(projectId: string, featureId: string): Promise<boolean> {
    this.#damaged.delete(`${projectId}/${featureId}`)
    await this.#load(projectId, featureId)
    const feature = this.find(projectId, featureId)
    if (feature) this.#kick(feature)
    return feature !== undefined
  }

  /** Moves a damaged session's folder aside. */
  async setAside(projectId: string, featureId: string): Promise<string> {
    const folder = await this.world.store.setAside(projectId, featureId)
    this.#damaged.delete(`${projectId}/${featureId}`)
    return folder
  }

  /** When the running task of a session began; undefined when none runs. */
  executingSince(feature: Feature): string | undefined {
    return this.#runs.get(feature.key)?.since
  }

  /** The feature session that drives a Claude session, or drove it. */
  driving(claudeId: string): Feature | undefined {
    return this.all().find(({ session }) => session.claudeSessions.some(({ id }) => id === claudeId))
  }

  /** Whether the rest of Grove supervises a Claude session: the implementation runs, not planning or review. */
  isWatched(claudeId: string): boolean {
    return [...this.#runs.values()].some(({ watched }) => watched === claudeId)
  }

  /** The process that works for a session at this moment. */
  process(feature: Feature): RunHandle['process'] {
    return this.#runs.get(feature.key)?.process
  }

  /** Ends what runs for a session, and waits until nothing of it is left. */
  async stop(feature: Feature): Promise<void> {
    const run = this.#runs.get(feature.key)
    run?.controller.abort()
    await run?.done
  }

  /** Stops everything so that the next start can continue it. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await Promise.all(this.all().map((feature) => this.stop(feature)))
    await Promise.all(this.all().map((feature) => feature.settled()))
  }

  #changed(feature: Feature): void {
    this.#kick(feature)
    const waiting = this.all().flatMap(waitingOf).length
    if (waiting !== this.#waiting) this.world.publish({ type: 'inbox.changed', waiting })
    this.#waiting = waiting
  }

  #kick(feature: Feature): void {
    const isBusy = this.#runs.has(feature.key) || this.#stalled.has(feature.key)
    if (this.#isClosing || isBusy || !isRunnable(feature.session)) return
    const controller = new AbortController()
    const run: TaskRun = { controller, signal: controller.signal, done: Promise.resolve(), since: feature.now() }
    this.#runs.set(feature.key, run)
    run.done = this.#work(feature, run)
      .catch((err: unknown) => {
        // Nothing can be written, as on a full disk: an immediate retry would only keep the machine busy.
        this.#stalled.add(feature.key)
        this.world.log.error(
          { err, feature: feature.key },
          'a feature session has stopped; it is tried again in a while',
        )
      })
      .finally(async () => {
        this.#runs.delete(feature.key)
        await this.#checks.noteProgress(feature)
        this.#kick(feature)
      })
  }

  /** One task after the other, until a person is needed. */
  async #work(feature: Feature, run: TaskRun): Promise<void> {
    // Lets the change that led here be published first.
    await Promise.resolve()
    while (!run.signal.aborted && isRunnable(feature.session)) {
      const { task } = feature.session
      await this.#note(feature, task!.type === 'watch' ? 'waiting' : 'executing', task!.type)
      const { revision } = feature.session
      try {
        await this.#perform({ world: this.world, feature, handle: run })
        const stuck = feature.session.revision === revision && !run.signal.aborted
        if (stuck) throw new Held({ kind: 'agent_failed', message: `The task ${task!.type} ended without a result.` })
      } catch (error) {
        if (error instanceof Aborted || run.signal.aborted) break
        await this.#hold(feature, error)
      }
    }
    await this.#note(feature, isRunnable(feature.session) ? 'idle' : 'waiting', 'waits')
  }

  async #note(feature: Feature, status: FeatureFiles['status']['status'], lastAction: string): Promise<void> {
    const at = feature.now()
    await feature.update((files) => ({
      files: {
        ...files,
        status: {
          ...files.status,
          status,
          lastAction,
          lastActionAt: at,
          timestamp: at,
          currentStage: files.session.currentStage,
        },
      },
      events: [],
    }))
  }

  async #hold(feature: Feature, error: unknown): Promise<void> {
    const { log } = this.world
    const held =
      error instanceof Held
        ? error
        : new Held({
            kind: 'agent_failed',
            message: troubleWords(error),
            detail: error instanceof Error ? error.message : String(error),
          })
    if (!(error instanceof Held)) log.error({ err: error, feature: feature.key }, 'a task of a feature session failed')
    await feature.happen({ type: 'held', hold: held.at(feature.now()) })
  }

  async #perform(context: TaskContext): Promise<void> {
    const task = context.feature.session.task!
    switch (task.type) {
      case 'open':
        return open(context)
      case 'discover':
        return discover(context)
      case 'revise':
        return revise(context)
      case 'review':
        return review(context)
      case 'validate':
        return validate(context)
      case 'implement':
        return implement(context, task.stepId)
      case 'collect':
        return collect(context, task.stepId)
      case 'check':
        return check(context)
      case 'fix':
        return fix(context, task.detail)
      case 'commit':
        return commit(context)
      case 'describe':
        return describe(context)
      case 'publish':
        return publish(context)
      case 'watch':
        return watch(context)
      case 'pr_review':
        return prReview(context)
    }
  }

  async #tick(): Promise<void> {
    for (const feature of this.all()) if (this.#stalled.delete(feature.key)) this.#kick(feature)
    await this.#checks.tick()
  }
}

/** What the driver rejects a start with is one of the refusals. */
function troubleWords(error: unknown): string {
  const { code } = error as { code?: string }
  return code === 'agent_busy' || code === 'agent_failed' ? REFUSALS[code].means : 'Something went wrong.'
}
