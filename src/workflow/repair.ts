import { readTodo } from '#core/workflow/todo.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { TodoItem } from '#protocol/workflow/todos.ts'
import type { Feature } from './feature.ts'
import { placeOf } from './tasks/context.ts'
import type { WorkflowWorld } from './world.ts'

const MOST_TODOS = 200

/** Comments that are in the code already and ask for something. */
export async function notedInCode(world: WorkflowWorld, feature: Feature): Promise<TodoItem[]> {
  const { blocks } = await world.todos.all(feature.session.folder, MOST_TODOS)
  const createdAt = feature.now()
  return blocks.map((block) => ({
    id: world.newId(),
    ...readTodo(block.type, block.text),
    filePath: block.path,
    lineNumber: block.line,
    rawBlock: block.text,
    source: 'initial_scan' as const,
    status: 'noted' as const,
    selectedOption: null,
    stepId: null,
    spawnNumber: 0,
    createdAt,
    resolvedAt: null,
  }))
}

/** Restores lost files from elsewhere: comments from the code, the pull request from its host. */
export async function repairLost(
  world: WorkflowWorld,
  feature: Feature,
  lost: readonly (keyof FeatureFiles)[],
): Promise<void> {
  const { session } = feature
  if (lost.includes('todos') && session.baseCommitSha !== '') {
    const items = await notedInCode(world, feature)
    await feature.update((files) => ({ files: { ...files, todos: { ...files.todos, items } }, events: [] }))
  }
  if (!lost.includes('pr') || session.currentStage < 5) return
  const [found, head] = await Promise.all([
    session.localReview ? undefined : world.pulls.find(session.folder, session.featureBranch),
    world.repository.find(placeOf(feature)),
  ])
  const pr = found?.ok ? found.value : undefined
  if (!pr && !session.localReview) {
    world.log.warn({ feature: feature.key }, 'pr.json is lost, and the pull request was not found')
    return
  }
  const at = feature.now()
  const pullRequest = {
    id: world.newId(),
    prNumber: pr ? String(pr.number) : '',
    prUrl: pr?.url ?? '',
    title: pr?.title ?? session.title,
    body: pr?.body ?? session.featureDescription,
    status: pr?.state ?? ('local' as const),
    headCommit: pr?.headCommit ?? (head.ok ? head.value.head : ''),
    createdAt: at,
    updatedAt: at,
  }
  await feature.update((files) => ({ files: { ...files, pr: { ...files.pr, pullRequest } }, events: [] }))
}
