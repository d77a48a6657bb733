import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import type { AnswerOf, Route } from '#protocol/api/route.ts'

/** Uses node:http: loading `fetch` would triple the start time of a command. */

interface Answer {
  status: number
  body: string
}

const PATIENCE = 5000

/** Reads a response to its end. */
export async function answerIn(response: IncomingMessage): Promise<Answer> {
  let body = ''
  response.setEncoding('utf8')
  for await (const text of response) body += text
  return { status: response.statusCode ?? 0, body }
}

/** Asks a URL. Every HTTP answer is a result; a timeout or a refused connection throws. */
export function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? getSecure : get)(url, { headers, timeout: PATIENCE }, (response) =>
      resolve(answerIn(response)),
    )
    request.on('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE / 1000} seconds`)))
    request.on('error', reject)
  })
}

/** Asks the daemon, with this home's token. */
export async function askDaemon<R extends Route>(
  daemon: string,
  path: R['path'],
  tokenFile: string,
): Promise<AnswerOf<R>> {
  const token = readFileSync(tokenFile, 'utf8').trim()
  const { status, body } = await ask(`${daemon}${path}`, { authorization: `Bearer ${token}` })
  if (status !== 200) throw new Error(`${daemon}${path} answered ${status}`)
  return JSON.parse(body) as AnswerOf<R>
}
