import type { LineRange } from '../trace/lines.ts'
import type { TraceRecord } from '../trace/record.ts'
import type { GuardedProject } from './guard.ts'

/** The ledger of changes, as it is read. */
export interface TraceLedger {
  index(project: GuardedProject): Promise<TraceIndex>
  records(project: GuardedProject, places: readonly IndexEntry[]): Promise<(TraceRecord | undefined)[]>
  newest(project: GuardedProject): AsyncIterable<{ text: string }>
  nameHash(name: string): number
  /** All lines, oldest first. */
  lines(project: GuardedProject): AsyncIterable<{ text: string }>
  /** The hash of the last record that was written here on the branch that is checked out. */
  head(project: GuardedProject): string | undefined
}

/** What git has committed. */
export interface CommittedHistory {
  revision(root: string, name: string): Promise<string | undefined>
  files(root: string, revision: string): Promise<CommittedFile[]>
  texts(root: string, files: readonly CommittedFile[]): AsyncIterable<{ path: string; text: string | undefined }>
  text(root: string, revision: string, path: string): Promise<string | undefined>
  changed(root: string, from: string, to: string): Promise<string[]>
  formerNames(root: string, path: string): Promise<string[]>
  /** Commits of a range, newest first, merges left out. */
  commits(root: string, limit: number, range?: string): Promise<Commit[]>
  /** The lines that a commit added. */
  added(root: string, revision: string): Promise<AddedLines[]>
}

export interface Commit {
  revision: string
  at: number
  author: string
  subject: string
}

export interface AddedLines {
  path: string
  ranges: LineRange[]
}

export interface CommittedFile {
  path: string
  oid: string
}

/** Answers questions about a ledger without reading it: names are stored as hashes, records as positions in the file. */
export interface TraceIndex {
  entries: IndexEntry[]
  /** Lines that are no whole record. */
  damaged: { line: number; offset: number }[]
  lines: number
}

export interface IndexEntry {
  offset: number
  bytes: number
  at: number
  intent: number
  session: number
  files: IndexFile[]
}

export interface IndexFile {
  path: number
  ranges: IndexRange[]
}

/** A run of lines that were written. There are millions, so each is only looked up. */
export interface IndexRange {
  start: number
  count: number
  hash(line: number): number
}
