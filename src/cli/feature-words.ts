import type { Command } from 'commander'
import { Trouble } from '#config/trouble.ts'
import type { sessionRecordRoutes } from '#protocol/api/session-records.ts'
import type { sessionRoutes } from '#protocol/api/sessions.ts'
import type { Cli } from './context.ts'
import { change, type Json, seeShow } from './feature-change.ts'
import { askFeatures, findSession, pathOf } from './features.ts'
import { everybody, personIn } from './people.ts'
import { clean, cleanLines, note, print, printAsIs, printJson } from './print.ts'

/** What a person says about a feature, reads of it, and does with its place in the list: all of it as in the page. */

const LINES = 200

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
  command
    .command('output <feature>')
    .summary('print what Claude did and said, newest last')
    .option('--view <which>', 'story, talk or raw', 'story')
    .option('--lines <count>', 'how many of the newest lines', `${LINES}`)
    .option('--json', 'print JSON')
    .action((named: string, options: OutputOptions) => output(cli, named, options))
  command
    .command('changes <feature>')
    .summary('print the diff of a feature against where it began')
    .option('--step <id>', 'only what came after this step')
    .option('--json', 'print JSON')
    .action((named: string, options: Json & { step?: string }) => changes(cli, named, options))
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

interface OutputOptions extends Json {
  view: string
  lines: string
}

async function output(cli: Cli, named: string, { view, lines, json }: OutputOptions): Promise<void> {
  const count = Number(lines)
  if (!Number.isInteger(count) || count < 1)
    throw new Trouble(`${clean(lines)} is not a number of lines.`, 'Try --lines 50.')
  const query = new URLSearchParams({ view, before: '1000000000', limit: lines })
  const path = pathOf(await findSession(cli, named), `/output?${query}`)
  const page = await askFeatures<typeof sessionRecordRoutes.output>(cli, 'GET', path)
  if (json) return printJson(page)
  if (page.lines.length === 0) return print('Nothing was said or done yet.')
  for (const { tool, text } of page.lines) printAsIs(cleanLines(tool ? `${tool}: ${text}` : text))
}

async function changes(cli: Cli, named: string, { step, json }: Json & { step?: string }): Promise<void> {
  const query = step ? `?step=${encodeURIComponent(step)}` : ''
  const path = pathOf(await findSession(cli, named), `/diff${query}`)
  const found = await askFeatures<typeof sessionRecordRoutes.diff>(cli, 'GET', path)
  if (json) return printJson(found)
  if (found.patch === '') return print('Nothing has changed yet.')
  printAsIs(cleanLines(found.patch))
  if (found.truncated) note('The diff is too large to print whole; git has the rest.')
}
