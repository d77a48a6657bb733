import type { CiCheck as Check } from '#core/ports/repository.ts'
import type { CiCheck } from '#protocol/workflow/pr.ts'
import { Held } from '../hold-error.ts'
import { askedEvents, newQuestions, withQuestions } from '../new-questions.ts'
import type { TaskContext } from './context.ts'

/** A hosting service takes a moment to list the checks of a new commit. */
const EMPTY_LOOKS = 3

/** Stage 5: Grove itself watches the checks of the pull request until all are done. */
export async function watch(context: TaskContext): Promise<void> {
  const { world, feature, handle } = context
  const { session } = feature
  const number = Number(feature.files.pr.pullRequest?.prNumber)
  if (!number) return watched(context, [])
  const until = world.clock.now() + world.settings.ciLimitMinutes * 60_000
  for (let look = 1; !handle.signal.aborted; look++) {
    const answer = await world.pulls.checks(session.folder, number)
    if (!answer.ok && look >= EMPTY_LOOKS) {
      throw new Held({
        kind: 'pr_failed',
        message: 'The checks of the pull request could not be read.',
        detail: answer.message,
      })
    }
    const checks = answer.ok ? answer.value : []
    if (answer.ok) await noteChecks(context, checks, look === 1)
    const isDone =
      checks.length > 0 ? checks.every(({ state }) => state !== 'pending') : answer.ok && look >= EMPTY_LOOKS
    if (isDone) return watched(context, checks)
    if (world.clock.now() > until) {
      throw new Held({
        kind: 'pr_failed',
        message: 'The checks of the pull request did not finish in time.',
        detail: checks.map(({ name, state }) => `${name}: ${state}`).join('\n'),
      })
    }
    await world.sleep(world.settings.ciPollSeconds * 1000, handle.signal)
  }
}

async function noteChecks({ feature }: TaskContext, checks: readonly Check[], isFirst: boolean): Promise<void> {
  const before = feature.files.pr.checks
  const changed = checks.filter(({ name, state }) => before.find((one) => one.name === name)?.state !== state)
  if (changed.length === 0 && !isFirst) return
  const prNumber = feature.files.pr.pullRequest?.prNumber ?? ''
  await feature.update((files) => ({
    files: {
      ...files,
      pr: {
        ...files.pr,
        ci: checks.length === 0 ? 'none' : 'pending',
        checks: checks.map(
          (check): CiCheck => ({ name: check.name, state: check.state, url: check.url ?? null, log: null }),
        ),
      },
    },
    events: [
      ...(isFirst ? [{ type: 'ci.polling_started' as const, prNumber, checkCount: checks.length }] : []),
      ...changed.map(({ name, state }) => ({
        type: 'ci.check_updated' as const,
        checkName: name,
        status: state === 'pending' ? ('pending' as const) : ('completed' as const),
        conclusion: state,
      })),
    ],
  }))
}

async function watched({ world, feature }: TaskContext, checks: readonly Check[]): Promise<void> {
  const { session } = feature
  const failing = checks.filter(({ state }) => state === 'failing')
  const logs = await Promise.all(
    failing.map(async (check) => {
      const log = await world.pulls.failedLog(session.folder, check)
      return { name: check.name, text: log.ok ? log.value : log.message }
    }),
  )
  const prNumber = feature.files.pr.pullRequest?.prNumber ?? ''
  const at = feature.now()
  const open =
    feature.files.questions.questions.filter(({ state }) => state === 'open').length + (failing.length > 0 ? 1 : 0)
  await feature.happen({ type: 'watched', failing: failing.length > 0, open }, (files) => {
    const names = failing.map(({ name }) => name)
    const questions =
      failing.length === 0
        ? []
        : newQuestions(files, [aboutFailure(names, logs)], {
            askedBy: 'todo',
            batch: `ci-${at}`,
            validate: false,
            newId: world.newId,
            at,
          })
    const after = withQuestions(
      {
        ...files,
        pr: {
          ...files.pr,
          ci: checks.length === 0 ? 'none' : failing.length > 0 ? 'failing' : 'passing',
          checks: files.pr.checks.map((check) => ({
            ...check,
            log: logs.find(({ name }) => name === check.name)?.text ?? null,
          })),
        },
      },
      questions,
    )
    const result =
      failing.length > 0
        ? {
            type: 'ci.failed' as const,
            prNumber,
            failedChecks: names,
            logs: logs.map(({ name, text }) => `${name}\n${text}`).join('\n\n'),
          }
        : { type: 'ci.all_passed' as const, prNumber, checksCompleted: checks.length }
    return {
      files: after,
      events: [
        ...(prNumber === '' ? [] : [result]),
        ...askedEvents(files.questions.questions, after.questions.questions),
      ],
    }
  })
}

function aboutFailure(names: string[], logs: { name: string; text: string }[]) {
  return {
    text: `${names.length === 1 ? 'A check of the pull request fails' : `${names.length} checks of the pull request fail`}: ${names.join(', ')}. What should be done?`,
    context: logs.map(({ name, text }) => `${name}:\n${text.slice(-1500)}`).join('\n\n'),
    questionType: 'single_choice' as const,
    // Free text is accepted beside every option.
    options: [{ value: 'fix', label: 'Fix it', description: 'Claude plans and implements a fix', recommended: true }],
    required: true,
    priority: 1 as const,
    category: 'ci',
    file: null,
    line: null,
    immediate: false,
  }
}
