import { type Refusal, refusal } from '#core/refusal.ts'
import { heldBack, released } from '#core/workflow/questions.ts'
import type { sessionQuestionRoutes } from '#protocol/api/session-questions.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { answer, restore } from '#workflow/commands/answer.ts'
import type { Handlers } from '../serve-route.ts'
import { type FeatureNeeds, findFeature, onFeature, shown } from './sessions.ts'

type AnswerRefusal = Refusal<'not_possible_now' | 'question_not_found' | 'answer_not_offered'>

/** What a person is asked in a feature session. */
export function sessionQuestionHandlers(needs: FeatureNeeds): Handlers<typeof sessionQuestionRoutes> {
  const { features } = needs
  return {
    async list({ params, query }) {
      const feature = findFeature(needs, params)
      if (isRefusal(feature)) return feature
      const { questions } = feature.files.questions
      return { questions: query.all === 'true' ? questions : released(questions), held: heldBack(questions) }
    },

    answer: (given, by) =>
      onFeature(needs, given, async (feature, request) => {
        const no = await answer(features, feature, given.body.answers, { request, by: by.name })
        return (no as AnswerRefusal | undefined) ?? shown(needs, feature)
      }),

    restore: (given) =>
      onFeature(needs, given, async (feature, request) => {
        const no = await restore(features, feature, given.params.id, request)
        return (no as Refusal<'not_possible_now' | 'question_not_found'> | undefined) ?? shown(needs, feature)
      }),

    async todos({ params }) {
      const feature = findFeature(needs, params)
      return isRefusal(feature) ? feature : { items: feature.files.todos.items }
    },

    decideTodo: (given, by) =>
      onFeature(needs, given, async (feature, request) => {
        const { id } = given.params
        const question = feature.files.questions.questions.find(
          ({ todoId, state }) => todoId === id && state === 'open',
        )
        if (!question) {
          return refusal(
            'question_not_found',
            'Nothing has to be decided about this.',
            'List the questions of the session.',
          ) as AnswerRefusal
        }
        const { option = '', text, dismiss } = given.body
        const words = dismiss ? 'Leave it as it is; nothing is done about it.' : text
        const said = { questionId: question.id, value: dismiss ? '' : option, ...(words && { text: words }) }
        const no = await answer(features, feature, [said], { request, by: by.name })
        return (no as AnswerRefusal | undefined) ?? shown(needs, feature)
      }),
  }
}
