import { nextStep } from '#core/plan/order.ts'
import { todoKey } from '#core/workflow/todo.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
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
  const known = new Set(feature.files.todos.items.map(keyOf))
  const now = feature.now()
  const unknown = blocks.filter((block) => !known.has(todoKey(block)))
  const fresh = await Promise.all(unknown.map((block) => readBlock({ world, feature }, block, { stepId, now })))
  const real = fresh.filter(({ status }) => status === 'pending')
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
    const items = [...withLines(files.todos.items, blocks), ...fresh]
    const collected = { ...files, todos: { ...files.todos, items } }
    const kept = saved.ok ? withCheckpoint(collected, stepId, saved.value.ref) : collected
    const after = withQuestions(kept, questions)
    const asked = askedEvents(files.questions.questions, after.questions.questions)
    return { files: after, events: [...collectedEvents(real, stepId), ...asked] }
  })
}

type Block = Awaited<ReturnType<TaskContext['world']['todos']['newSince']>>[number]

function keyOf({ filePath, rawBlock }: TodoItem): string {
  return todoKey({ path: filePath, text: rawBlock })
}

/** Reads a comment for what it asks; one that asks for no decision is only noted. */
async function readBlock(
  { world, feature }: Pick<TaskContext, 'world' | 'feature'>,
  { path: filePath, line: lineNumber, text: rawBlock, type }: Block,
  { stepId, now }: { stepId: string; now: string },
): Promise<TodoItem> {
  const asked = { type, file: filePath, line: lineNumber, text: rawBlock }
  const { isReal, ...read } = await world.readTodo(feature.session.id, asked)
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
}

/** The items with the lines at which their comments stand now. */
function withLines(items: readonly TodoItem[], blocks: readonly Block[]): TodoItem[] {
  const lines = new Map(blocks.map((block) => [todoKey(block), block.line]))
  return items.map((item) => ({ ...item, lineNumber: lines.get(keyOf(item)) ?? item.lineNumber }))
}

function withCheckpoint(files: FeatureFiles, stepId: string, checkpoint: string): FeatureFiles {
  const steps = files.plan!.steps.map((step) =>
    step.id === stepId ? { ...step, metadata: { ...step.metadata, checkpoint } } : step,
  )
  return { ...files, plan: { ...files.plan!, steps } }
}

function collectedEvents(items: readonly TodoItem[], stepId: string) {
  if (items.length === 0) return []
  const told = items.map(({ id, type, description, filePath, lineNumber }) => ({
    id,
    type,
    description,
    file: filePath,
    line: lineNumber,
  }))
  return [
    ...told.map((item) => ({ type: 'todo.collected' as const, stepId, item })),
    { type: 'todo.replanning_triggered' as const, collectedItems: told, returnToStage: 2 as const },
  ]
}
