import type { Decision, Memory } from '#core/memory/memory.ts'

/**
 * A memory as it stands in a line of an export and in the team's database. Fields of a newer Grove are left out, odd ones
 * read as absent. By hand, because hook processes load this, and building a schema would take them longer than reading.
 */

type Json = Record<string, unknown>

/** The memory in a parsed JSON value; undefined when it has no id, no project, no time or no words. */
export function readMemory(json: Json): Memory | undefined {
  const id = textAt(json, 'id')
  const projectId = textAt(json, 'projectId')
  const createdAt = timeAt(json, 'createdAt')
  const goal = textAt(json, 'goal') ?? ''
  const instruction = textAt(json, 'instruction') ?? ''
  if (!id || id.length > 200 || !projectId || createdAt === undefined || !(goal || instruction)) return undefined
  return {
    id,
    projectId,
    instruction,
    goal,
    reasoningTrace: textsAt(json, 'reasoningTrace'),
    decisions: listAt(json, 'decisions').flatMap(decisionIn),
    constraints: textsAt(json, 'constraints'),
    files: textsAt(json, 'files'),
    tags: textsAt(json, 'tags'),
    status: oneOf(['complete', 'partial', 'abandoned'], json.status) ?? 'complete',
    trigger: oneOf(['complete', 'threshold', 'abandoned', 'import'], json.trigger) ?? 'import',
    createdAt,
    ...maybe('user', textAt(json, 'user')),
    ...maybe('branch', textAt(json, 'branch')),
    ...maybe('merged', typeof json.merged === 'boolean' ? json.merged : undefined),
    ...maybe('linkedCommit', textAt(json, 'linkedCommit')),
    ...maybe('parentId', textAt(json, 'parentId')),
    ...maybe('sessionId', textAt(json, 'sessionId')),
    ...maybe('supersededBy', textAt(json, 'supersededBy')),
    ...maybe('updatedAt', timeAt(json, 'updatedAt')),
    ...maybe('updatedBy', textAt(json, 'updatedBy')),
  }
}

/** Why there is no memory in a JSON value, for people. */
export function lacksOf(json: Json): string {
  const id = textAt(json, 'id')
  if (!id || id.length > 200) return 'not a memory: "id" should be a text of at most 200 characters'
  if (!textAt(json, 'projectId')) return 'not a memory: "projectId" should be a text'
  if (timeAt(json, 'createdAt') === undefined) return 'not a memory: "createdAt" should be milliseconds since 1970'
  return 'not a memory: "goal" or "instruction" should be a text'
}

function textAt(json: Json, key: string): string | undefined {
  const value = json[key]
  return typeof value === 'string' ? value : undefined
}

/** The last moment that a date can name; one memory from beyond would break every listing. */
const END_OF_TIME = 8.64e15

function timeAt(json: Json, key: string): number | undefined {
  const value = json[key]
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= END_OF_TIME ? value : undefined
}

function listAt(json: Json, key: string): unknown[] {
  const value = json[key]
  return Array.isArray(value) ? value : []
}

function textsAt(json: Json, key: string): string[] {
  return listAt(json, key).filter((item) => typeof item === 'string')
}

function decisionIn(item: unknown): Decision[] {
  const { choice, reason } = (item ?? {}) as Json
  return typeof choice === 'string' ? [{ choice, reason: typeof reason === 'string' ? reason : '' }] : []
}

function oneOf<const T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((one) => one === value)
}

function maybe<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T })
}
