import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import { readContent, sha256 } from '#exec/file-hash.ts'
import {
  addedLines,
  changedFiles,
  commitsIn,
  committedFiles,
  committedText,
  committedTexts,
  formerNames,
  revisionOf,
} from '#exec/git/commit-lookups.ts'
import { headBranch } from '#exec/git/head.ts'
import { ledgerHeads } from '#storage/files/ledger-heads.ts'
import { nameHash, openTraceIndex } from '#storage/files/trace-index.ts'
import { linesFrom, newestLines, recordsAt } from '#storage/files/trace-jsonl.ts'
import type { TraceWorld } from '#supervisor/guard/trace/world.ts'
import { ledgerOf } from './ledger.ts'

/** What reading the trace needs, on this machine. */
export function traceWorld(config: Config): TraceWorld {
  const { home } = pathsOf(config)
  const cache = join(home, 'cache')
  const heads = ledgerHeads(join(home, 'trace'))
  return {
    digest: sha256,
    ledger: {
      index: (project) => openTraceIndex(ledgerOf(project, home), cache),
      records: (project, places) => recordsAt(ledgerOf(project, home), places),
      newest: (project) => newestLines(ledgerOf(project, home)),
      nameHash,
      lines: (project) => linesFrom(ledgerOf(project, home), 0),
      head: (project) => heads.of(ledgerOf(project, home), headBranch(project.root) ?? ''),
    },
    git: {
      revision: revisionOf,
      files: committedFiles,
      texts: committedTexts,
      text: committedText,
      changed: changedFiles,
      formerNames,
      commits: commitsIn,
      added: addedLines,
    },
    read: async (path) => (await readContent(path))?.text,
  }
}
