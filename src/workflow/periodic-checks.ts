import type { Engine } from './engine.ts'
import { Expiry } from './expiry.ts'
import type { Feature } from './feature.ts'
import { progressOf } from './progress.ts'
import { placeOf } from './tasks/context.ts'

const MERGED_EVERY_MS = 5 * 60_000

/** What is looked at by the clock: limits that have ended, abandoned sessions, pull requests merged elsewhere, old logs. */
export class PeriodicChecks {
  readonly #engine: Engine
  readonly #expiry: Expiry
  #lookedAt = 0
  #sweptOn = ''

  constructor(engine: Engine) {
    this.#engine = engine
    this.#expiry = new Expiry(engine)
  }

  async tick(): Promise<void> {
    const now = this.#engine.world.clock.now()
    await this.#lookForMerged(now)
    await this.#sweepLogs(now)
    for (const feature of this.#engine.all()) {
      await this.#endHold(feature, now)
      await this.#expiry.check(feature, now)
      if (this.#engine.executingSince(feature)) await this.noteProgress(feature)
    }
  }

  /** A failed write is ignored: progress.json is derived, and a full disk must not hold up the work for it. */
  async noteProgress(feature: Feature): Promise<void> {
    const { store, clock, log } = this.#engine.world
    const { projectId, featureId } = feature.session
    const progress = progressOf(feature, this.#engine.executingSince(feature), clock.now())
    await store.writeProgress(projectId, featureId, progress).catch((err: unknown) => {
      log.debug({ err, feature: feature.key }, 'progress.json was not written')
    })
  }

  /** A limit that was held for has ended. */
  async #endHold(feature: Feature, now: number): Promise<void> {
    const { hold } = feature.session
    if (hold?.until && Date.parse(hold.until) <= now) await feature.happen({ type: 'time_came' })
  }

  /** Once a day, at the first look after midnight. */
  async #sweepLogs(now: number): Promise<void> {
    const { runLogs, log } = this.#engine.world
    const today = new Date(now).toDateString()
    if (today === this.#sweptOn) return
    this.#sweptOn = today
    await runLogs.sweep(now).catch((err: unknown) => log.warn({ err }, 'old logs of runs were not removed'))
  }

  /** Looks for pull requests that people have merged or closed on the hosting service. */
  async #lookForMerged(now: number): Promise<void> {
    const { pulls, repository, log } = this.#engine.world
    if (Math.abs(now - this.#lookedAt) < MERGED_EVERY_MS) return
    this.#lookedAt = now
    for (const feature of this.#engine.all()) {
      const { pullRequest } = feature.files.pr
      if (pullRequest?.status !== 'open' || feature.session.currentStage < 6) continue
      const found = await pulls.view(feature.session.projectPath, Number(pullRequest.prNumber))
      if (!found.ok || found.value.state === 'open') continue
      const { state } = found.value
      await feature.update((files) => ({
        files: { ...files, pr: { ...files.pr, pullRequest: { ...pullRequest, status: state } } },
        events: [{ type: 'pr.merged', prNumber: pullRequest.prNumber, state }],
      }))
      const { mode, status, settings } = feature.session
      const isDone = state === 'merged' && status === 'completed' && mode === 'worktree'
      if (!isDone || !settings.deleteBranchAfterMerge) continue
      const closed = await repository.close(placeOf(feature), { deleteBranch: true })
      if (!closed.ok) log.warn({ feature: feature.key, message: closed.message }, 'a worktree was not removed')
    }
  }
}
