import { z } from 'zod'
import { TestsState, WorkState, WorkType } from './fields.ts'

/** The tools that a feature session offers to Claude inside its runs. */

const text = z.string().min(1)

const AskedOption = z.object({
  label: text,
  description: z.string().default(''),
  recommended: z.boolean().default(false),
})

const AskedDecision = z.object({
  question: text.describe('One decision, in a sentence that stands by itself'),
  context: z.string().default('').describe('Why it matters: the issue, its impact'),
  type: z.enum(['single_choice', 'multiple_choice', 'text', 'confirmation']).optional(),
  options: z.array(AskedOption).default([]).describe('Two to five, one of them recommended; none for a free text'),
  priority: z
    .union([z.literal(1), z.literal(2), z.literal(3)])
    .default(2)
    .describe('1 is fundamental, 3 a detail'),
  category: z.string().default(''),
  file: z.string().optional(),
  line: z.int().optional(),
  required: z.boolean().default(true),
  blocker: z.boolean().default(false).describe('Nothing can go on without the answer'),
})
export type AskedDecision = z.infer<typeof AskedDecision>

const Step = z.object({
  id: text.describe('Short and stable, such as step-2; a step that stays keeps its id'),
  parent: z.string().optional(),
  title: text,
  description: z.string().default('').describe('What is done, where, and how it is shown to work'),
  dependsOn: z.array(z.string()).default([]),
  complexity: z.enum(['low', 'medium', 'high']).optional(),
  criteria: z.array(z.string()).default([]).describe('The acceptance criteria it serves, word for word'),
  paths: z.array(z.string()).default([]).describe('Globs of everything that it changes; nothing else may be written'),
})

/** Every tool: what it is for, and what it takes. */
export const WORKFLOW_TOOLS = {
  ask_decision: {
    about:
      'Asks the user for decisions. Put everything you want to know now into one call, and make it the last call of your answer.',
    input: z.object({ questions: z.array(AskedDecision).min(1) }),
  },
  propose_plan: {
    about: 'Hands in the whole plan: every step, also those that stay as they were. It becomes the next version.',
    input: z.object({ summary: z.string().default(''), steps: z.array(Step).min(1) }),
  },
  keep_plan: {
    about: 'Says that the plan needs no change after what was decided.',
    input: z.object({ reason: text }),
  },
  report_review: {
    about:
      'Hands in a review: everything that was found, as decisions for the user; an empty list when nothing is left.',
    input: z.object({ findings: z.array(AskedDecision).default([]), summary: z.string().default('') }),
  },
  report_status: {
    about: 'Tells how the step at hand goes: at its start, after each changed file, after test runs, when blocked.',
    input: z.object({
      stepId: text,
      status: WorkState.default('IN_PROGRESS'),
      filesModified: z.int().min(0).default(0),
      testsStatus: TestsState.default('NOT_RUN'),
      workType: WorkType.default('IMPLEMENTATION'),
      progress: z.number().min(0).max(100).default(0),
      message: z.string().default(''),
    }),
  },
  complete_step: {
    about: 'Says that the step at hand is done. End your turn after it; the next step comes as a message.',
    input: z.object({ stepId: text, summary: text }),
  },
  report_pr: {
    about: 'Hands in the words of the pull request. Grove itself commits, pushes and opens it.',
    input: z.object({ title: text.max(200), body: text }),
  },
} as const

export type WorkflowTool = keyof typeof WORKFLOW_TOOLS

/** What a tool was given, or what is wrong with it. */
export function readToolInput<Name extends WorkflowTool>(
  name: Name,
  input: unknown,
): z.output<(typeof WORKFLOW_TOOLS)[Name]['input']> | string {
  const read = WORKFLOW_TOOLS[name].input.safeParse(input)
  return read.success ? (read.data as z.output<(typeof WORKFLOW_TOOLS)[Name]['input']>) : z.prettifyError(read.error)
}

/** What a tool takes, as JSON schema. */
export function toolSchema(name: WorkflowTool): object {
  return plain(z.toJSONSchema(WORKFLOW_TOOLS[name].input, { io: 'input' }))
}

/** The structured answer of a validation run. */
export const ValidationAnswer = z.object({
  verdicts: z.array(z.object({ id: z.string(), valid: z.boolean(), reason: z.string() })),
})

export const validationSchema: object = plain(z.toJSONSchema(ValidationAnswer))

/** The client takes a schema only without the address of its own schema. */
function plain({ $schema: _, ...schema }: object & { $schema?: unknown }): object {
  return schema
}
