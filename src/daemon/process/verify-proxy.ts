import { randomBytes, timingSafeEqual } from 'node:crypto'
import { get } from 'node:http'
import { proofOf } from '#server/token.ts'

const PATIENCE = 700
const MOST_BYTES = 4096

/** Whether the proxy at this address knows this home's token. Nothing is sent there but a random challenge. */
export async function isOwnProxy(url: string, token: string, patienceMs = PATIENCE): Promise<boolean> {
  if (!URL.canParse(url)) return false
  const challenge = randomBytes(24).toString('base64url')
  const answer = await ask(`${new URL(url).origin}/health?challenge=${challenge}`, patienceMs)
  return answer !== undefined && isSame(proofIn(answer), proofOf(token, Number(new URL(url).port || 80), challenge))
}

function proofIn(answer: string): string {
  try {
    const { proof } = JSON.parse(answer) as { proof?: unknown }
    return typeof proof === 'string' ? proof : ''
  } catch {
    // Whatever listens there is no Grove.
    return ''
  }
}

function isSame(said: string, right: string): boolean {
  const [a, b] = [Buffer.from(said), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Undefined on a timeout, or when the answer is larger than a proof can be. */
function ask(url: string, patienceMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(patienceMs)
    const request = get(url, { signal, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        body += text
        if (body.length > MOST_BYTES) request.destroy()
      })
      response.on('end', () => resolve(body))
      response.on('error', () => resolve(undefined))
      response.on('close', () => resolve(undefined))
    })
    request.on('error', () => resolve(undefined))
  })
}
