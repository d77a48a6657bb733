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
} from '#exec/git/committed.ts'
import { headBranch } from '#exec/git/head.ts'
import { ledgerHeads } from '#storage/files/ledger-heads.ts'
import { nameHash, openTraceIndex } from '#storage/files/trace-index.ts'
import { ledgerFile, linesFrom, newestLines, recordsAt } from '#storage/files/trace-jsonl.ts'
import type { TraceWorld } from '#supervisor/guard/trace-world.ts'

/** What reading the trace needs, on this machine. */
export function traceWorld(config: Config): TraceWorld {
  const cache = join(pathsOf(config).home, 'cache')
  const heads = ledgerHeads(join(pathsOf(config).home, 'trace'))
  return {
    digest: sha256,
    ledger: {
      index: ({ orchestration }) => openTraceIndex(ledgerFile(orchestration), cache),
      records: ({ orchestration }, places) => recordsAt(ledgerFile(orchestration), places),
      newest: ({ orchestration }) => newestLines(ledgerFile(orchestration)),
      nameHash,
      lines: ({ orchestration }) => linesFrom(ledgerFile(orchestration), 0),
      head: ({ root, orchestration }) => heads.of(ledgerFile(orchestration), headBranch(root) ?? ''),
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
