import { CONFIDENCES, type Learning, type LearningStatus } from '#core/learning/learning.ts'
import { hitRate, type Usage, usageOf } from '#core/learning/stats.ts'
import { readCandidate } from '#core/learning/validate.ts'
import type { Library } from '#core/ports/learning.ts'
import { redact } from '#core/redact/redact.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { allLearnings, findLearnings, logFor, NO_QUERY } from './retrieve.ts'
import type { LearningWorld } from './world.ts'

/** A learning with how often it was shown and used, as people see it. */
export interface Entry extends Learning {
  relevance?: number
  usage?: Usage
  /** Undefined before it was ever shown. */
  hitRate?: number
}

export interface Wanted {
  status?: LearningStatus | 'any'
  /** Words to look for; without them everything, newest first. */
  text?: string
  tag?: string
  category?: string
  limit?: number
}

type Unfound = Refusal<'learning_not_found' | 'learning_ambiguous'>

export async function listLearnings(
  world: LearningWorld,
  library: Library,
  { status = 'active', text, tag, category, limit = 500 }: Wanted,
): Promise<Entry[]> {
  const query = text === undefined ? NO_QUERY : { prompt: text, files: [text], tags: text.split(/[\s,]+/) }
  const { found, stats } = await findLearnings(world, library, query, { status })
  return found
    .filter(({ relevance }) => text === undefined || relevance > 0)
    .filter(({ learning }) => !tag || learning.tags.includes(tag.toLowerCase()))
    .filter(({ learning }) => !category || learning.category === category)
    .sort((a, b) => (text === undefined ? b.learning.at - a.learning.at : 0))
    .slice(0, limit)
    .map(({ learning, relevance }) =>
      entryOf(learning, usageOf(stats, learning.id), text === undefined ? undefined : relevance),
    )
}

function entryOf(learning: Learning, usage: Usage | undefined, relevance?: number): Entry {
  const rate = hitRate(usage)
  return {
    ...learning,
    ...(relevance !== undefined && { relevance }),
    ...(usage && { usage }),
    ...(rate !== undefined && { hitRate: rate }),
  }
}

/** A learning by its id, or by the beginning of it where that is enough. */
export async function findEntry(world: LearningWorld, library: Library, id: string): Promise<Entry | Unfound> {
  const { learnings, stats } = await allLearnings(world, library)
  const exact = learnings.find((learning) => learning.id === id)
  const starts = learnings.filter((learning) => learning.id.startsWith(id) || learning.id.startsWith(`lrn_${id}`))
  const [first, second] = exact ? [exact] : starts
  if (first && !second) return entryOf(first, usageOf(stats, first.id))
  if (!first) {
    return refusal(
      'learning_not_found',
      `There is no learning ${id} in this project.`,
      '`grove learnings list --status any` shows all of them.',
    )
  }
  const ids = starts.map((one) => one.id).join(' or ')
  return refusal('learning_ambiguous', `${id} could be ${ids}.`, 'Write more of the id.')
}

/** Sets a learning aside, or takes it back. */
export async function setAside(
  world: LearningWorld,
  library: Library,
  id: string,
  to: 'archived' | 'restored',
  reason?: string,
): Promise<Entry | Unfound | Refusal<'learning_superseded'>> {
  const entry = await findEntry(world, library, id)
  if (isRefusal(entry)) return entry
  if (entry.status === 'superseded') {
    const by = entry.usage?.supersededBy
    return refusal(
      'learning_superseded',
      `${entry.id} was superseded${by ? ` by ${by}` : ''} and stays superseded.`,
      'Submit what is true now with `grove reflect`; it may name what it supersedes.',
    )
  }
  const at = world.clock.now()
  // The status goes into the file, which others get; the log is of this machine only.
  await library.change(entry.id, (learning) => ({
    ...learning,
    status: to === 'archived' ? 'archived' : 'active',
    changedAt: at,
  }))
  await logFor(library, entry).append([
    { type: to, at, learning: entry.id, ...(reason && { reason: redact(reason).slice(0, 300) }) },
  ])
  return findEntry(world, library, entry.id)
}

/** What can be changed about a learning. */
export type Edit = Partial<Record<'category' | 'summary' | 'detail' | 'confidence', string>> & {
  tags?: string[]
  contextFiles?: string[]
}

/** Changes a learning where it stands. What is changed must be as a new one would have to be. */
export async function editLearning(
  world: LearningWorld,
  library: Library,
  id: string,
  edit: Edit,
): Promise<Entry | Unfound | Refusal<'learning_invalid' | 'learning_not_editable'>> {
  const entry = await findEntry(world, library, id)
  if (isRefusal(entry)) return entry
  const names = Object.keys(edit) as (keyof Edit)[]
  const read = readCandidate({ ...SOUND, ...edit, ...(edit.contextFiles && { context_files: edit.contextFiles }) })
  const odd = edit.confidence !== undefined && !CONFIDENCES.some((known) => known === edit.confidence)
  const reasons = [
    ...(names.length > 0 ? [] : ['there is nothing to change']),
    ...('rejection' in read ? read.rejection.reasons : []),
    ...(odd ? [`confidence must be one of ${CONFIDENCES.join(', ')}, found "${edit.confidence}"`] : []),
  ]
  if (reasons.length > 0 || 'rejection' in read) {
    const message = `The learning cannot be changed like this: ${reasons.join('; ')}.`
    return refusal('learning_invalid', message, 'Correct what is named, and try again.')
  }
  const { category, summary, detail, confidence, tags, contextFiles } = read.candidate
  const at = world.clock.now()
  const isChanged = await library.change(entry.id, (learning) => ({
    ...learning,
    changedAt: at,
    ...('category' in edit && { category }),
    ...('summary' in edit && { summary: redact(summary) }),
    ...('detail' in edit && { detail: redact(detail) }),
    ...('confidence' in edit && { confidence }),
    ...('tags' in edit && { tags: tags.map(redact) }),
    ...('contextFiles' in edit && { contextFiles: contextFiles.map(redact) }),
  }))
  if (!isChanged) {
    return refusal(
      'learning_not_editable',
      `${entry.id} is kept by a server that cannot change it.`,
      'Archive it, and write it again with `grove reflect`.',
    )
  }
  await logFor(library, entry).append([{ type: 'corrected', at, learning: entry.id }])
  return findEntry(world, library, entry.id)
}

/** Stands in for what is not changed: a person may have written a learning that no agent could have handed in. */
const SOUND = {
  category: 'convention',
  summary: 'What the learning says',
  detail: 'What there is to know about it.',
  criteria_met: ['stable_fact'],
  tags: ['sound'],
}
