import { retryDelay } from '#core/memory/sync.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import type { StateStore } from '#core/ports/state.ts'
import { SLOTS } from '../state-slots.ts'
import { type ProjectSync, type SyncNeeds, syncTeam } from './sync-team.ts'

/** A team that something is shared with. */
export interface JoinedTeam extends SyncNeeds {
  url: string
  /** Connects; asked again only after trouble. */
  open(): Promise<TeamDatabase>
}

export interface TeamLoopNeeds {
  /**
   * The team as it is now; undefined where there is none or nothing is shared with it. Asked before every round, so that
   * joining, sharing and leaving count without a restart.
   */
  team(): Promise<JoinedTeam | undefined>
  states: StateStore
  clock: Clock
  log: Log
  /** From 0 to 1. */
  random(): number
  everyMs: number
}

/** How the last sync round went; kept in the store, since `team status` and `doctor` run in other processes. */
export interface TeamSyncState {
  at: number
  /** The last round that went well. */
  okAt?: number
  failures: number
  error?: string
  projects: ProjectSync[]
}

const LAST = 'sync'

export async function lastTeamSync(states: StateStore): Promise<TeamSyncState | undefined> {
  return states.get(SLOTS.team, LAST)
}

/** Notes that a round went well, in whichever process. */
export async function noteInStep(states: StateStore, projects: ProjectSync[], at: number): Promise<void> {
  await states.put(SLOTS.team, LAST, { at, okAt: at, failures: 0, projects }, at)
}

/** Keeps this store and the team's in step for as long as the daemon runs. Trouble is waited out, never passed on. */
export class TeamLoop {
  #connection: { url: string; database: TeamDatabase } | undefined
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #failures = 0
  #stopped = false

  constructor(private readonly needs: TeamLoopNeeds) {}

  start(): void {
    this.#schedule(0)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#round
    await this.#disconnect()
  }

  #schedule(ms: number) {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#round = this.#go().then((next) => this.#schedule(next))
    }, ms)
    // The timer does not keep the process alive.
    this.#timer.unref()
  }

  /** One round; answers how long to wait for the next. */
  async #go(): Promise<number> {
    const { states, clock, log, random, everyMs } = this.needs
    try {
      const joined = await this.needs.team()
      if (joined?.url !== this.#connection?.url) await this.#disconnect()
      if (!joined) return everyMs
      const projects = await this.#sync(joined)
      this.#failures = 0
      await noteInStep(states, projects, clock.now())
      return everyMs
    } catch (error) {
      this.#failures++
      const wait = retryDelay(this.#failures, random())
      const reason = error instanceof Error ? error.message : String(error)
      // A week without a network is one line, not a full log.
      if (this.#failures === 1) log.warn({ reason }, 'the team database cannot be used now; everything is kept here')
      await this.#disconnect()
      await this.#noteFailure(reason)
      return wait
    }
  }

  async #sync(joined: JoinedTeam): Promise<ProjectSync[]> {
    this.#connection ??= { url: joined.url, database: await joined.open() }
    return syncTeam(joined, this.#connection.database)
  }

  async #noteFailure(error: string) {
    const { states, clock, log } = this.needs
    const at = clock.now()
    try {
      const before = await lastTeamSync(states)
      const okAt = before?.okAt
      const state = { at, failures: this.#failures, error, projects: before?.projects ?? [], ...(okAt && { okAt }) }
      await states.put(SLOTS.team, LAST, state, at)
    } catch (trouble) {
      log.warn({ err: trouble }, 'the state of the team synchronisation could not be noted')
    }
  }

  async #disconnect() {
    const connection = this.#connection
    this.#connection = undefined
    try {
      await connection?.database.close()
    } catch (error) {
      this.needs.log.debug({ err: error }, 'the connection to the team database did not close cleanly')
    }
  }
}
