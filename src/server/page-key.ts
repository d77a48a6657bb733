import type { IncomingHttpHeaders } from 'node:http'
import { type Standing, sameToken } from './guard.ts'
import type { HomeKeys } from './keys.ts'

/** The header in which the page sends its key. */
export const PAGE_KEY_HEADER = 'x-grove-page'

/**
 * Whether a request comes from the page, or shows the token. The cookie alone is not enough: it comes along by itself,
 * also when another program on this machine has been given it by the browser, because cookies know no ports.
 */
export function speaksForAPerson(standing: Standing, headers: IncomingHttpHeaders, { page }: HomeKeys): boolean {
  return standing === 'tool' || (standing === 'browser' && sameToken(String(headers[PAGE_KEY_HEADER] ?? ''), page))
}
