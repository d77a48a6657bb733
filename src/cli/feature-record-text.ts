import type { AnswerOf } from '#protocol/api/route.ts'
import type { sessionPlanRoutes } from '#protocol/api/session-plans.ts'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { EventRecord } from '#protocol/workflow/events.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import type { PlanReview } from '#protocol/workflow/reviews.ts'
import type { Cli } from './context.ts'
import { clean, cleanLines, counted } from './print.ts'

/** What a feature has on record, as text. */

const MARKS = { added: '+', removed: '-', changed: '~', moved: '~' }

/** What a version of the plan changed: step by step, field by field. */
export function changesText({ from, to, changes }: AnswerOf<typeof sessionPlanRoutes.diff>): string {
  if (from === to) return `Version ${to} is the first.`
  if (changes.length === 0) return `Versions ${from} and ${to} have the same steps.`
  const lines = changes.flatMap(({ change, stepId, before, after, fields }) => [
    `  ${MARKS[change]} ${clean(stepId)}: ${clean((after ?? before)?.title ?? '')}${change === 'moved' ? ' (moved)' : ''}`,
    ...fields.map(
      ({ field, before: old, after: now }) => `      ${field}: ${clean(old) || '–'} → ${clean(now) || '–'}`,
    ),
  ])
  return [`From version ${from} to ${to}`, ...lines].join('\n')
}

export function reviewsText({ reviews, planReviews, summary }: SessionSnapshot, { paint }: Cli): string {
  const own = reviews.map(({ iterationNumber, planVersion, outcome, findings }) =>
    [
      `${paint.bold(`Review ${iterationNumber}`)} of version ${planVersion}: ${outcome === 'findings' ? counted(findings.length, 'finding') : outcome}`,
      ...findings.flatMap(({ priority, category, issue, impact, resolved }) => [
        `  ${resolved ? '✓' : '·'} P${priority} ${category.replaceAll('_', ' ')}: ${clean(issue)}`,
        ...(impact ? [`      ${clean(impact)}`] : []),
      ]),
    ].join('\n'),
  )
  const theirs = planReviews.map((review) => saidText(review, summary.featureId))
  return [...own, ...theirs].join('\n\n') || 'The plan was not reviewed yet.'
}

function saidText({ person, verdict, planVersion, text, comments, sentAt }: PlanReview, featureId: string): string {
  const name = clean(person)
  if (verdict === null) return `${name} was asked to look at version ${planVersion}.`
  const isOpen = verdict === 'changes' && !sentAt
  return [
    verdict === 'fine'
      ? `${name} finds version ${planVersion} fine.`
      : `${name} wants changes of version ${planVersion}${sentAt ? ', sent to Claude' : ''}.`,
    ...comments.map(({ stepId, text: words }) => `  ${stepId ? `step ${clean(stepId)}: ` : ''}${clean(words)}`),
    ...(text ? [`  ${clean(text)}`] : []),
    ...(isOpen ? [`  To send it to Claude: grove feature send-review ${featureId} "${name}"`] : []),
  ].join('\n')
}

export function evidenceText({ criteria, checks, pr }: SessionSnapshot, { paint }: Cli): string {
  const met = criteria.flatMap(({ text, type, state, evidence }) => [
    `  ${clean(text)} (${type}): ${state.replaceAll('_', ' ')}`,
    ...(evidence ? [`      ${clean(evidence)}`] : []),
  ])
  const runs = checks.flatMap(({ command, result, output, durationMs }) => [
    `  ${clean(command.join(' '))}: ${result.replaceAll('-', ' ')} after ${Math.round(durationMs / 1000)} s`,
    ...(result === 'passed' ? [] : indented(output)),
  ])
  const { pullRequest } = pr
  const reviews = pr.reviews.flatMap(({ summary, issuesFound }) => [
    `  Review: ${clean(summary) || (issuesFound.length > 0 ? counted(issuesFound.length, 'finding') : 'nothing found')}`,
    ...issuesFound.map(
      ({ resolved, severity, issue, file, line }) =>
        `    ${resolved ? '✓' : '·'} ${severity}: ${clean(issue)}${file ? ` (${clean(file)}${line ? `:${line}` : ''})` : ''}`,
    ),
  ])
  const ci = pr.checks.flatMap(({ name, state, log }) => [`  ${clean(name)}: ${state}`, ...(log ? indented(log) : [])])
  const section = (title: string, lines: string[]) =>
    lines.length > 0 ? [[paint.bold(title), ...lines].join('\n')] : []
  const about = pullRequest && [
    `  ${pullRequest.prNumber ? `#${pullRequest.prNumber} ` : ''}${clean(pullRequest.title)}: ${pullRequest.status} ${pullRequest.prUrl}`.trimEnd(),
  ]
  return [
    ...section('Criteria', met),
    ...section('Checks that Grove ran', runs),
    ...section('Pull request', [...(about ?? []), ...reviews, ...ci]),
  ].join('\n\n')
}

const LINES_OF_OUTPUT = 12

/** The end of what a failed command printed: there it says why. */
function indented(output: string): string[] {
  const lines = cleanLines(output.trimEnd()).split('\n')
  return lines.slice(-LINES_OF_OUTPUT).map((line) => `      ${line}`)
}

export function todosText({ todos, summary }: SessionSnapshot): string {
  const open = todos.filter(({ status }) => status === 'pending')
  if (open.length === 0)
    return todos.length === 0
      ? 'There are no such comments.'
      : `All ${todos.length} are decided or need no decision; --json lists them.`
  const texts = open.map(({ id, type, filePath, lineNumber, priority, description, impact, options }) =>
    [
      `${id}  ${type.toUpperCase()}, ${priority} priority, ${clean(filePath)}:${lineNumber}`,
      `  ${clean(description)}`,
      ...(impact ? [`  ${clean(impact)}`] : []),
      ...options.map(({ label, recommended }) => `    ${clean(label)}${recommended ? ' (recommended)' : ''}`),
    ].join('\n'),
  )
  return [...texts, `To decide: grove feature decide ${summary.featureId} ${open[0]!.id} "…"`].join('\n\n')
}

export function asWritten({ tool, text }: OutputLine): string {
  return tool ? `${tool}: ${text}` : text
}

/** Of what Grove has told Claude, the beginning alone: the story is what Claude did. A person's message belongs to no run, and is told whole. */
export function inShort(line: OutputLine): string {
  if (line.kind !== 'prompt') return asWritten(line)
  if (line.spawnId === '') return `A person: ${line.text}`
  const [first = '', ...more] = line.text.trim().split('\n')
  return `Grove: ${first}${more.length > 0 ? ' …' : ''}`
}

/** Of a long text, only the lines in which the words stand. */
export function linesWith(words: string): (line: OutputLine) => string {
  const wanted = words.toLowerCase()
  return (line) => {
    const all = asWritten(line).split('\n')
    const found = all.filter((one) => one.toLowerCase().includes(wanted))
    return (found.length > 0 ? found : all.slice(0, 1)).join('\n')
  }
}

/** The fields of events that are words for people, in the order in which they are read. */
const WORDS = ['title', 'text', 'reason', 'issue', 'message', 'summary', 'verdict', 'outcome', 'feedback', 'task', 'by']

export function eventText({ createdAt, eventType, payload }: EventRecord): string {
  const fields: Record<string, unknown> = payload
  const { answer } = fields as { answer?: { value: string | string[]; text: string | null } }
  const said = answer ? [answer.value, answer.text ?? ''].flat() : []
  const words = [...WORDS.map((name) => fields[name]), ...said].filter(
    (value) => typeof value === 'string' && value !== '',
  )
  const time = createdAt.slice(0, 19).replace('T', ' ')
  return `${time}  ${eventType.replace(/[._]/g, ' ')}${words.length > 0 ? `: ${clean(words.join(', '))}` : ''}`
}
