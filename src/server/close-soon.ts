import type { FastifyInstance } from 'fastify'

/** Answers of the page and the API take less; one that waits for a person would not come. */
const DRAIN_MS = 3_000
const LOOK_EVERY_MS = 50

/**
 * Closes a server: running answers may finish, for a while. By itself a server also waits for every connection that has answered since
 * and is kept for further requests, and for those that a browser opens in advance, on which nothing was ever asked.
 */
export async function closeSoon(app: FastifyInstance, drainMs = DRAIN_MS): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS)
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs)
  await app.close()
  clearInterval(idle)
  clearTimeout(cut)
}
