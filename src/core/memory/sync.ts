/**
 * How memories travel between a developer's store and the team's. Every copy has a version; the higher version wins, and
 * of two changes in the same millisecond the one that reached the team first. A deletion is final: it wins over every
 * version, so that what a person deleted is gone everywhere, also where it was being edited.
 */
import { redact } from '../redact/redact.ts'
import type { SetAside } from './admit-shared.ts'

/** A thing the team shares, as it travels. Other kinds than memories may join; nothing here looks into the body. */
export interface SharedItem {
  kind: string
  id: string
  projectId: string
  version: number
  /** Who made this version. */
  by?: string
  /** Absent when the thing is deleted. */
  body?: object
}

/** Whether the team's copy replaces ours. On a tie it does, since all other members have that one. */
export function replaces(theirs: Pick<SharedItem, 'version' | 'body'>, ours: number | undefined): boolean {
  return ours === undefined || theirs.body === undefined || theirs.version >= ours
}

/** The same without secrets: an older Grove may have sent one, or a hand in the database left it there. */
export function withoutSecrets(item: SharedItem): SharedItem {
  if (item.body === undefined) return item
  // Hardly any holds one, and one look at all of it is several times faster than many at its parts.
  const whole = textsIn(item.body).join(SEAM)
  return redact(whole) === whole ? item : { ...item, body: redactedIn(item.body) as object }
}

/** Nothing that a secret is known by reaches across this. */
const SEAM = '\n;\n'

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function redactedIn(value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(redactedIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactedIn(inner)]))
}

/** How far a project has been read. A new epoch means that the team's database was restored: everything is read anew. */
export interface PullMark {
  epoch: string
  change: number
}

export interface PullPage {
  items: SharedItem[]
  /** Rows of this page that cannot even be read. */
  unreadable?: SetAside[]
  mark: PullMark
  /** There is more behind this page. */
  more: boolean
  /** The team's database is not where it was when we last read it: this is the first page of everything. */
  anew: boolean
}

/** What the login may do with a project in the team's database. */
export type Rights = 'write' | 'read' | 'none'

/** A project as it stands in the team's database; `head` is absent where nothing was shared yet. */
export interface TeamProject {
  rights: Rights
  head?: PullMark
}

/** Whether a project may be shared at all: by the patterns that were set, and never when it exists on one machine only. */
export function isShareable(projectId: string, patterns: readonly string[] = ['*']): boolean {
  return (
    !projectId.startsWith('path:') && patterns.some((pattern) => fits(pattern.toLowerCase(), projectId.toLowerCase()))
  )
}

/** `*` stands for anything, slashes included. */
function fits(pattern: string, projectId: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === projectId
  const last = rest.pop()!
  if (!projectId.startsWith(first) || projectId.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = projectId.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return projectId.length - last.length >= at && projectId.endsWith(last)
}

const FIRST_WAIT = 1_000
const LONGEST_WAIT = 5 * 60_000

/** How long to wait after so many failures in a row; `chance` (0 to 1) keeps a team from coming back all at once. */
export function retryDelay(failures: number, chance: number): number {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (0.5 + chance / 2))
}
