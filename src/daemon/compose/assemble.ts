import { existsSync } from 'node:fs'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import type { Judge } from '#core/ports/judge.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import type { Store } from '#core/ports/store.ts'
import type { GitCache } from '#exec/git/cache.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { TraceWorld } from '#supervisor/guard/trace/world.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import type { Pauses } from '#supervisor/pause/pauses.ts'
import type { Supervisor } from '#supervisor/supervisor.ts'
import { checkHome } from '../process/home.ts'
import type { PartModules } from './lazy-modules.ts'
import type { OpenMemory } from './memory.ts'
import { projectSettings, type SettingProblemsAt, type SettingsAt } from './project-settings.ts'
import { openStore } from './store.ts'
import type { TeamAccess } from './team.ts'

/** Everything Grove works with, on one home: the same for the daemon, a hook process, the MCP server and every command. */
export interface OpenWorld {
  config: Config
  /** The settings as they hold in a folder. */
  settingsAt: SettingsAt
  settingProblemsAt: SettingProblemsAt
  log: Log
  clock: Clock
  /** Whether anything is stored in this home: commands that only look must not create a store. */
  hasStore(): boolean
  store(): Promise<Store>
  /** The store as the supervisor writes to it: what waits to be written is written before it is read here. */
  writeBehind(): Promise<Store>
  /** What git says about folders. */
  git(): Promise<GitCache>
  memory(): Promise<OpenMemory>
  learning(): Promise<LearningWorld>
  guard(): Promise<GuardWorld>
  trace(): Promise<TraceWorld>
  /** The configured judge, on a session's account. */
  judge(): Promise<(sessionId: string) => Judge>
  supervisor(): Promise<Supervisor>
  /** Whether, and for whom, a person has switched Grove off for now. */
  pauses(): Promise<Pauses>
  /** What listens to hooks, in the order in which their contexts are joined. */
  hookParts(): Promise<HookPart[]>
  /** Connects to a team's database. */
  team(url: string): Promise<TeamDatabase>
  /** Who may use a team's database, for its owner. */
  teamAccess(url: string): Promise<TeamAccess>
  /** Finishes what was begun, and closes what was opened. */
  close(): Promise<void>
}

export interface WorldOptions {
  config: Config
  log: Log
  clock?: Clock
  /** Instead of the home's own file: `:memory:` for work that must leave nothing behind. */
  database?: string
  /** Receives live events while agents work. */
  publish?: (event: LiveEvent) => void
  /** Whether a session of Claude works for a feature session. */
  isDriven?: (sessionId: string) => boolean
  /** Runs work that no answer depends on, after the answer was sent; without it, that work is done first. */
  later?: (job: () => void) => void
}

/** Puts the parts together. Each is loaded and opened when it is first asked for; `load` says how its module is loaded. */
export function assembleWorld(options: WorldOptions, load: PartModules): OpenWorld {
  const { config, log, clock = { now: Date.now }, publish = () => {}, later, isDriven } = options
  const database = options.database ?? pathsOf(config).database
  const deferring = later && { later }
  const { settingsAt, settingProblemsAt } = projectSettings(config, log)
  const closers: (() => Promise<void> | void)[] = []
  const openings: Promise<unknown>[] = []

  /** Opens on first use, once. */
  function once<T>(open: () => Promise<T>): () => Promise<T> {
    let opened: Promise<T> | undefined
    return () => {
      if (opened) return opened
      opened = open()
      openings.push(opened)
      return opened
    }
  }

  const stored = once(async () => {
    const opened = await openStore({ config, clock, log, database, later })
    closers.push(() => opened.writeBehind.close())
    return opened
  })
  const store = async () => (await stored()).store
  const git = once(async () => {
    const [{ gitOn }, { writeBehind }] = await Promise.all([load.git(), stored()])
    return gitOn(writeBehind.states, clock)
  })
  const pauses = once(async () => {
    const [{ pausesIn }, { states }, { projectAt }] = await Promise.all([load.pauses(), store(), git()])
    return pausesIn({ states, clock, projectAt })
  })
  const memory = once(async () => {
    const [{ memoryWorld }, { writeBehind, memoriesAsOf }, asked] = await Promise.all([load.memory(), stored(), git()])
    const given = { config, settingsAt, store: writeBehind, git: asked, clock, log }
    const opened = memoryWorld({ ...given, ...(memoriesAsOf && { memoriesAsOf }) })
    closers.push(() => opened.indexes.close())
    return opened
  })
  const learning = once(async () => {
    const [{ learningWorld }, { states, injections }, asked] = await Promise.all([load.learning(), store(), git()])
    const given = { config, settingsAt, states, injections, git: asked, clock, log, publish }
    const opened = learningWorld({ ...given, ...deferring })
    closers.push(() => opened.close())
    return opened
  })
  const guard = once(async () => {
    const [{ guardWorld }, { states, tasks }] = await Promise.all([load.guard(), store()])
    const opened = guardWorld({
      config,
      settingsAt,
      states,
      tasks,
      clock,
      log,
      notify: publish,
      ...deferring,
    })
    closers.push(opened.close)
    return opened
  })
  const trace = once(async () => (await load.trace()).traceWorld(config))
  const judge = once(async () => {
    const [{ judgesOf }, { writeBehind }] = await Promise.all([load.judge(), stored()])
    return judgesOf(config, { states: writeBehind.states, clock, log })
  })
  const supervisor = once(async () => {
    const [{ supervisorOn }, { writeBehind }] = await Promise.all([load.supervisor(), stored()])
    const [judgeFor, remembered, pausing, { projectAt }] = await Promise.all([judge(), memory(), pauses(), git()])
    const parts = {
      pauses: pausing,
      projectAt,
      clock,
      log,
      judgeFor,
      memory: remembered,
      publish,
      ...(later && { defer: later }),
      ...(isDriven && { isDriven }),
    }
    const opened = supervisorOn(config, writeBehind, parts)
    closers.push(() => opened.idle())
    return opened
  })
  const hookParts = once(async () => {
    const [{ partsOf }, opened] = await Promise.all([load.hookParts(), store()])
    const [engine, learned, guarding] = await Promise.all([supervisor(), learning(), guard()])
    const isDaemon = later !== undefined
    return partsOf({ supervisor: engine, learning: learned, guard: guarding, store: opened, clock, isDaemon })
  })

  return {
    config,
    settingsAt,
    settingProblemsAt,
    log,
    clock,
    hasStore() {
      checkHome(config.home)
      return existsSync(database)
    },
    store,
    writeBehind: async () => (await stored()).writeBehind,
    git,
    memory,
    learning,
    guard,
    trace,
    judge,
    supervisor,
    pauses,
    hookParts,
    async team(url) {
      const { openTeam } = await load.team()
      const opened = await openTeam(url, log)
      closers.push(() => opened.close())
      return opened
    },
    teamAccess: async (url) => (await load.team()).teamAccess(url, log),
    async close() {
      await Promise.allSettled(openings)
      // What was opened later may use what was opened before.
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}
