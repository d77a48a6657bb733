import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { plainText } from '#config/plain-file.ts'
import type { Ticket, TicketSystem } from '#core/gate/session.ts'
import { redact } from '#core/redact/redact.ts'

/** Which ticket systems a project has, and what they say about a ticket. */

const FOLDERS: Partial<Record<TicketSystem, string>> = { tissue: '.tissue', beads: '.beads' }
/** Where each system keeps its tickets as JSON lines; the first file that is there counts. */
const FILES: Partial<Record<TicketSystem, string[]>> = {
  tissue: ['.tissue/issues.jsonl'],
  beads: ['.beads/issues.jsonl', '.beads/beads.jsonl'],
}
/** Larger files are skipped: they would keep the first hook of a session waiting. */
const MAX_BYTES = 16 * 1024 * 1024

/** The first system, in the given order, that this project uses. */
export async function detectSystem(root: string, order: readonly TicketSystem[]): Promise<TicketSystem> {
  for (const system of order) {
    if (system === 'session') return 'session'
    const folder = FOLDERS[system]
    // Whether Claude Code's own tasks are used shows only when they are.
    if (folder !== undefined && statOf(join(root, folder))?.isDirectory()) return system
  }
  return 'none'
}

/** The ticket that is being worked on: the one last set to in progress. */
export async function currentTicket(root: string, system: TicketSystem, at: number): Promise<Ticket | undefined> {
  const rows = readRows(root, system)
  const open = [...rows.values()].filter(({ status }) => status === 'in_progress')
  const newest = open.sort((a, b) => timeOf(b) - timeOf(a))[0]
  return newest && toTicket(newest, system, at)
}

/** A ticket by its id, with its title and description where the system has them. */
export async function findTicket(root: string, system: TicketSystem, id: string, at: number): Promise<Ticket> {
  const rows = readRows(root, system)
  const row = rows.get(id) ?? meantBy(id, rows)
  return row ? toTicket(row, system, at) : { id, source: system, detectedAt: at }
}

/** Ids may be shortened, at either end, as long as only one ticket can be meant. */
function meantBy(id: string, rows: Rows): Row | undefined {
  const meant = [...rows.values()].filter((one) => one.id.startsWith(id) || one.id.endsWith(`-${id}`))
  return meant.length === 1 ? meant[0] : undefined
}

interface Row {
  id: string
  [field: string]: unknown
}

type Rows = ReadonlyMap<string, Row>

/** What was read last, by file: most sessions begin with the tickets unchanged. */
const read = new Map<string, { stamp: string; rows: Rows }>()
const MOST_READ = 20

/** The newest row of each ticket, from the first of the system's files that is there. */
function readRows(root: string, system: TicketSystem): Rows {
  for (const name of FILES[system] ?? []) {
    const file = join(root, name)
    const found = statOf(file)
    if (!found?.isFile() || found.size > MAX_BYTES) continue
    const stamp = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
    const known = read.get(file)
    if (known?.stamp === stamp) return known.rows
    const rows = parseRows(plainText(file, { most: MAX_BYTES }) ?? '')
    read.delete(file)
    read.set(file, { stamp, rows })
    if (read.size > MOST_READ) read.delete(read.keys().next().value!)
    return rows
  }
  return new Map()
}

/** Tissue appends a row for every change. Broken lines are skipped. */
function parseRows(text: string): Rows {
  const rows = new Map<string, Row>()
  for (const line of text.split('\n')) {
    const row = line.includes('"id"') ? parseRow(line) : undefined
    if (row) rows.set(row.id, { ...rows.get(row.id), ...row })
  }
  return rows
}

function parseRow(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isRow = typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    return isRow ? (value as Row) : undefined
  } catch {
    // A line cut off, or a merge mark: the other lines still count.
    return undefined
  }
}

/** What is not ours to look at is as good as not there. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function toTicket(row: Row, source: TicketSystem, detectedAt: number): Ticket {
  const title = redact(text(row.title))
  const description = redact(text(row.description) || text(row.body))
  const tags = [row.tags, row.labels].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isText)
  return {
    id: row.id,
    source,
    detectedAt,
    ...(title && { title: title.slice(0, 300) }),
    ...(description && { description: description.slice(0, 4000) }),
    ...(tags.length > 0 && { tags: tags.slice(0, 20) }),
  }
}

function timeOf({ updated_at: updated }: Row): number {
  const time = typeof updated === 'number' ? updated : Date.parse(text(updated))
  return Number.isNaN(time) ? 0 : time
}

function text(value: unknown): string {
  return isText(value) ? value : ''
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
