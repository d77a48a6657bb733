import { type Commit, memoryOfCommit, revertedBy, unteachable } from '#core/memory/import-commit.ts'
import { changed, type Memory } from '#core/memory/memory.ts'
import type { GitHistory, GitStretch } from '#core/ports/import.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'
import { SLOTS } from '../state-slots.ts'
import { emptyReport, type ImportProgress, type ImportReport, keepAll, leaveOut } from './import-report.ts'

export interface GitImport {
  store: Pick<Store, 'memories' | 'states'>
  clock: Clock
  history: GitHistory
  /** The same id on every machine, so that two members who import the same history share it. */
  idFor(...parts: string[]): string
}

export interface GitImportWish {
  projectId: string
  root: string
  since?: string
  most?: number
  /** Read everything, also what was read before. */
  again?: boolean
}

/** How far the import has read. Saved after every batch, so an interrupted one continues there. */
export interface Bookmark extends GitStretch {
  /** The newest commit up to which everything has been read. */
  done?: string
}

const BATCH = 100
const PAGE = 500

/** Makes memories of a project's commits. Undefined when there is no history. */
export async function importGit(
  needs: GitImport,
  wish: GitImportWish,
  progress: ImportProgress = () => {},
): Promise<ImportReport | undefined> {
  const { store, history } = needs
  const head = await history.headOf(wish.root)
  if (head === undefined) return undefined
  const report = emptyReport()
  const key = `git:${wish.projectId}`
  const kept = wish.again ? undefined : await bookmarkAt(store, key)
  const behind = async (commit: string | undefined) => commit !== undefined && history.isBehind(wish.root, commit, head)
  // An import that was interrupted is finished first, with the options it was started with.
  if (kept && kept.done === undefined && (await behind(kept.head))) await read(needs, wish, key, kept, report, progress)
  const { since, most } = wish
  // An earlier import with a limit, and now a wider one: the older commits are read as well.
  const wider = kept !== undefined && (kept.since !== since || kept.most !== most) && isLimited(kept)
  const upTo = wider ? undefined : (kept?.done ?? kept?.head)
  if (upTo === head) return report
  const known = upTo !== undefined && (await behind(upTo)) ? { known: upTo } : {}
  const stretch = { head, skip: 0, ...known, ...(since && { since }), ...(most !== undefined && { most }) }
  await read(needs, wish, key, stretch, report, progress)
  return report
}

async function bookmarkAt({ states }: GitImport['store'], key: string): Promise<Bookmark | undefined> {
  const kept = await states.get(SLOTS.memoryImport, key)
  return typeof kept === 'string' ? undefined : kept
}

function isLimited({ since, most }: GitStretch): boolean {
  return since !== undefined || most !== undefined
}

async function read(
  { store, clock, history, idFor }: GitImport,
  { projectId, root }: GitImportWish,
  key: string,
  stretch: GitStretch,
  report: ImportReport,
  progress: ImportProgress,
) {
  const [total, aside] = await Promise.all([history.lengthOf(root, stretch), history.aside(root, stretch.head)])
  const witnessed = await commitsWitnessed(store, projectId)
  const marks = ({ sha }: Commit) => (aside?.commits.has(sha) ? { branch: aside.branch } : {})
  const idOf = (sha: string) => idFor('git', projectId, sha)
  let batch: Memory[] = []
  let reverts: Revert[] = []
  let { skip } = stretch
  const settle = async () => {
    await keepAll(store.memories, batch, report)
    await markReverted(store.memories, reverts)
    batch = []
    reverts = []
    await store.states.put(SLOTS.memoryImport, key, { ...stretch, skip }, clock.now())
    progress(report, total === 0 ? 1 : skip / total)
  }
  for await (const commit of history.commitsOf(root, stretch)) {
    skip++
    report.read++
    const why = unteachable(commit)
    if (why) leaveOut(report, why)
    else if (witnessed.has(commit.sha)) report.known++
    else batch.push({ ...memoryOfCommit(commit, projectId, idOf(commit.sha)), ...marks(commit) })
    for (const sha of revertedBy(commit)) reverts.push({ of: idOf(sha), by: idOf(commit.sha), at: commit.at })
    if (skip % BATCH === 0) await settle()
  }
  await settle()
  await store.states.put(SLOTS.memoryImport, key, { ...stretch, skip, done: stretch.head }, clock.now())
}

interface Revert {
  of: string
  by: string
  at: number
}

/** A reverted commit must not be shown as the present state; its memory points to the revert. */
async function markReverted(memories: GitImport['store']['memories'], reverts: Revert[]) {
  const known = new Map((await memories.byIds(reverts.flatMap(({ of, by }) => [of, by]))).map((one) => [one.id, one]))
  const marked = reverts.flatMap(({ of, by, at }) => {
    const [reverted, revert] = [known.get(of), known.get(by)]
    // The commit's time, so that two members who import the same history make the same change.
    return reverted && revert && !reverted.supersededBy ? [changed(reverted, { supersededBy: by }, at)] : []
  })
  await memories.put(...marked)
}

/** Commits of work that Grove was there for: it knows more about them than their message says. */
async function commitsWitnessed({ memories }: GitImport['store'], projectId: string): Promise<Set<string>> {
  const commits = new Set<string>()
  for (let last: Memory | undefined; ; ) {
    const page: Memory[] = await memories.list(projectId, { limit: PAGE, ...(last && { before: last }) })
    for (const { trigger, linkedCommit } of page) if (trigger !== 'import' && linkedCommit) commits.add(linkedCommit)
    last = page.at(-1)
    if (page.length < PAGE) return commits
  }
}
