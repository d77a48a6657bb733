import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { memoryContext } from '#core/memory/inject.ts'
import type { AgentDriver } from '#core/ports/agent-driver.ts'
import type { Judge } from '#core/ports/judge.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { RecalledContext, StepGuard } from '#core/ports/workflow.ts'
import { answerWords } from '#core/workflow/questions.ts'
import { projectCommands } from '#exec/checks/project-commands.ts'
import { ClaudeDriver } from '#exec/claude/driver.ts'
import { runLogs } from '#exec/claude/run-logs.ts'
import { pullRequests } from '#exec/gh/pull-requests.ts'
import { desktopNotifier } from '#exec/notify/desktop.ts'
import { featureRepository } from '#exec/repository/repository.ts'
import { todoScanner } from '#exec/todos/todo-scanner.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { readHookEvent } from '#protocol/hook-event.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import { WorkflowStore } from '#storage/files/workflow-store.ts'
import { selectIntent } from '#supervisor/guard/intents/active-intent.ts'
import { addIntent, setStatus } from '#supervisor/guard/intents/change-intents.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import { type HookPart, handleHook } from '#supervisor/handle-hook.ts'
import { findLearnings } from '#supervisor/learning/retrieve.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { rememberWork } from '#supervisor/memory/remember.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import { Engine } from '#workflow/engine.ts'
import { noticeOf } from '#workflow/notification-text.ts'
import type { WorkflowWorld } from '#workflow/world.ts'
import { tools } from './tools.ts'

interface Needs {
  config: Config
  states: StateStore
  guard: GuardWorld
  memory: MemoryWorld
  learning: LearningWorld
  clock: Clock
  log: Log
  publish(event: LiveEvent): void
  /** What listens to hooks; without it runs are not supervised. */
  hookParts?: readonly HookPart[]
  /** Where Claude sends its requests: our own proxy, with the key in the path. Absent: where it does by itself. */
  baseUrl?: string | undefined
  usageResetAt?(): number | undefined
  /** Reads reports that are not in the expected form; rules alone if left out. */
  judgeFor?: (sessionId: string) => Judge
  /** Instead of the `claude` command of this machine. */
  driver?: AgentDriver
  store?: WorkflowWorld['store']
  env?: Record<string, string | undefined>
}

/** The engine of feature sessions on this machine. It does nothing before it is started. */
export function workflowEngine(needs: Needs): Engine {
  const {
    config,
    states,
    clock,
    log,
    memory,
    learning,
    hookParts = [],
    baseUrl,
    judgeFor = () => heuristicJudge,
  } = needs
  const { home, logs, run } = pathsOf(config)
  const env = needs.env ?? environment()
  const world: WorkflowWorld = {
    store: needs.store ?? new WorkflowStore(join(home, 'workflows')),
    driver:
      needs.driver ??
      new ClaudeDriver({
        bin: config.claude.bin,
        env,
        recordsDir: join(run, 'spawns'),
        ...(baseUrl !== undefined && { baseUrl }),
      }),
    repository: featureRepository({ env, helpers: config.workflow.copyUntracked }),
    pulls: pullRequests(env),
    commands: projectCommands({ env, now: clock.now }),
    todos: todoScanner(env),
    tools,
    states,
    guard: stepGuard(needs.guard),
    clock,
    log,
    newId: randomUUID,
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    async sleep(ms, signal) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {}) // Ignored: the abort signal is meant to wake it early.
    },
    settings: config.workflow,
    // Beside the home, not in it: agents may write nothing inside the home.
    worktrees: `${home}-worktrees`,
    runLogs: runLogs(logs, config.log.retentionDays * 86_400_000),
    hook: (event) => handleHook(hookParts, readHookEvent(event), log),
    recall: (about) => recall(memory, learning, about),
    readTodo: (sessionId, block) => judgeFor(sessionId).readTodo(block),
    readReport: (sessionId, said) => judgeFor(sessionId).readReport(said),
    remember: async (files) => {
      await rememberWork(memory, memoryOf(files, clock.now()))
    },
    usageResetAt: needs.usageResetAt ?? (() => undefined),
    publish(event) {
      needs.publish(event)
      if (config.workflow.notify) tell(event)
    },
  }
  const notify = desktopNotifier(env)
  const tell = (event: LiveEvent) => {
    const said = noticeOf(event)
    if (said === undefined || !('featureId' in event)) return
    notify(engine.find(event.projectId, event.featureId)?.session.title ?? 'Grove', said)
  }
  const engine = new Engine(world)
  return engine
}

/** Steps as intents in the worktree's own `.orchestration`. */
function stepGuard(guard: GuardWorld): StepGuard {
  const projectAt = (folder: string) => ({ root: folder, orchestration: join(folder, '.orchestration') })
  return {
    async declare(folder, steps) {
      const project = projectAt(folder)
      const known = new Set((await guard.intents.open(project)).all().map(({ id }) => id))
      for (const { intentId: id, title: name, paths, criteria } of steps.filter(
        ({ intentId }) => !known.has(intentId),
      )) {
        await addIntent(guard, project, {
          id,
          name,
          status: 'planned',
          ownedScope: paths,
          constraints: [],
          acceptanceCriteria: criteria,
          dependencies: [],
        })
      }
    },
    async select(folder, claudeId, intentId) {
      await setStatus(guard, projectAt(folder), intentId, 'in_progress')
      await selectIntent(guard, { sessionId: claudeId }, { intentId })
    },
    async close(folder, intentId) {
      await setStatus(guard, projectAt(folder), intentId, 'done')
    },
  }
}

const MOST = { memories: 4, learnings: 5 }
const TOKENS = 1200

async function recall(
  memory: MemoryWorld,
  learning: LearningWorld,
  about: { text: string; files: string[]; projectId: string; cwd: string; claudeId: string },
): Promise<RecalledContext> {
  const { text, files, projectId, cwd, claudeId } = about
  const found = await memory.find(projectId, { text, files, sessionId: claudeId, limit: MOST.memories, sure: true })
  const whys = new Map(found.map(({ memoryId, why }) => [memoryId, why]))
  const memories = (await memory.store.memories.byIds([...whys.keys()])).filter((one) => one.supersededBy === undefined)
  const context = memoryContext(
    memories.map((one) => ({ memory: one, why: whys.get(one.id) ?? '', branch: 'main' })),
    { memories: MOST.memories, tokens: TOKENS },
  )
  const root = learning.rootOf(cwd)
  const library = learning.libraryAt(root, learning.settingsAt(root))
  const learned = await findLearnings(
    learning,
    library,
    { prompt: text, files, tags: [] },
    { maxResults: MOST.learnings, leastRelevance: 0.3 },
  )
  const lines = learned.found.map(({ learning: one }) => `- ${one.summary}: ${one.detail}`)
  return {
    text: [...(context ? [context.text] : []), ...(lines.length > 0 ? [`Learnings:\n${lines.join('\n')}`] : [])].join(
      '\n\n',
    ),
    items: [
      ...memories.map(({ id, goal }) => ({ kind: 'memory' as const, id, title: goal })),
      ...learned.found.map(({ learning: { id, summary } }) => ({ kind: 'learning' as const, id, title: summary })),
    ],
  }
}

function memoryOf({ session, plan, questions }: FeatureFiles, now: number) {
  const decided = questions.questions.filter(({ state }) => state === 'answered')
  const done = plan?.steps.filter(({ metadata }) => metadata.doneBy === 'agent') ?? []
  return {
    id: randomUUID(),
    projectId: session.project.id,
    instruction: session.featureDescription,
    goal: session.title,
    reasoningTrace: done.map(({ title, metadata }) => `${title}${metadata.summary ? `: ${metadata.summary}` : ''}`),
    decisions: decided.map((one) => ({ choice: answerWords(one), reason: one.questionText })),
    constraints: session.technicalNotes ? [session.technicalNotes] : [],
    files: [...new Set(done.flatMap(({ ownedPaths }) => ownedPaths.filter((path) => !/[*?[{!]/.test(path))))],
    tags: ['feature-session'],
    status: 'complete' as const,
    trigger: 'complete' as const,
    branch: session.featureBranch,
    sessionId: session.claudeSessionId ?? session.id,
    createdAt: now,
  }
}
