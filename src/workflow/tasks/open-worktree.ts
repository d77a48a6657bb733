import { Held } from '../hold-error.ts'
import { askedEvents, askedInCode, newQuestions, withQuestions } from '../new-questions.ts'
import { notedInCode } from '../repair.ts'
import { orHold, placeOf, type TaskContext } from './context.ts'

/**
 * Makes branch and worktree, detects the project's commands, prepares the folder, and collects TODO comments in the
 * code.
 */
export async function open({ world, feature, handle }: TaskContext): Promise<void> {
  const { session } = feature
  const at = placeOf(feature)
  const found = await world.repository.find(at)
  const known = session.baseCommitSha !== '' && found.ok
  const copy = world.settings.copyUntracked
  const opened = known
    ? { baseCommit: session.baseCommitSha, copied: [] }
    : orHold(
        await world.repository.open({ ...at, baseBranch: session.baseBranch, copy, existing: session.existingBranch }),
        'make the branch and its worktree',
      )
  const commands = await world.commands.detect(session.folder)
  await feature.update((files) => ({
    files: { ...files, session: { ...files.session, baseCommitSha: opened.baseCommit, commands } },
    events: [],
  }))
  if (world.settings.setup && commands.setup && session.mode === 'worktree') {
    const limitMs = world.settings.checkTimeoutMinutes * 60_000
    feature.say({ spawnId: '', kind: 'note', text: `Preparing the worktree: ${commands.setup.join(' ')}` })
    const ran = await world.commands.run(session.folder, commands.setup, { limitMs, signal: handle.signal })
    if (ran.result !== 'passed' && ran.result !== 'cancelled') {
      throw new Held({
        kind: 'setup_failed',
        message: `${commands.setup.join(' ')} did not succeed in the new worktree.`,
        detail: ran.output,
      })
    }
  }
  const affected = new Set(session.affectedFiles)
  const items = (await notedInCode(world, feature)).map((item) =>
    affected.has(item.filePath) && item.options.length > 0 ? { ...item, status: 'pending' as const } : item,
  )
  const pending = items.filter(({ status }) => status === 'pending')
  const now = feature.now()
  await feature.happen({ type: 'opened', open: pending.length }, (files) => {
    const questions = pending.flatMap((item) =>
      newQuestions(files, [askedInCode(item)], {
        ...{ askedBy: 'todo', batch: `todos-${now}`, validate: false, todoId: item.id },
        newId: world.newId,
        at: now,
      }),
    )
    const after = withQuestions({ ...files, todos: { ...files.todos, items } }, questions)
    return {
      files: after,
      events: [
        { type: 'stage.discovery', featureDescription: files.session.featureDescription },
        ...askedEvents(files.questions.questions, after.questions.questions),
      ],
    }
  })
}
