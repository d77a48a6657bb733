import { createHmac } from 'node:crypto'

/**
 * The secrets of a home, each for one purpose. All are derived from its token, so that pages, links and settings files
 * stay valid over a restart; the token cannot be computed from the others.
 */
export interface HomeKeys {
  /** For tools: opens everything that is not for people alone. */
  token: string
  /** In the link that `grove up` prints: only exchanges it for the cookie. */
  link: string
  cookie: string
  /** In the page: sent with each action of a person. */
  page: string
  /** In the headers of http hooks. */
  hooks: string
  /** In the base URL of a client whose requests are to be recorded. */
  proxy: string
  /** The cookie of a teammate's browser, by the id of the person. */
  teammate(id: string): string
}

export function keysOf(token: string): HomeKeys {
  const key = (purpose: string) =>
    createHmac('sha256', token).update(`grove-key:${purpose}`).digest('base64url').slice(0, 32)
  return {
    token,
    link: key('link'),
    cookie: key('cookie'),
    page: key('page'),
    hooks: key('hooks'),
    proxy: key('proxy'),
    teammate: (id) => `${id}.${key(`teammate:${id}`)}`,
  }
}
