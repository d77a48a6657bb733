import type { Learning } from '#core/learning/learning.ts'
import { type LearningQuery, termsOf } from '#core/learning/query.ts'
import { isObject, parseJson } from '#protocol/json.ts'
import { readLearning } from '#protocol/learning.ts'

/** How the tools of memory servers are recognised, and how a learning travels through them. */

/** A tool as its server describes it. */
export interface MemoryTool {
  name: string
  inputSchema: { properties?: Record<string, unknown> | undefined; required?: string[] | undefined }
}

/** Names such tools have, the likeliest first. */
const NAMES = {
  store: [
    /^create_entities$/,
    /^(store|add|save|create|write|remember|insert|put)[_-]?(a[_-])?(memory|memories|note|fact|learning|knowledge|document|observation)s?$/,
    /^(memory|memories|note|knowledge)[_-](store|add|save|create|write)$/,
    /^(remember|store|memorize|add|save)$/,
  ],
  search: [
    /^search_nodes$/,
    /^(search|query|recall|retrieve|find|lookup)[_-]?(memory|memories|notes?|facts?|learnings?|knowledge|documents?)s?$/,
    /^(memory|memories|notes?|knowledge)[_-](search|query|recall|retrieve|find)$/,
    /^(search|recall|query|retrieve|find)$/,
  ],
}

export function toolFor<T extends MemoryTool>(use: 'store' | 'search', tools: readonly T[], named?: string): T {
  const wanted = named === undefined ? NAMES[use] : [named]
  for (const name of wanted) {
    const tool = tools.find((one) => (typeof name === 'string' ? one.name === name : name.test(one.name)))
    if (tool) return tool
  }
  const offered = tools.map(({ name }) => name).join(', ')
  const setting = use === 'store' ? 'backends.mcp.store_tool' : 'backends.mcp.search_tool'
  throw new Error(`the memory server has no tool to ${use}; it offers ${offered}. Name one with ${setting}`)
}

/** Written with every learning, so that it can be told from what others keep in the same memory. */
const MARK = 'grove-learning'
const CONTENT = [
  'content',
  'text',
  'memory',
  'fact',
  'note',
  'data',
  'value',
  'observation',
  'document',
  'message',
  'body',
]
const TITLES = ['title', 'name', 'key', 'id', 'subject']

/** The learning in the shape the tool asks for. */
export function storeArguments(
  { name, inputSchema }: MemoryTool,
  learning: Learning,
  project?: string,
): Record<string, unknown> {
  const properties = inputSchema.properties ?? {}
  const carried = `${MARK}:${JSON.stringify({ ...learning, project })}`
  if ('entities' in properties) {
    const { id, summary, detail, tags } = learning
    return {
      entities: [{ name: id, entityType: MARK, observations: [summary, detail, `tags: ${tags.join(', ')}`, carried] }],
    }
  }
  const content = CONTENT.find((property) => property in properties)
  if (content === undefined) {
    throw new Error(`the tool ${name} takes ${Object.keys(properties).join(', ')}, none of which is a text to store`)
  }
  const title = TITLES.find((property) => property in properties)
  return {
    [content]: `${learning.summary}\n${learning.detail}\n${carried}`,
    ...(title && { [title]: title === 'id' || title === 'key' ? learning.id : learning.summary }),
    ...('tags' in properties && { tags: isList(properties.tags) ? [...learning.tags, MARK] : learning.tags.join(',') }),
  }
}

function isList(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'array'
}

const QUERIES = ['query', 'q', 'text', 'search', 'search_query', 'question', 'keyword', 'prompt', 'content']
const LIMITS = ['limit', 'top_k', 'topK', 'n_results', 'max_results', 'maxResults', 'k']
const MOST_RESULTS = 100

export function searchArguments({ name, inputSchema }: MemoryTool, words: string): Record<string, unknown> {
  const properties = inputSchema.properties ?? {}
  const query = QUERIES.find((property) => property in properties)
  if (query === undefined) {
    throw new Error(
      `the tool ${name} takes ${Object.keys(properties).join(', ')}, none of which is a text to search for`,
    )
  }
  const limit = LIMITS.find((property) => property in properties)
  return { [query]: words, ...(limit && { [limit]: MOST_RESULTS }) }
}

const MOST_SEARCHES = 4

/**
 * What to search for. Some servers look for the very letters, others for the meaning; our mark finds everything with
 * the first kind, and the words of the work at hand find what fits with the second.
 */
export function searchWords({ title, description, prompt, tags }: LearningQuery): string[] {
  const about = [title, prompt, description].find((text) => text !== undefined && text.trim() !== '')
  const telling = about === undefined ? [] : [...termsOf(about)].sort((a, b) => b.length - a.length).slice(0, 1)
  return [...new Set([MARK, ...(about ? [about.slice(0, 300)] : []), ...tags, ...telling])].slice(0, MOST_SEARCHES)
}

/** Every learning in an answer, wherever in it: servers wrap what they found in texts, lists and objects of their own. */
export function learningsIn({
  content,
  structuredContent,
}: {
  content?: unknown
  structuredContent?: unknown
}): Carried[] {
  return [...stringsIn([content, structuredContent], 0)].flatMap((text) =>
    text
      .split(`${MARK}:`)
      .slice(1)
      .flatMap((rest) => carriedIn(parseJson(firstObject(rest)))),
  )
}

/** A learning, and the project it was written for. */
interface Carried {
  learning: Learning
  project?: string
}

function carriedIn(value: unknown): Carried[] {
  const learning = readLearning(value)
  if (!learning || !isObject(value)) return []
  return [{ learning, ...(typeof value.project === 'string' && { project: value.project }) }]
}

function* stringsIn(value: unknown, depth: number): Generator<string> {
  if (depth > 8) return
  if (typeof value === 'string') {
    const inside = /^\s*[[{]/.test(value) ? parseJson(value) : undefined
    if (typeof inside === 'object' && inside !== null) yield* stringsIn(inside, depth + 1)
    else yield value
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* stringsIn(inner, depth + 1)
  }
}

/** The text up to the brace that closes its first one. */
function firstObject(text: string): string {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (!quoted && char === '{') depth++
    else if (!quoted && char === '}' && --depth === 0) return text.slice(0, at + 1)
  }
  return text
}
