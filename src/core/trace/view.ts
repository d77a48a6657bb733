import { type LineRange, unpackHashes } from './lines.ts'
import type { MutationClass } from './mutation/mutation.ts'
import { type GroveFile, INTENT_URI, type TraceRecord } from './record.ts'

/** The fields of a record that listings show and searches match; records of other tools have fewer. */
export interface TraceView {
  id: string
  at: number
  intent?: string
  session?: string
  agent?: string
  model?: string
  task?: string
  tool?: string
  toolUseId?: string
  revision?: string
  mutationClass?: MutationClass
  declared?: MutationClass
  scopeViolation: boolean
  files: { path: string; change?: GroveFile['change']; ranges: ViewedRange[] }[]
}

export interface ViewedRange extends LineRange {
  hash?: string
  /** One per line; empty when only the whole is known. */
  lines: number[]
}

/** The record as a view. */
export function viewOf(record: TraceRecord): TraceView {
  const ours = record.metadata?.['dev.grove']
  const { intent, session } = belonging(record)
  const conversations = record.files.flatMap((file) => file.conversations)
  const model = conversations.find(({ contributor }) => contributor?.model_id)?.contributor?.model_id
  return {
    id: record.id,
    at: Date.parse(record.timestamp),
    ...(intent !== undefined && { intent }),
    ...(session !== undefined && { session }),
    ...(ours?.agent && { agent: ours.agent }),
    ...(model && { model }),
    ...(ours?.task && { task: ours.task.goal ?? ours.task.id }),
    ...(ours?.tool && { tool: ours.tool }),
    ...(ours?.tool_use_id && { toolUseId: ours.tool_use_id }),
    ...(record.vcs && { revision: record.vcs.revision }),
    ...(ours && { mutationClass: ours.mutation_class }),
    ...(ours?.declared_mutation_class && { declared: ours.declared_mutation_class }),
    scopeViolation: ours?.scope_violation === true,
    files: record.files.map((file, index) => {
      const more = ours?.files?.[index]
      return {
        path: file.path,
        ...(more && { change: more.change }),
        ranges: file.conversations
          .flatMap(({ ranges }) => ranges)
          .map(({ start_line: start, end_line: end, content_hash: hash }, at) => ({
            start,
            end,
            ...(hash && { hash }),
            lines: unpackHashes(more?.lines?.[at] ?? ''),
          })),
      }
    }),
  }
}

/** Which intent and which agent session a record belongs to; other tools say it in the standard's own way. */
export function belonging({ metadata, files }: TraceRecord): { intent?: string; session?: string } {
  const ours = metadata?.['dev.grove']
  if (ours) return { ...(ours.intent !== undefined && { intent: ours.intent }), session: ours.session }
  const conversations = files.flatMap((file) => file.conversations)
  const intent = intentIn(conversations.flatMap(({ related }) => related?.map(({ url }) => url) ?? []))
  const session = conversations.find(({ url }) => url)?.url
  return { ...(intent !== undefined && { intent }), ...(session && { session }) }
}

function intentIn(urls: string[]): string | undefined {
  const url = urls.find((one) => one.startsWith(INTENT_URI))
  return url === undefined ? undefined : decodeURIComponent(url.slice(INTENT_URI.length))
}

const BEGINNING = '{"version":'

/**
 * Reads a line of the ledger: the record, if it has the shape every reader relies on, and whether there is nothing else.
 * A writer that was killed in the middle of its line may have left half a record in front of the next one, which is
 * whole all the same.
 */
export function readLine(line: string): { record?: TraceRecord; sound: boolean } {
  const value = parsed(line)
  if (isRecord(value)) return { record: value, sound: true }
  const last = line.lastIndexOf(BEGINNING)
  const rest = last > 0 ? parsed(line.slice(last)) : undefined
  return isRecord(rest) ? { record: rest, sound: false } : { sound: false }
}

/** The record of a line, if there is one. */
export function readRecord(line: string): TraceRecord | undefined {
  return readLine(line).record
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Torn by a crash, or a merge conflict's marker: not a record.
    return undefined
  }
}

function isRecord(value: unknown): value is TraceRecord {
  const record = value as Partial<TraceRecord> | null
  return (
    typeof record === 'object' &&
    record !== null &&
    typeof record.id === 'string' &&
    typeof record.timestamp === 'string' &&
    !Number.isNaN(Date.parse(record.timestamp)) &&
    Array.isArray(record.files) &&
    record.files.every(
      (file) =>
        typeof file?.path === 'string' &&
        Array.isArray(file.conversations) &&
        file.conversations.every((conversation) => Array.isArray(conversation?.ranges)),
    )
  )
}
