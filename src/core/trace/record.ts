import { keylessPath } from '../redact/names-on-disk.ts'
import type { ChainLink } from './chain.ts'
import { changedRanges, lineHash, linesOf, packHashes, withoutMoved } from './lines.ts'
import type { Mutation, MutationClass } from './mutation/mutation.ts'

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
  /** What the session worked on; the goal in words only in the ledger of the home, which is never committed. */
  task?: { id: string; goal?: string }
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
  /** Absent in records of an older Grove. */
  chain?: ChainLink
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
  /** Blocks of lines that other files lost in the same call: those of them that are here now were moved. */
  movedIn?: readonly (readonly string[])[]
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
  task?: { id: string; goal?: string }
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
      path: keylessPath(file.path),
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
        ...(change.task && { task: change.task }),
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

/** No line is claimed of a file that existed but whose earlier text was not kept: another author may have written it. */
function rangesOf({ before, after, change, movedIn = [] }: FileChange) {
  if (after === undefined || (change === 'modify' && before === undefined)) return []
  const lines = linesOf(after)
  const written = changedRanges(linesOf(before ?? ''), lines).flatMap((range) => withoutMoved(range, lines, movedIn))
  return written.map(({ start, end }) => ({ start, end, text: lines.slice(start - 1, end) }))
}

function packedLines(lines: string[]): string {
  return lines.length > MOST_LINES ? '' : packHashes(lines.map(lineHash))
}

/** The way models are named across tools; the client's own mark for a long window is no part of the name. */
function modelId(model: string): string {
  const name = model.replace(/\[[^\][]*\]$/, '')
  return (name.includes('/') ? name : `anthropic/${name}`).slice(0, 250)
}

/** What an intent's URI begins with; the rest is its id. */
export const INTENT_URI = 'urn:grove:intent:'

/** An intent as a URI. */
export function intentUri(id: string): string {
  return `${INTENT_URI}${encodeURIComponent(id)}`
}

function sessionUri(session: string): string {
  return `urn:claude-code:session:${encodeURIComponent(session)}`
}
