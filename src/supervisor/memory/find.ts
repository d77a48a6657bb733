import { keywordsOf } from '#core/goal.ts'
import type { Similarity } from '#core/memory/embeddings.ts'
import type { MemoryIndexes } from '#core/memory/indexes.ts'
import type { Reason } from '#core/memory/rank.ts'
import { retrieve } from '#core/memory/retrieve.ts'
import { oddsOf } from '#core/memory/use.ts'
import type { Clock, Store } from '#core/ports.ts'
import { stem } from '#core/text/words.ts'
import type { FindMemories } from './world.ts'

interface Needs {
  indexes: Pick<MemoryIndexes, 'of'>
  store: Pick<Store, 'memoryUses'>
  clock: Clock
  /** Where embeddings are configured. */
  similar?: Similarity
}

/** Asks a project's index, with what experience says about each memory: shown and used speaks for it, shown in vain against. */
export function findIn({ indexes, store, clock, similar }: Needs): FindMemories {
  return async (projectId, { text, files = [], sessionId, limit, sure = false, copies = false }) => {
    const index = await indexes.of(projectId)
    const size = await index.size()
    if (size === 0) return []
    const used = await store.memoryUses.ofProject(projectId)
    const query = { text, files, now: clock.now(), ...(sessionId !== undefined && { excludeGroup: sessionId }) }
    const priors = new Map([...used].map(([id, use]) => [id, oddsOf(use)]))
    const hits = await retrieve(index, query, {
      limit,
      priors,
      diverse: !copies,
      ...(similar && { similar }),
      ...(!sure && { minAnswer: 0 }),
    })
    const [telling, isLarge] = [tellingIn(text), size >= LARGE]
    return hits.map(({ id, confidence, why: { words, files: touched, ageInDays } }) => {
      const why = { words: words.filter(telling), files: touched.filter(({ open }) => open || isLarge), ageInDays }
      return {
        memoryId: id,
        confidence,
        why: inWords(why, text),
        shared: { words: why.words.length, files: why.files.length },
      }
    })
  }
}

/** The ranking also looks at the parts of a name; a person wrote `parser_token`, not `token`. */
function asWritten(text: string): (word: string) => string {
  const names = new Map((text.match(/[\p{L}\p{N}_$]+/gu) ?? []).map((name) => [name.toLowerCase(), name]))
  const joined = [...names].filter(([, name]) => /_|\$|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(name))
  return (word) => names.get(word) ?? joined.find(([plain]) => plain.includes(word))?.[1] ?? word
}

/** In a smaller store every file is a likely one; only those that are named or open then count. */
const LARGE = 50

/** Which words of a question tell it from others: in a small store even "the" is rare. */
export function tellingIn(text: string): (word: string) => boolean {
  const keywords = new Set(keywordsOf(text).map(stem))
  return (word) => keywords.has(stem(word)) || /[^a-z]/i.test(word)
}

/** The reason as a person reads it; words as they were asked for. */
export function inWords({ words, files }: Reason, text: string): string {
  const asked = asWritten(text)
  const shared = words.length > 0 ? [`shares ${[...new Set(words.map(asked))].join(', ')}`] : []
  const touched = files.map(({ path, open, later }) => {
    const since = later === 0 ? 'last' : `${later} ${later === 1 ? 'change' : 'changes'} ago`
    return `touched ${path} ${since}${open ? ', which is open' : ''}`
  })
  return [...shared, ...touched].join('; ') || 'recent work'
}
