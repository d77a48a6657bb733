/** An intent is declared work: what may be changed for it, under which constraints, and when it is done. */
export interface Intent {
  id: string
  name: string
  /** As the file has it: `planned`, `in_progress`, `done` … */
  status: string
  /** Globs, read line after line; `!` takes away again. */
  ownedScope: string[]
  constraints: string[]
  acceptanceCriteria: string[]
  owner?: string
  dependencies: string[]
}

/** An intent in one line. */
export type IntentBrief = Pick<Intent, 'id' | 'name' | 'status'>

const CLOSED = new Set(['done', 'completed', 'complete', 'closed', 'cancelled', 'canceled', 'abandoned', 'archived'])

/** Work may still be done for it. An unknown status counts as open: people have their own words. */
export function isOpen({ status }: Pick<Intent, 'status'>): boolean {
  return !CLOSED.has(status.trim().toLowerCase().replace(/[ -]/g, '_'))
}

/** The intents that need a person's approval for every destructive action: one id per line, `#` begins a comment. */
export function readIntentIgnore(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

/** The next free id in the way the others are numbered; `INT-001` when there are none. */
export function nextId(taken: readonly string[]): string {
  const numbered = taken.flatMap((id) => {
    const [, prefix, digits] = /^(.*?)(?<!\d)(\d+)$/.exec(id) ?? []
    return digits === undefined ? [] : [{ prefix: prefix!, number: Number(digits), width: digits.length }]
  })
  const highest = numbered.reduce((most, one) => (one.number > most.number ? one : most), {
    prefix: 'INT-',
    number: 0,
    width: 3,
  })
  return `${highest.prefix}${String(highest.number + 1).padStart(highest.width, '0')}`
}
