import { z } from 'zod'
import {
  type Answer as CoreAnswer,
  type Question as CoreQuestion,
  QUESTION_STATES,
  QUESTION_TYPES,
} from '#core/workflow/question.ts'
import { fileVersion, isoTime, StageWord, sessionId } from './fields.ts'

export const Answer = z.object({
  value: z
    .union([z.string(), z.array(z.string())])
    .describe('Values of options; `yes` or `no` for a confirmation; the words for a text'),
  text: z.string().nullable().describe("In the person's own words, beside or instead of an option"),
  by: z.string().exactOptional().describe('Who said it; absent for the owner as long as they have given no name'),
}) satisfies z.ZodType<CoreAnswer>
export type Answer = z.infer<typeof Answer>

export const Question = z
  .object({
    id: z.string(),
    stage: StageWord,
    questionType: z.enum(QUESTION_TYPES),
    questionText: z.string(),
    context: z.string().describe('Why it matters: issue, impact'),
    options: z.array(
      z.object({ value: z.string(), label: z.string(), description: z.string(), recommended: z.boolean() }),
    ),
    answer: Answer.nullable(),
    isRequired: z.boolean(),
    priority: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    category: z.string(),
    file: z.string().nullable(),
    line: z.int().nullable(),
    immediate: z.boolean().describe('A blocker: shown at once'),
    state: z
      .enum(QUESTION_STATES)
      .describe('`filtered`: validation took it for no real concern; a person may restore it'),
    validation: z.object({ valid: z.boolean(), reason: z.string(), at: isoTime }).nullable(),
    askedBy: z.enum(['tool', 'native', 'marker', 'judge', 'todo']),
    batch: z.string().describe('Questions of one call; their answers go back together'),
    todoId: z.string().nullable(),
    stepId: z.string().nullable(),
    askedAt: isoTime,
    answeredAt: isoTime.nullable(),
  })
  .meta({ id: 'Question', description: 'Something that a person decides.' }) satisfies z.ZodType<CoreQuestion>
export type Question = z.infer<typeof Question>

/** questions.json */
export const QuestionsFile = z.object({ version: fileVersion, sessionId, questions: z.array(Question) })
export type QuestionsFile = z.infer<typeof QuestionsFile>
