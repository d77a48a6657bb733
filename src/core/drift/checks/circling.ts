import { CIRCLES } from '../explain.ts'
import { type DriftAction, gistOf } from '../gist.ts'
import type { Note } from '../trail.ts'
import { type Check, changedPath } from './check.ts'

const IN_A_ROW = 3

/** The third edit of one file in a row that brings no word the earlier ones did not have. */
export function checkCircling(notes: Note[], action: DriftAction): Check | undefined {
  const path = changedPath(action)
  const gist = gistOf(action)
  if (!path || !gist || gist.text.length === 0) return undefined
  const elsewhere = notes.findLastIndex((note) => note.path !== gist.path && note.kind !== 'cmd')
  const edits = notes.slice(elsewhere + 1).filter((note) => note.kind === 'edit' || note.kind === 'write')
  if (edits.length < IN_A_ROW - 1) return undefined
  const known = new Set(edits.flatMap((note) => note.text))
  if (gist.text.some((word) => !known.has(word))) return undefined
  return {
    lowers: 0,
    atMost: 7,
    reason: { file: path, why: `it was edited ${edits.length + 1} ${CIRCLES}` },
  }
}

/** Each correction ignored makes an off-goal action one worse; an agent that is back on goal owes nothing. */
export function checkCorrections(score: number, ignored: number): number {
  return score > 7 ? score : Math.max(1, score - Math.max(0, ignored))
}
