import { z } from 'zod'
import { Question } from '../workflow/questions.ts'
import { TodoItem } from '../workflow/todos.ts'
import { flag } from './fields.ts'
import { route } from './route.ts'
import { COMMAND_REFUSALS, commandFields, inSession, SessionSnapshot } from './sessions.ts'

/** What a person is asked in a feature session. */

const answer = z.strictObject({ session: SessionSnapshot })
const inQuestion = z.strictObject({ projectId: z.string(), featureId: z.string(), id: z.string() })

export const sessionQuestionRoutes = {
  list: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/questions',
    summary: 'Lists the questions that can be answered now; with `all`, every one there ever was.',
    params: inSession,
    query: z.object({ all: flag('Also answered, filtered and later ones') }),
    answer: z.strictObject({ questions: z.array(Question), held: z.int() }),
    refusals: ['session_not_found'],
  }),
  answer: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/questions',
    summary: 'Answers one or several questions. When the last one is answered, Claude goes on.',
    person: true,
    params: inSession,
    body: z.strictObject({
      ...commandFields,
      answers: z
        .array(
          z.strictObject({
            questionId: z.string(),
            value: z.union([z.string().max(10_000), z.array(z.string().max(10_000)).max(50)]).default(''),
            text: z.string().trim().max(10_000).exactOptional(),
          }),
        )
        .min(1)
        .max(100),
    }),
    answer,
    invalid: { code: 'bad_answer', suggestion: 'Send {"answers": [{"questionId": "…", "value": "…"}]}.' },
    refusals: [...COMMAND_REFUSALS, 'question_not_found', 'answer_not_offered'],
  }),
  restore: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/questions/:id/restore',
    summary: 'Brings back a question that validation has filtered: it is asked after all.',
    person: true,
    params: inQuestion,
    body: z.strictObject(commandFields).prefault({}),
    answer,
    refusals: [...COMMAND_REFUSALS, 'question_not_found'],
  }),
  todos: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/todos',
    summary: 'Lists the comments in the code that ask for a decision.',
    params: inSession,
    answer: z.strictObject({ items: z.array(TodoItem) }),
    refusals: ['session_not_found'],
  }),
  decideTodo: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/todos/:id',
    summary: 'Decides about such a comment: one of its options, words of your own, or not at all.',
    person: true,
    params: inQuestion,
    body: z.strictObject({
      ...commandFields,
      option: z.string().max(2000).exactOptional(),
      text: z.string().trim().max(10_000).exactOptional(),
      dismiss: z.boolean().default(false),
    }),
    answer,
    refusals: [...COMMAND_REFUSALS, 'question_not_found', 'answer_not_offered'],
  }),
}
