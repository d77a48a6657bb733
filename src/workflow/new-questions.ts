import { redact } from '#core/redact/redact.ts'
import { released } from '#core/workflow/questions.ts'
import type { AskedQuestion } from '#core/workflow/reports.ts'
import { priorityOf, typeOf } from '#core/workflow/reports.ts'
import { stageName } from '#core/workflow/stage.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import type { TodoItem } from '#protocol/workflow/todos.ts'
import type { AskedDecision } from '#protocol/workflow/tools.ts'

/** A decision as a tool of ours asks for it. */
export function askedByTool(decision: AskedDecision): AskedQuestion {
  const options = decision.options.map(({ label, description, recommended }, index) => ({
    value: String.fromCharCode(65 + index),
    label,
    description,
    recommended,
  }))
  return {
    text: decision.question,
    context: decision.context,
    questionType: typeOf(decision.type, options),
    options,
    required: decision.required,
    priority: priorityOf(decision.priority),
    category: decision.blocker && !decision.category ? 'blocker' : decision.category,
    file: decision.file ?? null,
    line: decision.line ?? null,
    immediate: decision.blocker,
  }
}

/** A comment in the code that asks for a decision. */
export function askedInCode(item: TodoItem): AskedQuestion {
  const options = item.options.map(({ label, recommended }, index) => ({
    value: String.fromCharCode(65 + index),
    label,
    description: '',
    recommended,
  }))
  return {
    text: item.description,
    context: item.impact,
    questionType: options.length > 0 ? ('single_choice' as const) : ('text' as const),
    options,
    required: true,
    priority: ({ high: 1, medium: 2, low: 3 } as const)[item.priority],
    category: item.category,
    file: item.filePath,
    line: item.lineNumber,
    immediate: false,
  }
}

interface NativeQuestion {
  question?: unknown
  options?: unknown
  multiSelect?: unknown
}

/** The client's own questions; they have no priorities. */
export function askedNatively(input: Record<string, unknown>): AskedQuestion[] {
  const list = Array.isArray(input.questions) ? (input.questions as NativeQuestion[]) : []
  return list.map(({ question, options, multiSelect }) => {
    const known = (Array.isArray(options) ? (options as { label?: unknown; description?: unknown }[]) : []).map(
      ({ label, description }) => ({
        value: String(label ?? ''),
        label: String(label ?? ''),
        description: String(description ?? ''),
        recommended: /recommended/i.test(String(label ?? '')),
      }),
    )
    return {
      text: String(question ?? ''),
      context: '',
      questionType: multiSelect === true ? 'multiple_choice' : typeOf(undefined, known),
      options: known,
      required: true,
      priority: 2,
      category: '',
      file: null,
      line: null,
      immediate: false,
    }
  })
}

export interface AskFacts {
  askedBy: Question['askedBy']
  batch: string
  /** Validated before a person is asked; blockers skip that. */
  validate: boolean
  stepId?: string | null
  todoId?: string | null
  newId(): string
  at: string
}

/** Questions as they are stored, redacted. */
export function newQuestions(files: FeatureFiles, asked: readonly AskedQuestion[], facts: AskFacts): Question[] {
  return asked.map((one) => ({
    id: facts.newId(),
    stage: stageName(files.session.currentStage),
    questionType: one.questionType,
    questionText: redact(one.text),
    context: redact(one.context),
    options: one.options.map((option) => ({
      ...option,
      label: redact(option.label),
      description: redact(option.description),
    })),
    answer: null,
    isRequired: one.required,
    priority: one.priority,
    category: one.category,
    file: one.file,
    line: one.line,
    immediate: one.immediate,
    state: facts.validate && !one.immediate ? 'validating' : 'open',
    validation: null,
    askedBy: facts.askedBy,
    batch: facts.batch,
    todoId: facts.todoId ?? null,
    stepId: facts.stepId ?? null,
    askedAt: facts.at,
    answeredAt: null,
  }))
}

/** The files with these questions in them. */
export function withQuestions(files: FeatureFiles, questions: readonly Question[]): FeatureFiles {
  return { ...files, questions: { ...files.questions, questions: [...files.questions.questions, ...questions] } }
}

/** The files with every question changed that is named. */
export function changeQuestions(files: FeatureFiles, change: (question: Question) => Question): FeatureFiles {
  return { ...files, questions: { ...files.questions, questions: files.questions.questions.map(change) } }
}

/** The events of questions that have become answerable. */
export function askedEvents(before: readonly Question[], after: readonly Question[]): NewWorkflowEvent[] {
  const known = new Set(released(before).map(({ id }) => id))
  const fresh = released(after).filter(({ id }) => !known.has(id))
  const filtered = after.filter(
    ({ id, state }) => state === 'filtered' && !before.some((one) => one.id === id && one.state === 'filtered'),
  )
  if (fresh.length === 0 && filtered.length === 0) return []
  return [
    ...(fresh.length > 0
      ? [{ type: 'questions.batch' as const, questionIds: fresh.map(({ id }) => id), filtered: filtered.length }]
      : []),
    ...fresh.map((question) => ({
      type: 'question.asked' as const,
      questionId: question.id,
      questionType: question.questionType,
      text: question.questionText,
      options: question.options,
      required: question.isRequired,
      priority: question.priority,
      stage: question.stage,
    })),
    ...fresh
      .filter(({ immediate }) => immediate)
      .flatMap((blocker) => {
        const payload = { stepId: blocker.stepId, blocker, needsInput: true as const }
        return [
          { type: 'execution.paused_blocker' as const, ...payload },
          { type: 'todo.blocker_encountered' as const, ...payload },
        ]
      }),
    ...filtered.map(({ id, validation }) => ({
      type: 'question.filtered' as const,
      questionId: id,
      reason: validation?.reason ?? '',
    })),
  ]
}
