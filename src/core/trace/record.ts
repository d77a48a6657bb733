import { changedRanges, type LineRange, lineHash, linesOf, packHashes, unpackHashes } from './lines.ts'
import type { Mutation, MutationClass } from './mutation.ts'

/** One line of the ledger: an Agent Trace record, version 0.1.0. Ours alone is what stands under `dev.grove`. */
export interface TraceRecord {
  version: string
  id: string
  timestamp: string
  vcs?: { type: 'git'; revision: string }
  tool: { name: string; version: string }
  files: TraceFile[]
  /** Other tools may write into the same ledger, and leave this out. */
  metadata?: { 'dev.grove'?: GroveTrace }
}

export interface TraceFile {
  path: string
  conversations: TraceConversation[]
}

export interface TraceConversation {
  url?: string
  contributor?: { type: string; model_id?: string }
  ranges: TraceRange[]
  related?: { type: string; url: string }[]
}

export interface TraceRange {
  start_line: number
  end_line: number
  content_hash?: string
}

/** What Grove adds to the record. */
export interface GroveTrace {
  intent?: string
  session: string
  agent?: string
  tool: string
  tool_use_id?: string
  command?: string
  /** Of the whole change: a refactoring only when every file is one. */
  mutation_class: MutationClass
  declared_mutation_class?: MutationClass
  mutation_class_agrees?: boolean
  files: GroveFile[]
  /** Set when the change was seen only afterwards, and lies outside the intent's scope. */
  scope_violation?: true
}

/** What Grove adds to each file, in the order of the record's files. */
export interface GroveFile {
  change: 'create' | 'modify' | 'delete'
  mutation_class: MutationClass
  why: string
  language?: string
  /** The content after the change, as a whole; absent for a file that is gone. */
  content_hash?: string
  /** Per range the hashes of its lines, by which they are found again one by one. */
  lines?: string[]
}

/** A file before and after. Text that is absent was not there, or is no text. */
export interface FileChange {
  path: string
  change: GroveFile['change']
  before?: string
  after?: string
  afterHash?: string
  mutation: Mutation
}

export interface Change {
  id: string
  at: number
  revision?: string
  grove: { version: string }
  session: string
  agent?: string
  model?: string
  tool: string
  toolUseId?: string
  command?: string
  intent?: string
  declared?: MutationClass
  outOfScope?: boolean
  files: FileChange[]
}

/** Digest of a text, as `sha256:<hex>`. */
export type Digest = (text: string) => string

/** A file with more new lines than this is found again as a whole, not line by line. */
const MOST_LINES = 5000

/** The record of a change. */
export function recordOf(change: Change, digest: Digest): TraceRecord {
  const files = change.files.map((file) => ({ file, ranges: rangesOf(file) }))
  const refactor = change.files.every(({ mutation }) => mutation.class === 'AST_REFACTOR')
  const mutationClass: MutationClass = refactor ? 'AST_REFACTOR' : 'INTENT_EVOLUTION'
  const { declared } = change
  return {
    version: '0.1.0',
    id: change.id,
    timestamp: new Date(change.at).toISOString(),
    ...(change.revision && { vcs: { type: 'git' as const, revision: change.revision } }),
    tool: { name: 'grove', version: change.grove.version },
    files: files.map(({ file, ranges }) => ({
      path: file.path,
      conversations: [
        {
          url: sessionUri(change.session),
          contributor: { type: 'ai' as const, ...(change.model && { model_id: modelId(change.model) }) },
          ranges: ranges.map(({ start, end, text }) => ({
            start_line: start,
            end_line: end,
            content_hash: digest(text.join('\n')),
          })),
          related: change.intent === undefined ? [] : [{ type: 'specification', url: intentUri(change.intent) }],
        },
      ],
    })),
    metadata: {
      'dev.grove': {
        ...(change.intent !== undefined && { intent: change.intent }),
        session: change.session,
        ...(change.agent && { agent: change.agent }),
        tool: change.tool,
        ...(change.toolUseId && { tool_use_id: change.toolUseId }),
        ...(change.command && { command: change.command }),
        mutation_class: mutationClass,
        ...(declared && { declared_mutation_class: declared, mutation_class_agrees: declared === mutationClass }),
        files: files.map(({ file, ranges }) => ({
          change: file.change,
          mutation_class: file.mutation.class,
          why: file.mutation.why,
          ...(file.mutation.language && { language: file.mutation.language }),
          ...(file.afterHash && { content_hash: file.afterHash }),
          ...(ranges.length > 0 && { lines: ranges.map(({ text }) => packedLines(text)) }),
        })),
        ...(change.outOfScope && { scope_violation: true as const }),
      },
    },
  }
}

/** Of a file that was there, but nobody kept what it said, no line is claimed: it may be somebody else's. */
function rangesOf({ before, after, change }: FileChange) {
  if (after === undefined || (change === 'modify' && before === undefined)) return []
  const lines = linesOf(after)
  return changedRanges(linesOf(before ?? ''), lines).map(({ start, end }) => ({
    start,
    end,
    text: lines.slice(start - 1, end),
  }))
}

function packedLines(lines: string[]): string {
  return lines.length > MOST_LINES ? '' : packHashes(lines.map(lineHash))
}

/** The way models are named across tools; the client's own mark for a long window is no part of the name. */
function modelId(model: string): string {
  const name = model.replace(/\[[^\]]*\]$/, '')
  return (name.includes('/') ? name : `anthropic/${name}`).slice(0, 250)
}

/** An intent as a URI. */
export function intentUri(id: string): string {
  return `${INTENT_URI}${encodeURIComponent(id)}`
}

function sessionUri(session: string): string {
  return `urn:claude-code:session:${encodeURIComponent(session)}`
}

/** What a record says, for whoever shows it or looks for it; records of other tools say less. */
export interface TraceView {
  id: string
  at: number
  intent?: string
  session?: string
  agent?: string
  model?: string
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

const INTENT_URI = 'urn:grove:intent:'

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
