import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import type { Cli } from './context.ts'
import { clean, counted, pairs } from './print.ts'

export function featureText(
  { summary, session, plan, questions, criteria, held, filtered, todos, planReviews }: SessionSnapshot,
  { paint }: Cli,
): string {
  const facts = pairs([
    ['Stage', `${summary.stageText}, ${summary.executing ? 'working' : summary.status}`],
    ['Branch', `${summary.branch} (${session.folder})`],
    ["Claude's cost", `$${summary.costUsd.toFixed(2)}`],
    ...(summary.pr?.number
      ? [['Pull request', `#${summary.pr.number} ${summary.pr.state} ${summary.pr.url}`] as [string, string]]
      : []),
    ...criteria.map(({ text, state }): [string, string] => [
      'Criterion',
      `${clean(text)}: ${state.replaceAll('_', ' ')}`,
    ]),
  ])
  const waits = summary.waiting.map(({ title, detail, choices }) =>
    [
      `${paint.yellow('Waiting')}  ${clean(`${title} ${detail}`.trim())}`,
      ...choices.map(({ choice, label }) => `  grove feature choose ${summary.featureId} ${choice}   ${label}`),
    ].join('\n'),
  )
  const undecided = todos.filter(({ status }) => status === 'pending').length
  const said = planReviews.filter(({ verdict }) => verdict !== null).length
  const more = [
    ...(held > 0 ? [`${counted(held, 'more question')} will follow.`] : []),
    ...(filtered > 0
      ? [`${counted(filtered, 'question')} set aside; \`grove feature answer ${summary.featureId} --all\` lists them.`]
      : []),
    ...(undecided > 0
      ? [`${counted(undecided, 'comment')} in the code to decide on: \`grove feature todos ${summary.featureId}\``]
      : []),
    ...(said > 0
      ? [`${counted(said, 'review')} of the plan by teammates: \`grove feature reviews ${summary.featureId}\``]
      : []),
  ]
  return [
    paint.bold(clean(summary.title)),
    facts,
    ...waits,
    ...(questions.length > 0 ? [questionsText(questions)] : []),
    ...more,
    ...(plan ? [planText(plan)] : []),
  ].join('\n\n')
}

function planText({ planVersion, hash, steps }: PlanFile): string {
  const lines = steps.map(
    ({ id, title, status }) =>
      `  ${status === 'completed' ? '✓' : status === 'in_progress' ? '→' : '·'} ${id}: ${clean(title)}`,
  )
  return [`Plan, version ${planVersion} (${hash.slice(0, 12)})`, ...lines].join('\n')
}

export function questionsText(questions: readonly Question[]): string {
  return questions
    .map((question, index) => {
      const options = question.options.map(
        ({ value, label, recommended }) => `     ${value}: ${clean(label)}${recommended ? ' (recommended)' : ''}`,
      )
      return [`${index + 1}. ${clean(question.questionText)} [P${question.priority}]`, ...options].join('\n')
    })
    .join('\n')
}

/** Every question there ever was, with what became of it. */
export function allQuestionsText(questions: readonly Question[], featureId: string): string {
  const lines = questions.map(({ id, questionText, state, answer, validation }) => {
    const said = answer && [answer.value, answer.text].flat().filter(Boolean).join(', ')
    const became = said ? `: ${clean(said)}` : state === 'filtered' && validation ? `: ${clean(validation.reason)}` : ''
    return `${id}  ${clean(questionText)}\n  ${STATES[state]}${became}`
  })
  const isBack = questions.some(({ state }) => state === 'filtered')
  return [...lines, ...(isBack ? [`\nTo be asked after all: grove feature restore ${featureId} <question>`] : [])].join(
    '\n',
  )
}

const STATES: Record<Question['state'], string> = {
  validating: 'being checked',
  open: 'open',
  answered: 'answered',
  filtered: 'set aside',
  withdrawn: 'withdrawn',
}
