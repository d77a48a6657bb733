import { CONFIDENCES, type Learning, type LearningStatus } from '#core/learning/learning.ts'
import { hitRate, type Usage, usageOf } from '#core/learning/stats.ts'
import { readCandidate } from '#core/learning/validate.ts'
import type { Library } from '#core/ports/learning.ts'
import { redact } from '#core/redact/redact.ts'
import { allLearnings, findLearnings, logFor, NO_QUERY } from './retrieve.ts'
import type { LearningWorld } from './world.ts'

/** A learning with how it fared, as people see it. */
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

/** Why something cannot be done to a learning. */
export interface Refused {
  code:
    | 'learning_not_found'
    | 'learning_ambiguous'
    | 'learning_not_editable'
    | 'learning_superseded'
    | 'learning_invalid'
  message: string
  suggestion: string
}

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
export async function findEntry(world: LearningWorld, library: Library, id: string): Promise<Entry | Refused> {
  const { learnings, stats } = await allLearnings(world, library)
  const exact = learnings.find((learning) => learning.id === id)
  const starts = learnings.filter((learning) => learning.id.startsWith(id) || learning.id.startsWith(`lrn_${id}`))
  const [first, second] = exact ? [exact] : starts
  if (first && !second) return entryOf(first, usageOf(stats, first.id))
  if (!first) {
    return {
      code: 'learning_not_found',
      message: `There is no learning ${id} in this project.`,
      suggestion: '`grove learnings list --status any` shows all of them.',
    }
  }
  return {
    code: 'learning_ambiguous',
    message: `${id} could be ${starts.map((one) => one.id).join(' or ')}.`,
    suggestion: 'Write more of the id.',
  }
}

export function isRefused(value: object): value is Refused {
  return 'code' in value
}

/** Sets a learning aside, or takes it back. */
export async function setAside(
  world: LearningWorld,
  library: Library,
  id: string,
  to: 'archived' | 'restored',
  reason?: string,
): Promise<Entry | Refused> {
  const entry = await findEntry(world, library, id)
  if (isRefused(entry)) return entry
  if (entry.status === 'superseded') {
    const by = entry.usage?.supersededBy
    return {
      code: 'learning_superseded',
      message: `${entry.id} was corrected${by ? ` by ${by}` : ''}, and stays so.`,
      suggestion: 'Hand in what holds now with `grove reflect`; it may name what it supersedes.',
    }
  }
  const at = world.clock.now()
  // A person may have written the status into the file; that would win over the log.
  await library.change(entry.id, (learning) => ({ ...learning, status: 'active' }))
  await logFor(library, entry).append([
    { type: to, at, learning: entry.id, ...(reason && { reason: redact(reason).slice(0, 300) }) },
  ])
  return findEntry(world, library, entry.id)
}

/** What can be changed about a learning, in the words of a candidate. */
export type Edit = Partial<Record<'category' | 'summary' | 'detail' | 'confidence', string>> & {
  tags?: string[]
  context_files?: string[]
}

/** Changes a learning where it stands. What is changed must be as a new one would have to be. */
export async function editLearning(
  world: LearningWorld,
  library: Library,
  id: string,
  edit: Edit,
): Promise<Entry | Refused> {
  const entry = await findEntry(world, library, id)
  if (isRefused(entry)) return entry
  const names = Object.keys(edit) as (keyof Edit)[]
  const read = readCandidate({ ...SOUND, ...edit })
  const odd = edit.confidence !== undefined && !CONFIDENCES.some((known) => known === edit.confidence)
  const reasons = [
    ...(names.length > 0 ? [] : ['nothing is to be changed']),
    ...('rejection' in read ? read.rejection.reasons : []),
    ...(odd ? [`confidence must be one of ${CONFIDENCES.join(', ')}, found "${edit.confidence}"`] : []),
  ]
  if (reasons.length > 0 || 'rejection' in read) {
    const message = `The learning cannot be changed like this: ${reasons.join('; ')}.`
    return { code: 'learning_invalid', message, suggestion: 'Correct what is named, and try again.' }
  }
  const { category, summary, detail, confidence, tags, contextFiles } = read.candidate
  const isChanged = await library.change(entry.id, (learning) => ({
    ...learning,
    ...('category' in edit && { category }),
    ...('summary' in edit && { summary: redact(summary) }),
    ...('detail' in edit && { detail: redact(detail) }),
    ...('confidence' in edit && { confidence }),
    ...('tags' in edit && { tags: tags.map(redact) }),
    ...('context_files' in edit && { contextFiles: contextFiles.map(redact) }),
  }))
  if (!isChanged) {
    return {
      code: 'learning_not_editable',
      message: `${entry.id} is kept by a server that has no way of changing it.`,
      suggestion: 'Archive it, and write it anew with `grove reflect`.',
    }
  }
  await logFor(library, entry).append([{ type: 'corrected', at: world.clock.now(), learning: entry.id }])
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
