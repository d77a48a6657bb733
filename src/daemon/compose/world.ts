import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import type { Log, Store } from '#core/ports/store.ts'
import { knownProjects } from '#exec/git/cache.ts'
import { askRepositories } from '#exec/git/evidence.ts'
import { transcriptOf } from '#exec/import/transcripts.ts'
import { randomId } from '#exec/random-id.ts'
import { readFrom } from '#exec/read-file.ts'
import { run } from '#exec/spawn.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { callerPart } from '#mcp/caller.ts'
import type { LiveEvent } from '#protocol/live.ts'
import { knownReads } from '#storage/known-reads.ts'
import type { SqliteStore } from '#storage/sqlite/open.ts'
import { writeBehind } from '#storage/write-behind.ts'
import { guardPart } from '#supervisor/guard/part.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import { budgetFor } from '#supervisor/judge/budget.ts'
import { learningPart } from '#supervisor/learning/part.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { supervisorPart } from '#supervisor/part.ts'
import { Supervisor } from '#supervisor/supervisor.ts'
import type { World } from '#supervisor/world.ts'
import { guardWorld } from './guard.ts'
import { type InboxWatch, watchInbox } from './inbox-watch.ts'
import { learningWorld } from './learning.ts'
import { memoryWorld, type OpenMemory } from './memory.ts'

/** The only place where adapters are constructed. Each is loaded on use: nobody pays for a database driver they do not have. */

/** Opens this home's store. With a team it stays the one that is worked on; `team.ts` keeps the two in step. */
export async function openStore(config: Config, log: Log): Promise<SqliteStore> {
  const { openSqliteStore } = await import('#storage/sqlite/open.ts')
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
  inbox: InboxWatch
  memory: OpenMemory
  close(): Promise<void>
}

interface WorldOptions {
  config: Config
  log: Log
  /** Told what happens while agents work. */
  publish?: (event: LiveEvent) => void
  /** Begins what no answer depends on when the answer has left; without it, everything is done before. */
  later?: (job: () => void) => void
}

/** Opens the store and puts the supervisor and its parts on it; the daemon and a hook process without one do the same. */
export async function openWorld({ config, log, publish = () => {}, later }: WorldOptions): Promise<OpenWorld> {
  const file = await openStore(config, log)
  const known = later && knownReads(file, file.writtenElsewhere)
  const opened = known?.store ?? file
  // Agents' own processes read what the gate and the guard write, so those two write at once.
  const { states } = opened
  const store = later ? writeBehind(opened, { later, log }) : opened
  const clock = { now: Date.now }
  let repositories: World['evidence'] | undefined
  const judgeFor = await judges(config, store, log)
  const memory = memoryWorld({ config, store, clock, log, ...(known && { memoriesAsOf: known.memoriesAsOf }) })
  const world: Omit<World, 'consult'> = {
    store,
    clock,
    log,
    newId: (prefix) => `${prefix}_${randomId()}`,
    projectAt: knownProjects({ states: store.states, now: clock.now }),
    readFile: readFrom,
    transcriptOf: (sessionId) => transcriptOf(claudeFolder(), sessionId),
    evidence(root, path, others) {
      repositories ??= askRepositories(Date.now)
      return repositories(root, path, others)
    },
    shellWrites: (command, place) => guard.shell(command, place),
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
    ...(later && { defer: later }),
  }
  const supervisor = new Supervisor(world)
  const learning = learningWorld({ config, states, clock, log, ...(later && { later }) })
  const inbox = watchInbox({ states, log, publish })
  const guard = guardWorld({ config, states, log, notify: inbox.notify })
  const parts: HookPart[] = [
    supervisorPart(supervisor),
    callerPart({ states, clock }),
    learningPart(learning),
    guardPart(guard),
  ]
  return {
    store: opened,
    supervisor,
    parts,
    learning,
    guard,
    inbox,
    memory,
    async close() {
      await supervisor.idle()
      await learning.close()
      memory.indexes.close()
      await store.close()
    },
  }
}

function claudeFolder(): string {
  return environment().CLAUDE_CONFIG_DIR || join(homedir(), '.claude')
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
      env: environment(),
    },
    log,
  )
  const budget = { session: judge.sessionBudgetUsd, day: judge.dayBudgetUsd }
  return (sessionId: string) => choose(budgetFor(store.states, Date.now, budget, sessionId))
}
