import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { get as getSecure } from 'node:https'
import type { AnswerOf, Route } from '#protocol/api/route.ts'

/** Uses node:http: loading `fetch` would triple the start time of a command. */

interface Answer {
  status: number
  body: string
}

const PATIENCE = 5000

/** Asks a URL. Every HTTP answer is a result; a timeout or a refused connection throws. */
export function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? getSecure : get)(url, { headers, timeout: PATIENCE }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', reject)
    })
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
