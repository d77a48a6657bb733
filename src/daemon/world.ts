import { randomUUID } from 'node:crypto'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import type { Log, Store } from '#core/ports.ts'
import { projectAt } from '#exec/git.ts'
import { readFrom } from '#exec/read-file.ts'
import { remembering } from '#exec/remember.ts'
import { RepoKnowledge } from '#exec/repo-evidence.ts'
import { run } from '#exec/spawn.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { callerPart } from '#mcp/caller.ts'
import { guardPart } from '#supervisor/guard/part.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import { learningPart } from '#supervisor/learning/part.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import type { LiveEvent } from '#supervisor/live.ts'
import { purseFor } from '#supervisor/purse.ts'
import { Supervisor } from '#supervisor/supervisor.ts'
import type { World } from '#supervisor/world.ts'
import { guardWorld } from './guard.ts'
import { learningWorld } from './learning.ts'
import { memoryWorld, type OpenMemory } from './memory.ts'

/** The only place where adapters are constructed. Each is loaded on use: nobody pays for a database driver they do not have. */

/** Opens this home's store. With a team it stays the one that is worked on; `team.ts` keeps the two in step. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  const { openSqliteStore } = await import('#storage/sql/sqlite.ts')
  return openSqliteStore({ file: pathsOf(config).database, log, now: Date.now })
}

/** Everything behind the doors. */
export interface OpenWorld {
  store: Store
  supervisor: Supervisor
  /** What listens to hooks, in the order in which their contexts are joined. */
  parts: HookPart[]
  learning: LearningWorld
  guard: GuardWorld
  memory: OpenMemory
  close(): Promise<void>
}

/** A project's remote hardly ever changes. */
const PROJECT_KNOWN_MS = 60_000

interface WorldOptions {
  config: Config
  log: Log
  /** Told what happens while agents work. */
  publish?: (event: LiveEvent) => void
}

/** Opens the store and puts the supervisor and its parts on it; the daemon and a hook process without one do the same. */
export async function openWorld({ config, log, publish = () => {} }: WorldOptions): Promise<OpenWorld> {
  const store = await openStore(config, log)
  const clock = { now: Date.now }
  const repository = new RepoKnowledge(Date.now)
  const judgeFor = await judges(config, store, log)
  const memory = memoryWorld({ config, store, clock, log })
  const world: Omit<World, 'consult'> = {
    store,
    clock,
    log,
    newId: (prefix) => `${prefix}_${randomUUID()}`,
    // Asked before a request goes up, so git must not be started each time.
    projectAt: remembering(projectAt, PROJECT_KNOWN_MS),
    readFile: readFrom,
    evidence: (root, path, others) => repository.about(root, path, others),
    judgeFor,
    memory,
    settings: {
      driftCheckInterval: config.drift.checkInterval,
      warnShare: config.tokens.warningShare,
      clearShare: config.tokens.clearShare,
      ...(config.tokens.warningThreshold !== undefined && { warnTokens: config.tokens.warningThreshold }),
      ...(config.tokens.clearThreshold !== undefined && { clearTokens: config.tokens.clearThreshold }),
      clearEnabled: config.clear.enabled,
    },
    publish,
  }
  const supervisor = new Supervisor(world)
  const learning = learningWorld({ config, states: store.states, clock, log })
  const guard = guardWorld({ config, states: store.states, log })
  const parts: HookPart[] = [
    { name: 'supervisor', handle: (event) => supervisor.hook(event) },
    callerPart({ states: store.states, clock }),
    learningPart(learning),
    guardPart(guard),
  ]
  return {
    store,
    supervisor,
    parts,
    learning,
    guard,
    memory,
    async close() {
      await supervisor.idle()
      await learning.close()
      memory.indexes.close()
      await store.close()
    },
  }
}

async function judges({ judge, proxy, claude }: Config, store: Store, log: Log) {
  if (judge.kind === 'heuristic') return () => heuristicJudge
  const { chooseJudge } = await import('#llm/choose.ts')
  const choose = chooseJudge(
    {
      kind: judge.kind,
      model: judge.model,
      apiKey: judge.apiKey,
      timeoutMs: judge.timeoutSeconds * 1000,
      concurrency: judge.concurrency,
      baseUrl: proxy.target,
      claudeBin: claude.bin,
      run,
    },
    log,
  )
  const budget = { session: judge.sessionBudgetUsd, day: judge.dayBudgetUsd }
  return (sessionId: string) => choose(purseFor(store.states, Date.now, budget, sessionId))
}
