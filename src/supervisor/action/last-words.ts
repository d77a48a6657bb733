import { redact } from '#core/redact/redact.ts'

/** How much is kept of what an agent said before it acted. */
const KEPT = 600
/** A secret is told by what stands around it, such as a heading or a name some lines before. */
const AROUND = 1400
/** The longest secret that is told by how it begins: a private key, or what stands between <private> tags. */
const LONGEST_BLOCK = 4000

/**
 * The end of what an agent said, without secrets. It may have said a lot, and the redactor is most of what it costs to
 * record an action; so only the end is read, from where a secret that reaches into the kept words can begin.
 */
export function lastWords(said: string): string {
  return redact(said.slice(firstRead(said))).slice(-KEPT)
}

function firstRead(said: string): number {
  const near = Math.max(0, said.length - KEPT - AROUND)
  const far = Math.max(0, said.length - KEPT - LONGEST_BLOCK)
  return BLOCK_BEGINS.test(said.slice(far, near + LONGEST_OPENING)) ? far : near
}

const BLOCK_BEGINS = /-----BEGIN |<private>/
const LONGEST_OPENING = 11
