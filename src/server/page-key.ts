import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { sameToken } from './guard.ts'

/**
 * Any program can claim to be a browser: `Origin` is a header like others. The page therefore holds a key, and an answer
 * that a person gives must carry it, or the token. A program that goes as far as reading the page, or the token's file,
 * is not kept out by this; one that merely finds the route is.
 */

/** The header in which the page sends it. */
export const PAGE_KEY_HEADER = 'x-grove-page'

/** Made from the token, so that a page that is open stays good when Grove is started anew. */
export function pageKey(token: string): string {
  return createHash('sha256').update(`page ${token}`).digest('base64url').slice(0, 32)
}

/** Whether a request comes from the page, or shows the token. */
export function speaksForAPerson(headers: IncomingHttpHeaders, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  return sameToken(String(headers[PAGE_KEY_HEADER] ?? ''), pageKey(token)) || sameToken(bearer ?? '', token)
}
