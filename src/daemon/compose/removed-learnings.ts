import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { isEdited, linesEverAdded } from '#exec/git/file-history.ts'
import { gitPlace, headRevision } from '#exec/git/head.ts'
import type { LearningsFile } from '#storage/files/learnings-md.ts'
import { SLOTS } from '#supervisor/state-slots.ts'

/** Which learnings the file of each checkout has held. */
export interface SeenLearnings {
  of(root: string): Promise<ReadonlySet<string>>
  note(root: string, ids: readonly string[]): Promise<void>
}

const MOST_SEEN = 5000

export function seenLearnings(states: StateStore, clock: Clock): SeenLearnings {
  const known = new Map<string, ReadonlySet<string>>()
  async function of(root: string) {
    const here = known.get(root) ?? new Set((await states.get(SLOTS.seenLearnings, root))?.ids)
    known.set(root, here)
    return here
  }
  return {
    of,
    async note(root, ids) {
      const before = await of(root)
      if (ids.every((id) => before.has(id))) return
      const stored = await states.update(SLOTS.seenLearnings, root, clock.now(), (kept) => ({
        ids: [...new Set([...(kept?.ids ?? []), ...ids])].slice(-MOST_SEEN),
      }))
      known.set(root, new Set(stored.ids))
    },
  }
}

/**
 * Which of these learnings people removed from the file of this checkout. One that the file never held belongs to
 * another branch, and one that a reset or stash took away was not removed on purpose. So git decides: it was removed
 * when the history of this branch has held it, or when the file held it here and was edited since.
 */
export async function takenOut(
  root: string,
  file: LearningsFile,
  ids: readonly string[],
  seen: SeenLearnings,
): Promise<ReadonlySet<string>> {
  if (!existsSync(file.path)) return NONE
  // A damaged file is reported where it is searched.
  const read = await file.read().catch(() => undefined)
  if (!read) return NONE
  const present = read.map(({ id }) => id)
  await seen.note(root, present)
  const missing = new Set(ids)
  for (const id of present) missing.delete(id)
  if (missing.size === 0) return NONE
  const seenHere = await seen.of(root)
  const held = [...missing].filter((id) => seenHere.has(id))
  if (!gitPlace(root)) return new Set(held)
  const inHistory = await idsInHistory(root, file.path)
  const edited = held.length > 0 && (await isEdited(root, relative(root, file.path)))
  return new Set([...missing].filter((id) => inHistory.has(id) || (edited && seenHere.has(id))))
}

const NONE: ReadonlySet<string> = new Set()
const YEARS_MS = 3 * 365 * 24 * 60 * 60 * 1000
const ID = /<!--\s*(?:grove[:\s]\s*)?([\w.:-]{3,100})\s*-->\s*$/

/** Cached until something is committed or checked out: git takes a while. */
const histories = new Map<string, { head: string | undefined; ids: Promise<ReadonlySet<string>> }>()

function idsInHistory(root: string, path: string): Promise<ReadonlySet<string>> {
  const head = headRevision(root)
  const known = histories.get(root)
  if (known && known.head === head) return known.ids
  const ids = linesEverAdded(root, relative(root, path), Date.now() - YEARS_MS).then(
    (lines) => new Set(lines?.flatMap((line) => ID.exec(line)?.[1] ?? [])),
  )
  histories.set(root, { head, ids })
  return ids
}
