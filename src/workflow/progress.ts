import { progressOf as stepsDone } from '#core/plan/order.ts'
import type { ProgressFile } from '#protocol/workflow/status.ts'
import type { Feature } from './feature.ts'
import { noProgress } from './new-files.ts'

const WRITERS = new Set(['Write', 'Edit', 'NotebookEdit'])
const LONGEST_LINE = 200

/** How far the current work is, derived from the session; `since` while something runs. */
export function progressOf(feature: Feature, since: string | undefined, now: number): ProgressFile {
  const { files, session } = feature
  const { done, total } = stepsDone({ steps: files.plan?.steps ?? [] })
  const test = files.checks.runs.findLast(({ kind }) => kind === 'test')
  return {
    ...noProgress(session.id),
    isExecuting: since !== undefined,
    startedAt: since ?? null,
    elapsedSeconds: since === undefined ? 0 : Math.max(0, Math.round((now - Date.parse(since)) / 1000)),
    lastOutputLine: lastLine(feature),
    filesModifiedThisStep: changedInStep(feature),
    testsStatus: test === undefined ? 'NOT_RUN' : test.result === 'passed' ? 'PASSING' : 'FAILING',
    estimatedProgress: total === 0 ? 0 : Math.round((100 * done) / total),
  }
}

function lastLine({ output }: Feature): string {
  const [last] = output.page({
    after: 0,
    before: Infinity,
    limit: 1,
    wanted: ({ kind }) => kind === 'text' || kind === 'tool',
  })
  return last?.text.split('\n').at(-1)?.slice(0, LONGEST_LINE) ?? ''
}

/** Files that Claude has written since the current step began. */
function changedInStep({ files, output }: Feature): number {
  const step = files.plan?.steps.find(({ id }) => id === files.status.currentStepId)
  const begun = step?.metadata.startedAt
  if (!begun) return 0
  const lines = output.page({
    after: 0,
    before: Infinity,
    limit: 500,
    wanted: ({ kind, tool, at }) => kind === 'tool' && WRITERS.has(tool ?? '') && at >= begun,
  })
  return new Set(lines.map(({ text }) => text)).size
}
