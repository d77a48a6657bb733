import { readFileSync, realpathSync } from 'node:fs'
import { request } from 'node:http'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import type { AnswerOf, BodyOf, Route } from '#protocol/api/route.ts'
import type { SessionSummary, sessionRoutes } from '#protocol/api/sessions.ts'
import type { REFUSALS } from '#protocol/refusal.ts'
import type { Cli } from './context.ts'
import { answerIn } from './http.ts'

/** Feature sessions live in the daemon: commands ask it, and start it when it does not run. */

/**
 * Asks the API with this home's token; a refusal is thrown as a `Trouble`, with the command's own hint where it has
 * one.
 */
export async function askFeatures<R extends Route>(
  cli: Cli,
  method: R['method'],
  path: string,
  body?: BodyOf<R>,
  hints: Partial<Record<keyof typeof REFUSALS, string>> = {},
): Promise<AnswerOf<R>> {
  const config = cli.config()
  const base = await daemonUrl(cli, config)
  const token = readFileSync(pathsOf(config).token, 'utf8').trim()
  const { status, body: text } = await send(new URL(path, base), method, token, body)
  const answer = JSON.parse(text) as AnswerOf<R> & {
    code?: keyof typeof REFUSALS
    message?: string
    suggestion?: string
  }
  if (status < 300) return answer
  const hint = answer.code && hints[answer.code]
  // An address of the API says nothing to somebody in a terminal.
  const suggestion = answer.suggestion?.includes(' /api/') ? undefined : (answer.suggestion ?? 'See `grove logs`.')
  const fix = [suggestion, hint].filter((words) => words !== undefined).join(' ') || 'See `grove --help`.'
  throw new Trouble(inPlainWords(answer.message) ?? `The daemon answered ${status}.`, fix)
}

/** The schema's own marks, and where in a request something stands, are for programs. */
function inPlainWords(message: string | undefined): string | undefined {
  return message?.replace(/^✖ /gm, '').replace(/\n[ \t]*→ at [^\n]*/g, '')
}

async function daemonUrl({ env }: Cli, config: Config): Promise<string> {
  const { runningListeners } = await import('#daemon/process/listeners.ts')
  const running = runningListeners(config).web?.url
  if (running) return running
  const { linkToPage } = await import('#daemon/commands/open.ts')
  const reached = await linkToPage({ config, env, program: realpathSync(process.argv[1]!) })
  if (!('link' in reached)) throw new Trouble(`${reached.off}.`, reached.fix)
  return new URL(reached.link).origin
}

function send(url: URL, method: Route['method'], token: string, body?: unknown): ReturnType<typeof answerIn> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const asked = request(url, { method, headers }, (response) => resolve(answerIn(response)))
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The session that is meant: `project/feature`, the feature's id, or the beginning of it. What is out of the list is meant last. */
export async function findSession(cli: Cli, named: string): Promise<SessionSummary> {
  let found: SessionSummary[] = []
  for (const filter of ['all', 'archived', 'deleted']) {
    const path = `/api/sessions?filter=${filter}&limit=500`
    const { sessions } = await askFeatures<typeof sessionRoutes.list>(cli, 'GET', path)
    const exact = sessions.filter((one) => [one.featureId, `${one.projectId}/${one.featureId}`, one.id].includes(named))
    found = exact.length > 0 ? exact : sessions.filter((one) => one.featureId.startsWith(named))
    if (found.length > 0) break
  }
  if (found.length === 1) return found[0]!
  throw new Trouble(
    found.length === 0
      ? `There is no feature session ${named}.`
      : `${named} matches several sessions: ${found.map((one) => `${one.projectId}/${one.featureId}`).join(', ')}.`,
    'Run `grove feature list` to see them all.',
  )
}

export function pathOf({ projectId, featureId }: Pick<SessionSummary, 'projectId' | 'featureId'>, rest = ''): string {
  return `/api/sessions/${projectId}/${featureId}${rest}`
}
