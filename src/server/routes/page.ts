import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { HomeKeys } from '../keys.ts'
import { page } from '../page.ts'

interface Needs {
  version: string
  proxyUrl: string
  keys: HomeKeys
}

/** `/`: the page, under a policy that lets nothing run but itself. */
export function pageRoute(app: FastifyInstance, { version, proxyUrl, keys }: Needs): void {
  app.get('/', async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(page({ nonce, version, proxyUrl, key: keys.page }))
  })
}
