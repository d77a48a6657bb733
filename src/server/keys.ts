import { createHmac } from 'node:crypto'

/**
 * The secrets of a home. All follow from its token, so that a page, a link or a settings file stays good when Grove is
 * started anew; but none of the others says anything about the token, and each opens one thing only.
 */
export interface HomeKeys {
  /** For tools: opens everything that is not for people alone. */
  token: string
  /** In the link that `grove up` prints: opens nothing but gives a browser its cookie. */
  link: string
  cookie: string
  /** In the page: an answer that a person gives on it carries this. */
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
