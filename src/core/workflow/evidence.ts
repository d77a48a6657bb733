/** What speaks for each acceptance criterion. What an agent says of it is no evidence. */

export type CheckKind = 'test' | 'build' | 'lint' | 'types'

export interface CriterionState {
  text: string
  type: 'automated' | 'manual' | 'review'
  state: 'open' | 'passed' | 'failed' | 'accepted' | 'no_command' | 'for_people'
  evidence: string
  runId: string | null
  steps: string[]
}

interface CheckRun {
  id: string
  kind: CheckKind
  command: string[]
  result: string
  ranAt: string
}

/** Which of a project's commands shows that an automated criterion holds; all of them when its words name none. */
export function checksFor(text: string): CheckKind[] {
  const kinds: CheckKind[] = []
  if (/\btests?\b|\bspecs?\b/i.test(text)) kinds.push('test')
  if (/\btype ?script\b|\btypes?\b|\bcompil\w*/i.test(text)) kinds.push('types', 'build')
  if (/\blint\w*\b|\bformat\w*\b|\beslint\b|\bprettier\b/i.test(text)) kinds.push('lint')
  if (/\bbuilds?\b/i.test(text) && !kinds.includes('build')) kinds.push('build')
  return kinds.length > 0 ? kinds : ['test', 'types', 'lint', 'build']
}

export function criterionStates(
  criteria: readonly { text: string; checked: boolean; type: CriterionState['type'] }[],
  facts: {
    runs: readonly CheckRun[]
    /** Commands that the project has. */
    commands: readonly CheckKind[]
    steps: readonly { id: string; criteria: readonly string[] }[]
    acceptsFailure: boolean
    /** The review of the pull request is over, and left nothing open. */
    reviewClear: boolean
  },
): CriterionState[] {
  return criteria
    .filter(({ checked }) => checked)
    .map(({ text, type }) => {
      const steps = facts.steps.filter((step) => step.criteria.includes(text)).map(({ id }) => id)
      const base = { text, type, runId: null, steps }
      if (type === 'manual') {
        return { ...base, state: 'for_people' as const, evidence: 'On the checklist of the pull request.' }
      }
      if (type === 'review') {
        return facts.reviewClear
          ? { ...base, state: 'passed' as const, evidence: 'The review of the pull request left nothing open.' }
          : { ...base, state: 'open' as const, evidence: 'Judged in the review of the pull request.' }
      }
      return { ...base, ...automated(text, facts) }
    })
}

function automated(
  text: string,
  {
    runs,
    commands,
    acceptsFailure,
  }: { runs: readonly CheckRun[]; commands: readonly CheckKind[]; acceptsFailure: boolean },
): Pick<CriterionState, 'state' | 'evidence' | 'runId'> {
  const kinds = checksFor(text).filter((kind) => commands.includes(kind))
  if (kinds.length === 0) {
    return { state: 'no_command', evidence: 'The project has no command that would show it.', runId: null }
  }
  const newest = kinds.flatMap((kind) => runs.findLast((run) => run.kind === kind) ?? [])
  const failed = newest.find(({ result }) => result !== 'passed')
  if (failed) {
    const state = acceptsFailure ? 'accepted' : 'failed'
    return { state, evidence: `${failed.command.join(' ')}: ${failed.result}`, runId: failed.id }
  }
  if (newest.length < kinds.length) return { state: 'open', evidence: 'Not run yet.', runId: null }
  const last = newest.at(-1)!
  return { state: 'passed', evidence: newest.map(({ command }) => command.join(' ')).join(', '), runId: last.id }
}
