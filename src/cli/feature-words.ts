import { Argument, type Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { sessionQuestionRoutes } from '#protocol/api/session-questions.ts'
import type { sessionRoutes } from '#protocol/api/sessions.ts'
import type { PlanReview } from '#protocol/workflow/reviews.ts'
import type { Cli } from './context.ts'
import { change, type Json, seeShow } from './feature-change.ts'
import { askFeatures, findSession, pathOf } from './features.ts'
import { everybody, personIn } from './people.ts'
import { clean } from './print.ts'

/** What a person says about a feature and does with its place in the list, as in the page. */

const VERDICTS = ['fine', 'changes'] as const
type Verdict = (typeof VERDICTS)[number]

export function defineWords(command: Command, cli: Cli): void {
  command
    .command('comment <feature> <words...>')
    .summary('ask for changes of the plan; Claude writes the next version')
    .option('--step <id>', 'the step that is meant (default: the whole plan)')
    .option('--json', 'print JSON')
    .action((named: string, words: string[], { step, json }: Json & { step?: string }) =>
      onPlan(cli, named, '/plan/comments', { json }, (planHash) => ({
        planHash,
        comments: [{ ...(step && { stepId: step }), text: words.join(' ') }],
      })),
    )
  command
    .command('ask-review <feature> <person>')
    .summary('ask a teammate to look at the current plan')
    .option('--json', 'print JSON')
    .action((named: string, person: string, options: Json) => askReview(cli, named, person, options))
  command
    .command('review')
    .argument('<feature>', 'its id, or the start of it')
    .addArgument(new Argument('<verdict>', 'whether it should change').choices(VERDICTS))
    .argument('[words...]', 'what you think of it')
    .summary('say what you think of the plan; it is kept under your name')
    .option('--step <id>', 'the step that is meant (default: the whole plan)')
    .option('--json', 'print JSON')
    .action((named: string, verdict: Verdict, words: string[], options: Json & { step?: string }) =>
      giveReview(cli, named, verdict, words.join(' '), options),
    )
  command
    .command('send-review <feature> <person>')
    .summary('send what a teammate said about the plan to Claude, as a change request')
    .option('--json', 'print JSON')
    .action((named: string, person: string, options: Json) => sendReview(cli, named, person, options))
  command
    .command('decide <feature> <todo> [words...]')
    .summary('decide about a comment in the code: one of its options, or your own words')
    .option('--dismiss', 'it is not worth a decision')
    .option('--json', 'print JSON')
    .action((named: string, todo: string, words: string[], options: Json & { dismiss?: boolean }) =>
      decide(cli, named, todo, words.join(' '), options),
    )
  command
    .command('message <feature> <words...>')
    .summary('say something to Claude, in the middle of its work or before it continues')
    .option('--json', 'print JSON')
    .action((named: string, words: string[], options: Json) =>
      change(cli, named, '/message', { text: words.join(' ') }, options),
    )
  command
    .command('restore <feature> <question>')
    .summary('bring back a question that was set aside after a look at the code')
    .option('--json', 'print JSON')
    .action((named: string, question: string, options: Json) =>
      change(cli, named, `/questions/${encodeURIComponent(question)}/restore`, {}, options),
    )
  for (const [name, summary] of [
    ['pause', 'stop Claude and pause; changes are kept'],
    ['resume', 'continue after a pause'],
    ['cancel', 'stop Claude immediately and pause; changes are kept'],
    ['interrupt', 'end Claude’s turn; it waits for a message'],
    ['archive', 'take a feature out of the list; nothing is removed'],
    ['unarchive', 'bring an archived feature back into the list'],
    ['delete', 'hide a feature; nothing is removed'],
    ['undelete', 'undo a deletion'],
  ] as const) {
    command
      .command(`${name} <feature>`)
      .summary(summary)
      .option('--json', 'print JSON')
      .action((named: string, options: Json) => change(cli, named, `/${name}`, {}, options))
  }
}

/** About exactly the plan that stands now. */
export async function onPlan(
  cli: Cli,
  named: string,
  path: string,
  { json }: { json?: boolean | undefined },
  bodyFor: (planHash: string) => Parameters<typeof change>[3],
): Promise<void> {
  const found = await findSession(cli, named)
  const { session } = await askFeatures<typeof sessionRoutes.show>(cli, 'GET', pathOf(found))
  const { planHash } = session.session
  if (!planHash) throw new Trouble(`${found.featureId} has no plan yet.`, seeShow(found.featureId))
  await change(cli, named, path, bodyFor(planHash), { ...(json && { json }) })
}

async function askReview(cli: Cli, named: string, person: string, { json }: Json): Promise<void> {
  const { id: personId } = personIn(await everybody(cli), person)
  await onPlan(cli, named, '/plan/reviews', { json }, (planHash) => ({ planHash, personId }))
}

async function giveReview(
  cli: Cli,
  named: string,
  verdict: Verdict,
  words: string,
  { step, json }: Json & { step?: string },
): Promise<void> {
  await onPlan(cli, named, '/plan/reviews/mine', { json }, (planHash) => ({
    planHash,
    verdict,
    ...(step ? { comments: [{ stepId: step, text: words }] } : { text: words }),
  }))
}

async function sendReview(cli: Cli, named: string, person: string, options: Json): Promise<void> {
  const found = await findSession(cli, named)
  const { session } = await askFeatures<typeof sessionRoutes.show>(cli, 'GET', pathOf(found))
  const isTheirs = (one: PlanReview) => one.person === person || one.personId === person
  const open = session.planReviews.filter(({ verdict, sentAt }) => verdict === 'changes' && !sentAt)
  const review = open.find(isTheirs)
  if (!review)
    throw new Trouble(
      `${clean(person)} has said nothing about the plan of ${found.featureId} that could be sent.`,
      open.length > 0
        ? `Choose one of: ${open.map((one) => clean(one.person)).join(', ')}`
        : `\`grove feature reviews ${found.featureId}\` shows what was said.`,
    )
  await change(cli, named, `/plan/reviews/${encodeURIComponent(review.id)}/send`, {}, options)
}

/** The words of one of its options choose that option; any others are the person's own. */
async function decide(
  cli: Cli,
  named: string,
  id: string,
  words: string,
  { dismiss, json }: Json & { dismiss?: boolean },
): Promise<void> {
  const found = await findSession(cli, named)
  const { items } = await askFeatures<typeof sessionQuestionRoutes.todos>(cli, 'GET', pathOf(found, '/todos'))
  const item = items.find((one) => one.id === id)
  const seeTodos = `\`grove feature todos ${found.featureId}\` lists them.`
  if (!item) throw new Trouble(`There is no comment ${clean(id)} that waits for a decision.`, seeTodos)
  if (!dismiss && words === '') throw new Trouble('The decision is missing.', 'Say it in words, or add --dismiss.')
  const isOption = item.options.some(({ label }) => label === words)
  const decision = isOption ? { option: words } : { text: words }
  await change(cli, named, `/todos/${encodeURIComponent(id)}`, dismiss ? { dismiss } : decision, {
    ...(json && { json }),
  })
}
