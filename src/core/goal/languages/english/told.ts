/** Somebody other than the agent, or a program: what follows tells what they do, and closes nothing. */
const OTHERS =
  /\b(?:they|who|which|that|it|he|she|nobody|users?|clients?|people|customers?|members?|admins?|callers?|others|tests|[a-z]+ers)\s$/i
/** After these a verb of duty speaks to the agent. */
const AGENT =
  /(?:^|[,;:(.!?]\s*|\s[-–—]+\s|\b(?:you|u|we|i|please|pls|but|and|so|also|then|changes?|edits?|fix|pr|patch|diff|commit|task|refactoring)(?:['’](?:re|m)|\s(?:are|is|am))?\s)$/i
const ABLE = /\b(?!you\b|u\b|we\b|i\b)\w+\s(?:can|could|may|might|will|is able to|are able to)\s[^,.;]{0,60}$/i

/** Whether a refusal is said of the program or of its users, and not to the agent. */
export function isTold(before: string, refusal: string): boolean {
  const near = before.slice(-100)
  if (/^(?:must|should|shall|may|can|not (?:allowed|supposed|permitted|meant))/i.test(refusal)) return !AGENT.test(near)
  if (/^without/i.test(refusal)) return ABLE.test(near)
  if (/^(?:do|never)/i.test(refusal)) {
    if (/\b(?:i|we)\s$/i.test(near)) return !/^do(?: not|n['’]?t| n['’]t) (?:want|wish|need)/i.test(refusal)
    return OTHERS.test(near)
  }
  return false
}
