import { checksFor } from '#core/workflow/evidence.ts'
import type { CheckRun } from '#protocol/workflow/checks.ts'
import { Aborted } from '../run/facts.ts'
import type { TaskContext } from './context.ts'

const KINDS = ['test', 'types', 'lint', 'build'] as const
const MOST_RUNS = 100

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
