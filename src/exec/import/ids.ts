import { createHash } from 'node:crypto'

const PREFIX: Record<string, string> = { git: 'git', copy: 'mem' }

/** The same id for the same thing on every machine, so that imports by two members merge. */
export function idFor(kind: string, ...parts: string[]): string {
  const hash = createHash('sha256')
  for (const part of [kind, ...parts]) hash.update(`${part}\0`)
  return `${PREFIX[kind] ?? 'log'}_${hash.digest('hex').slice(0, 24)}`
}
