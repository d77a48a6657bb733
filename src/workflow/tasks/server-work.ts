import { nextStep } from '#core/plan/order.ts'
import { checksFor } from '#core/workflow/evidence.ts'
import { todoKey } from '#core/workflow/todo.ts'
import type { CheckRun } from '#protocol/workflow/checks.ts'
import type { TodoItem } from '#protocol/workflow/todos.ts'
import { askedEvents, askedInCode, newQuestions, withQuestions } from '../new-questions.ts'
import { Aborted } from '../run/facts.ts'
import { LEFT_OUT, orHold, placeOf, type TaskContext } from './context.ts'
import { intentOf } from './implement.ts'

/** After a step: saves a checkpoint under a hidden ref, and collects comments that ask for a decision. */
export async function collect({ world, feature }: TaskContext, stepId: string): Promise<void> {
  const { session } = feature
  const at = placeOf(feature)
  const saved = await world.repository.checkpoint(
    at,
    `${session.id}/${stepId}`,
    `After step ${stepId} of ${session.title}`,
  )
  if (!saved.ok) world.log.warn({ feature: feature.key, stepId, message: saved.message }, 'a checkpoint was not kept')
  await world.guard.close(session.folder, intentOf(feature, stepId))
  const blocks = await world.todos.newSince(at, session.baseCommitSha, saved.ok ? saved.value.commit : undefined)
  const known = new Map(
    feature.files.todos.items.map((item) => [todoKey({ path: item.filePath, text: item.rawBlock }), item]),
  )
  const now = feature.now()
  const fresh = await Promise.all(
    blocks
      .filter((block) => !known.has(todoKey(block)))
      .map(async ({ path: filePath, line: lineNumber, text: rawBlock, type }): Promise<TodoItem> => {
        const { isReal, ...read } = await world.readTodo(session.id, {
          type,
          file: filePath,
          line: lineNumber,
          text: rawBlock,
        })
        return {
          id: world.newId(),
          ...read,
          filePath,
          lineNumber,
          rawBlock,
          source: 'implementation',
          status: isReal ? 'pending' : 'noted',
          selectedOption: null,
          stepId,
          spawnNumber: feature.files.status.claudeSpawnCount,
          createdAt: now,
          resolvedAt: null,
        }
      }),
  )
  const real = fresh.filter(({ status }) => status === 'pending')
  const moved = new Map(blocks.map((block) => [todoKey(block), block.line]))
  const next = nextStep(feature.files.plan!)?.id ?? null
  await feature.happen({ type: 'collected', items: real.length, next }, (files) => {
    const questions = real.flatMap((item) =>
      newQuestions(files, [askedInCode(item)], {
        askedBy: 'todo',
        batch: `todos-${stepId}-${now}`,
        validate: false,
        stepId,
        todoId: item.id,
        newId: world.newId,
        at: now,
      }),
    )
    const items = files.todos.items.map((item) => ({
      ...item,
      lineNumber: moved.get(todoKey({ path: item.filePath, text: item.rawBlock })) ?? item.lineNumber,
    }))
    const steps = files.plan!.steps.map((step) =>
      step.id === stepId && saved.ok ? { ...step, metadata: { ...step.metadata, checkpoint: saved.value.ref } } : step,
    )
    const after = withQuestions(
      {
        ...files,
        plan: { ...files.plan!, steps },
        todos: { ...files.todos, items: [...items, ...fresh] },
      },
      questions,
    )
    const told = real.map(({ id, type, description, filePath, lineNumber }) => ({
      id,
      type,
      description,
      file: filePath,
      line: lineNumber,
    }))
    return {
      files: after,
      events: [
        ...told.map((item) => ({ type: 'todo.collected' as const, stepId, item })),
        ...(told.length > 0
          ? [{ type: 'todo.replanning_triggered' as const, collectedItems: told, returnToStage: 2 as const }]
          : []),
        ...askedEvents(files.questions.questions, after.questions.questions),
      ],
    }
  })
}

const KINDS = ['test', 'types', 'lint', 'build'] as const

/** Runs the project's own commands that criteria ask for. What an agent reports about them does not count. */
export async function check({ world, feature, handle }: TaskContext): Promise<void> {
  const { session } = feature
  const wanted = new Set(
    session.acceptanceCriteria
      .filter(({ checked, type }) => checked && type === 'automated')
      .flatMap(({ text }) => checksFor(text)),
  )
  // Detected again: a step may have changed the commands.
  const commands = await world.commands.detect(session.folder)
  const limitMs = world.settings.checkTimeoutMinutes * 60_000
  const failed: CheckRun[] = []
  for (const kind of KINDS) {
    const command = commands[kind]
    if (!command || !wanted.has(kind)) continue
    feature.say({ spawnId: '', kind: 'check', text: `Running ${command.join(' ')}` })
    const ran = await world.commands.run(session.folder, command, { limitMs, signal: handle.signal })
    if (handle.signal.aborted) throw new Aborted()
    const run: CheckRun = { id: world.newId(), kind, ...ran, ranAt: feature.now(), attempt: session.fixAttempts }
    feature.say({
      spawnId: '',
      kind: 'check',
      text: `${command.join(' ')}: ${run.result}`,
      outcome: run.result === 'passed' ? 'ok' : 'error',
    })
    if (run.result !== 'passed') failed.push(run)
    await feature.update((files) => ({
      files: { ...files, checks: { ...files.checks, runs: [...files.checks.runs, run].slice(-MOST_RUNS) } },
      events: [{ type: 'check.finished', run }],
    }))
  }
  const detail = failed
    .map(({ command, result, output }) => `$ ${command.join(' ')}\n${result}\n${output}`)
    .join('\n\n')
  await feature.happen({ type: 'checked', passed: failed.length === 0, detail, at: feature.now() }, (files) => ({
    files: { ...files, session: { ...files.session, commands } },
  }))
}

const MOST_RUNS = 100

/** One commit for a pass of the implementation. */
export async function commit({ world, feature }: TaskContext): Promise<void> {
  const { session, plan } = feature.files
  const done = plan!.steps.filter(({ metadata }) => metadata.doneBy === 'agent')
  const message = [
    session.title,
    '',
    ...done.map(({ title, metadata }) => `- ${title}${metadata.summary ? `: ${metadata.summary.split('\n')[0]}` : ''}`),
  ].join('\n')
  const made = orHold(await world.repository.commit(placeOf(feature), message, LEFT_OUT), 'commit the changes')
  const isEmpty = made.commit === undefined && feature.files.pr.pullRequest === null
  await feature.happen({ type: 'committed' }, (files) => ({
    files: { ...files, status: { ...files.status, currentStepId: null } },
    events: isEmpty
      ? [{ type: 'agent.warning', message: 'Every step is reported as done, and no file was changed.' }]
      : [],
  }))
}
