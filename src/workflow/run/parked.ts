import { decisionText } from '#core/workflow/questions.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import type { Feature } from '../feature.ts'

/** The parked call: it waits for a person's answers, possibly for days, and is repeated after a resume. */

export function batchOf({ files }: Feature, batch: string): Question[] {
  return files.questions.questions.filter((one) => one.batch === batch)
}

export function isAnswered(feature: Feature, batch: string): boolean {
  return batchOf(feature, batch).every(({ state }) => state !== 'open' && state !== 'validating')
}

export async function unpark(feature: Feature): Promise<void> {
  await feature.update((files) => ({
    files: { ...files, session: { ...files.session, parked: null } },
    events: [],
  }))
}

/** What was decided about the questions of one call. */
export function decisionsOn(feature: Feature, batch: string): string[] {
  return batchOf(feature, batch).map((question) =>
    question.state === 'filtered'
      ? `Question: ${question.questionText}\nNot asked: ${question.validation?.reason ?? 'it is covered already.'}`
      : decisionText(question),
  )
}
