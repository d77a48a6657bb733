import { inOrder, nextStep } from '#core/plan/order.ts'
import { afterSpawn, type Breaker } from '#core/workflow/circuit-breaker.ts'
import { analyse } from '#core/workflow/confidence.ts'
import { MAX_FIXES } from '#core/workflow/decide.ts'
import { noteSpawn } from '#core/workflow/exit.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { PlanStep } from '#protocol/workflow/plan.ts'
import { Held } from '../hold-error.ts'
import { KEEP, recontextualisation } from '../prompts/context.ts'
import { fixPrompt, REPORT_PLEASE, stepPrompt } from '../prompts/implementation.ts'
import { runAgent } from '../run/agent-run.ts'
import type { RunResult } from '../run/facts.ts'
import { checkEnd, notUnderstood, readFreely } from './after-run.ts'
import { placeOf, type TaskContext } from './context.ts'

/** The intent that a step is guarded by. */
export function intentOf({ session }: Pick<FeatureFiles, 'session'>, stepId: string): string {
  return `${session.featureId}/${stepId}`
}

const FIX = 'fix'

/** Stage 3: one step, one turn. */
export async function implement(context: TaskContext, stepId: string): Promise<void> {
  const { world, feature } = context
  const plan = feature.files.plan!
  const step = plan.steps.find(({ id }) => id === stepId)
  if (!step) {
    await feature.happen({ type: 'collected', items: 0, next: nextStep(plan)?.id ?? null })
    return
  }
  // It was reported as done before Grove stopped.
  if (step.status === 'completed') {
    await feature.happen({ type: 'step_done', stepId })
    return
  }
  const wasBegun = step.status === 'in_progress' || step.status === 'blocked'
  const isFirst =
    !plan.steps.some(({ status, metadata }) => status === 'completed' && metadata.doneBy === 'agent') && !wasBegun
  await beginStep(context, step)
  const { session } = feature
  const isLast = plan.steps.filter(({ status }) => status !== 'completed').length === 1
  const isFull = session.usage.window > 0 && session.usage.contextTokens > session.usage.window * 0.9
  const guidance = await takeGuidance(context)
  const before = await world.repository.fingerprint(placeOf(feature))
  const result = await runAgent(world, feature, context.handle, {
    task: 'implement',
    conversation: 'work',
    prompt: stepPrompt(step, plan, session, {
      guidance,
      isFirst: isFirst || isFull,
      stateFolder: feature.folder,
      interrupted: wasBegun,
    }),
    nudges: [REPORT_PLEASE, REPORT_PLEASE],
    ...((isFirst || isFull) && { compact: { keep: KEEP, afterwards: recontextualisation('implement', session) } }),
    hooks: { gate: isLast },
  })
  checkEnd(context, result.end)
  const isStill = result.unanswered && !(await readFreely(context, result, 'step'))
  await judgeRun(context, result, {
    reported: !isStill,
    changed: before !== (await world.repository.fingerprint(placeOf(feature))),
  })
  if (isStill && feature.session.hold === null) throw notUnderstood(result, 'report about the step')
}

async function beginStep({ world, feature }: TaskContext, step: PlanStep): Promise<void> {
  const { plan, session } = feature.files
  const steps = inOrder(plan!.steps)
  const intentId = intentOf(feature, step.id)
  await world.guard.declare(session.folder, guarded(feature.files))
  await feature.update((files) => ({
    files: {
      ...files,
      plan: {
        ...files.plan!,
        steps: files.plan!.steps.map((one) =>
          one.id === step.id
            ? {
                ...one,
                status: 'in_progress' as const,
                metadata: { ...one.metadata, intentId, startedAt: one.metadata.startedAt ?? feature.now() },
              }
            : one,
        ),
      },
      status: { ...files.status, currentStepId: step.id },
    },
    events: [
      {
        type: 'execution.step_started',
        stepId: step.id,
        title: step.title,
        position: steps.findIndex(({ id }) => id === step.id) + 1,
        of: steps.length,
      },
    ],
  }))
  const claudeId = await workConversation(world, feature)
  await world.guard.select(session.folder, claudeId, intentId)
}

/** The conversation of the next run; its id is chosen here, so that the guard knows it before the first call. */
async function workConversation(world: TaskContext['world'], feature: TaskContext['feature']): Promise<string> {
  const known = feature.session.claudeSessionId
  if (known) return known
  const id = world.newId()
  await feature.update((files) => ({
    files: { ...files, session: { ...files.session, claudeSessionId: id } },
    events: [],
  }))
  return id
}

function guarded({ plan, session }: FeatureFiles) {
  const steps = plan!.steps.filter(({ metadata }) => metadata.doneBy !== 'grove')
  const all = steps.some(({ ownedPaths }) => ownedPaths.length === 0)
    ? ['**']
    : steps.flatMap(({ ownedPaths }) => ownedPaths)
  return [
    ...steps.map(({ id, title, ownedPaths, criteria }) => ({
      intentId: intentOf({ session }, id),
      title,
      paths: ownedPaths.length > 0 ? ownedPaths : ['**'],
      criteria,
    })),
    { intentId: intentOf({ session }, FIX), title: 'Fix failing checks', paths: [...new Set(all)], criteria: [] },
  ]
}

/** Messages from people since the last run; each is delivered once. */
async function takeGuidance({ feature }: TaskContext): Promise<string[]> {
  const said = feature.session.carried.filter(({ from }) => from === 'guidance').map(({ text }) => text)
  if (said.length === 0) return []
  await feature.update((files) => ({
    files: {
      ...files,
      session: { ...files.session, carried: files.session.carried.filter(({ from }) => from !== 'guidance') },
    },
    events: [],
  }))
  return said
}

/** Stage 3: the project's own commands fail, and Claude tries to fix it. */
export async function fix(context: TaskContext, detail: string): Promise<void> {
  const { world, feature } = context
  const claudeId = await workConversation(world, feature)
  await world.guard.declare(feature.session.folder, guarded(feature.files))
  await world.guard.select(feature.session.folder, claudeId, intentOf(feature, FIX))
  const guidance = await takeGuidance(context)
  const before = await world.repository.fingerprint(placeOf(feature))
  const result = await runAgent(world, feature, context.handle, {
    task: 'fix',
    conversation: 'work',
    prompt: fixPrompt(detail, Math.max(1, feature.session.fixAttempts), MAX_FIXES, guidance),
    nudges: [],
    hooks: { gate: false },
  })
  checkEnd(context, result.end)
  if (!result.unanswered) return
  await judgeRun(context, result, {
    reported: true,
    changed: before !== (await world.repository.fingerprint(placeOf(feature))),
  })
  await feature.happen({ type: 'fixed' })
}

/** Feeds circuit breaker and exit signals after every run of the implementation. */
async function judgeRun(
  { world, feature }: TaskContext,
  result: RunResult,
  { reported, changed }: { reported: boolean; changed: boolean },
): Promise<void> {
  const { confidence, error } = analyse(result.text, result.markers)
  const { status } = feature.files
  const before: Breaker = { ...status, state: status.circuitBreakerState }
  const filesChanged = changed ? 1 : 0
  const spawn = {
    filesChanged,
    error,
    testOnly: result.testOnly,
    outputLength: result.text.length,
    confidence,
    reported,
  }
  const { breaker, trigger, context, warning } = afterSpawn(before, spawn)
  const number = status.claudeSpawnCount
  const exitSignals = noteSpawn(status.exitSignals, {
    number,
    testOnly: result.testOnly,
    text: result.text,
    filesChanged,
  })
  const events: NewWorkflowEvent[] = [
    ...(warning ? [{ type: 'agent.warning' as const, message: warning }] : []),
    ...(trigger ? [{ type: 'breaker.changed' as const, from: before.state, to: breaker.state, trigger, context }] : []),
  ]
  await feature.update((files) => ({
    files: {
      ...files,
      status: {
        ...files.status,
        circuitBreakerState: breaker.state,
        noChangeSpawns: breaker.noChangeSpawns,
        testOnlyInARow: breaker.testOnlyInARow,
        lastError: breaker.lastError,
        sameErrorSpawns: breaker.sameErrorSpawns,
        lastOutputLength: breaker.lastOutputLength,
        exitSignals,
      },
      breaker: trigger
        ? {
            transitions: [
              ...files.breaker.transitions,
              { timestamp: feature.now(), from: before.state, to: breaker.state, trigger, spawnCount: number, context },
            ].slice(-MOST_TRANSITIONS),
          }
        : files.breaker,
    },
    events,
  }))
  if (!trigger) return
  world.log.warn({ feature: feature.key, trigger, state: breaker.state }, 'the circuit breaker has another state')
  throw new Held({
    kind: breaker.state === 'OPEN' ? 'breaker_open' : 'breaker_half_open',
    message: context,
    detail: result.text.slice(-4000),
  })
}

const MOST_TRANSITIONS = 200
