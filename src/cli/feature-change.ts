import type { BodyOf } from '#protocol/api/route.ts'
import type { sessionPlanRoutes } from '#protocol/api/session-plans.ts'
import type { sessionQuestionRoutes } from '#protocol/api/session-questions.ts'
import type { sessionRoutes } from '#protocol/api/sessions.ts'
import type { Cli } from './context.ts'
import { askFeatures, findSession, pathOf } from './features.ts'
import { onlyPeople } from './people-only.ts'
import { print, printJson } from './print.ts'

export interface Json {
  json?: boolean
}

/** What a person decides about a feature session; each is answered with the session as it is then. */
type Decision =
  | typeof sessionRoutes.pause
  | typeof sessionRoutes.choose
  | typeof sessionRoutes.message
  | typeof sessionRoutes.finalApproval
  | typeof sessionPlanRoutes.approve
  | typeof sessionPlanRoutes.comment
  | typeof sessionPlanRoutes.startWhenClean
  | typeof sessionPlanRoutes.askReview
  | typeof sessionPlanRoutes.giveReview
  | typeof sessionQuestionRoutes.answer
  | typeof sessionQuestionRoutes.decideTodo

/** Sends a command to the session and shows the session afterwards. */
export async function change(
  cli: Cli,
  named: string,
  path: string,
  body: BodyOf<Decision>,
  { json }: Json,
): Promise<void> {
  await onlyPeople(cli, 'decide about a feature session')
  const found = await findSession(cli, named)
  const { session } = await askFeatures<Decision>(cli, 'POST', pathOf(found, path), body, {
    not_possible_now: seeShow(found.featureId),
    person_not_found: 'In a terminal: grove team name <your name>',
  })
  if (json) return printJson(session)
  const { stageText, status, executing } = session.summary
  print(`${session.summary.featureId}: ${stageText}, ${executing ? 'working' : status}`)
}

export function seeShow(featureId: string): string {
  return `\`grove feature show ${featureId}\` shows what it is waiting for.`
}
