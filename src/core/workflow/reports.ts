import type { ProposedStep } from '../plan/plan.ts'
import type { Marker } from './markers.ts'
import type { Priority, QuestionOption, QuestionType } from './question.ts'

/** What an agent reports, however it says it: by a tool of ours, by the client's own, or as markers in its text. */
export type Report =
  | { type: 'questions'; questions: AskedQuestion[] }
  | { type: 'plan'; summary: string; steps: ProposedStep[] }
  | { type: 'plan_kept'; reason: string }
  | { type: 'plan_file'; path: string }
  | { type: 'review'; findings: AskedQuestion[]; clean: boolean; summary: string }
  | { type: 'status'; status: StatusReport }
  | { type: 'step_complete'; stepId: string; summary: string }
  | { type: 'implementation_complete'; summary: string }
  | { type: 'pr'; title: string; body: string }
  | { type: 'pr_approved'; summary: string }

export interface AskedQuestion {
  text: string
  context: string
  questionType: QuestionType
  options: QuestionOption[]
  required: boolean
  priority: Priority
  category: string
  file: string | null
  line: number | null
  immediate: boolean
}

export interface StatusReport {
  stepId: string
  status: 'IN_PROGRESS' | 'COMPLETE' | 'BLOCKED'
  filesModified: number
  testsStatus: 'PASSING' | 'FAILING' | 'NOT_RUN'
  workType: 'IMPLEMENTATION' | 'TESTING' | 'REFACTORING'
  progress: number
  message: string
}

/** Markers as reports. Steps of a plan are gathered into one; a checkpoint and the modes say nothing that is not known. */
export function reportsOf(markers: readonly Marker[]): Report[] {
  const steps = markers.filter(({ name }) => name === 'PLAN_STEP').map(stepOf)
  const questions = markers.filter(({ name }) => name === 'DECISION_NEEDED').map(questionOf)
  const others = markers.flatMap((marker) => reportOf(marker) ?? [])
  return [
    ...others,
    ...(steps.length > 0 ? [{ type: 'plan', summary: '', steps } as const] : []),
    ...(questions.length > 0 ? [{ type: 'questions', questions } as const] : []),
  ]
}

function reportOf({ name, attributes, body }: Marker): Report | undefined {
  switch (name) {
    case 'STEP_COMPLETE':
      return { type: 'step_complete', stepId: attributes.id ?? '', summary: body }
    case 'IMPLEMENTATION_COMPLETE':
      return { type: 'implementation_complete', summary: body }
    case 'IMPLEMENTATION_STATUS':
      return { type: 'status', status: statusOf(body) }
    case 'PLAN_FILE':
      return attributes.path ? { type: 'plan_file', path: attributes.path } : undefined
    case 'PLAN_APPROVED':
      return { type: 'review', findings: [], clean: true, summary: '' }
    case 'PR_CREATED':
      return { type: 'pr', ...prOf(body) }
    case 'PR_APPROVED':
      return { type: 'pr_approved', summary: body }
    default:
      return undefined
  }
}

const OPTION = /^\s*(?:[-*]|\d+[.)])\s+(?:Option\s+(\w+)\s*[:.)]\s*)?(\S.*)$/i
const RECOMMENDED = /(?:(?<!\s)\s+)?[([]\s*recommended\s*[)\]]\s*/i

function questionOf({ attributes, body }: Marker): AskedQuestion {
  const lines = body.split('\n')
  const first = lines.findIndex((line) => OPTION.test(line))
  const words = (first < 0 ? lines : lines.slice(0, first)).join('\n').trim()
  const options = optionsOf(first < 0 ? [] : lines.slice(first))
  const { text, context } = cutContext(words)
  const line = Number(attributes.line)
  return {
    text,
    context,
    options,
    questionType: typeOf(attributes.type, options),
    required: attributes.required !== 'false',
    priority: priorityOf(attributes.priority),
    category: attributes.category ?? '',
    file: attributes.file ?? null,
    line: Number.isInteger(line) && line > 0 ? line : null,
    immediate: attributes.immediate === 'true' || attributes.category === 'blocker',
  }
}

/** `Issue:` is the question where there is one; `Impact:` and `Context:` say why. */
function cutContext(words: string): { text: string; context: string } {
  const lines = words.split('\n')
  const about = lines.filter((line) => /^(?:impact|context|why):/i.test(line.trim()))
  const rest = lines
    .filter((line) => !about.includes(line))
    .join('\n')
    .trim()
  return { text: rest.replace(/^issue:\s*/i, ''), context: about.join('\n').trim() }
}

function optionsOf(lines: string[]): QuestionOption[] {
  const options: QuestionOption[] = []
  for (const line of lines) {
    const match = OPTION.exec(line)
    const last = options.at(-1)
    if (!match) {
      if (last && line.trim() !== '') last.description = `${last.description} ${line.trim()}`.trim()
      continue
    }
    const [, letter, said] = match
    options.push({
      value: letter ?? String(options.length + 1),
      label: said!.replace(RECOMMENDED, ' ').trim(),
      description: '',
      recommended: RECOMMENDED.test(said!),
    })
  }
  return options
}

/** A list that was written without a marker around it; what the text recommends elsewhere is recommended here too. */
export function optionsIn(lines: string[], text: string): QuestionOption[] {
  const options = optionsOf(lines.map((line) => line.replace(/^\s*\(?([a-z0-9])[.)]\s+/i, '- Option $1: ')))
  if (options.some(({ recommended }) => recommended)) return options
  const said =
    /\b(?:recommend|suggest|prefer|go with)\b\s+(?:option\s+)?(\S[^.\n]*)/i.exec(text)?.[1]?.toLowerCase() ?? ''
  return options.map((option) => {
    const first = option.label
      .toLowerCase()
      .split(/[:,(–—]|\s-\s/, 1)[0]!
      .trimEnd()
    return { ...option, recommended: first !== '' && said.startsWith(first) }
  })
}

const TYPES: Record<string, QuestionType> = {
  single: 'single_choice',
  single_choice: 'single_choice',
  multiple: 'multiple_choice',
  multiple_choice: 'multiple_choice',
  multi: 'multiple_choice',
  text: 'text',
  confirmation: 'confirmation',
  yes_no: 'confirmation',
}

/** As it says; else by its options: none is a text, yes and no a confirmation. */
export function typeOf(said: string | undefined, options: readonly QuestionOption[]): QuestionType {
  const known = said === undefined ? undefined : TYPES[said]
  if (known) return known
  if (options.length === 0) return 'text'
  const labels = options.map(({ label }) => label.toLowerCase().split(/[.,!]/, 1)[0]!.trim())
  return labels.length === 2 && labels.includes('yes') && labels.includes('no') ? 'confirmation' : 'single_choice'
}

export function priorityOf(said: string | number | undefined): Priority {
  const number = Number(said)
  return number === 1 || number === 3 ? number : 2
}

function stepOf({ attributes, body }: Marker): ProposedStep {
  const [title = '', ...rest] = body.split('\n')
  const lists = (name: string) =>
    attributes[name]
      ?.split(',')
      .map((one) => one.trim())
      .filter(Boolean)
  const parent = attributes.parent
  const complexity = attributes.complexity
  return {
    id: attributes.id ?? '',
    ...(parent && parent !== 'null' && { parent }),
    title: title.trim(),
    description: rest.join('\n').trim(),
    ...(lists('depends_on') && { dependsOn: lists('depends_on') }),
    ...(lists('paths') && { paths: lists('paths') }),
    ...(lists('criteria') && { criteria: lists('criteria') }),
    ...((complexity === 'low' || complexity === 'medium' || complexity === 'high') && { complexity }),
  }
}

/** Tolerant of order and of what is missing; an unknown word takes the harmless meaning. */
function statusOf(body: string): StatusReport {
  const fields = Object.fromEntries(
    body.split('\n').flatMap((line) => {
      const match = /^\s*(\w+)\s*:(.*)$/.exec(line)
      return match ? [[match[1]!.toLowerCase(), match[2]!.trim()]] : []
    }),
  ) as Record<string, string | undefined>
  const one = <T extends string>(value: string | undefined, all: readonly T[]): T =>
    all.find((word) => word === value?.toUpperCase()) ?? all[0]!
  const progress = Number(fields.progress?.replace('%', ''))
  return {
    stepId: fields.step_id ?? '',
    status: one(fields.status, ['IN_PROGRESS', 'COMPLETE', 'BLOCKED']),
    filesModified: Math.max(0, Math.trunc(Number(fields.files_modified))) || 0,
    testsStatus: one(fields.tests_status, ['NOT_RUN', 'PASSING', 'FAILING']),
    workType: one(fields.work_type, ['IMPLEMENTATION', 'TESTING', 'REFACTORING']),
    progress: Number.isFinite(progress) ? Math.max(0, Math.min(100, progress)) : 0,
    message: fields.message ?? '',
  }
}

function prOf(body: string): { title: string; body: string } {
  const title = /^[ \t]*(?:\*\*)?Title:?(?:\*\*)?:?\s*(\S.*)$/im.exec(body)
  const rest = body.replace(/^[ \t]*(?:\*\*)?(?:Title|Branch):?(?:\*\*)?:?.*$/gim, '').trim()
  return { title: title?.[1]?.trim() ?? '', body: rest }
}
