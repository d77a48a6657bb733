/**
 * When a limit ends that the API has answered with (status 429), in milliseconds: what the account's window says, else how
 * long a client is asked to wait. Undefined when the answer does not tell.
 */
export function limitEnd(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const window = Number(headers['anthropic-ratelimit-unified-reset']) * 1000
  if (window > now) return window
  const wait = headers['retry-after']
  if (wait === undefined) return undefined
  const until = /^\d+$/.test(wait.trim()) ? now + Number(wait) * 1000 : Date.parse(wait)
  return until > now ? until : undefined
}
