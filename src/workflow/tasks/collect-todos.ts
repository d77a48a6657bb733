import { nextStep } from '#core/plan/order.ts'
import { todoKey } from '#core/workflow/todo.ts'
import type { TodoItem } from '#protocol/workflow/todos.ts'
import { askedEvents, askedInCode, newQuestions, withQuestions } from '../new-questions.ts'
import { placeOf, type TaskContext } from './context.ts'
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
