import { keywordsOf } from '#core/goal/goal.ts'
import { oddsOf } from '#core/memory/use.ts'
import type { FindMemories, Found } from '#core/ports/memory.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { MemoryIndex, MemoryIndexes } from '#core/ports/search-index.ts'
import type { Store } from '#core/ports/store.ts'
import type { Similarity } from '#core/search/embeddings.ts'
import type { Reason } from '#core/search/rank.ts'
import { retrieve } from '#core/search/retrieve.ts'

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
    if (copies && files.length > 0) return touching(index, files, limit)
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
    return hits.map((hit) => {
      const { id, confidence } = hit
      const why = convincing(hit.why, size)
      // A file that is only likely counts where a word speaks for it too: "refactor this" could mean any file.
      const isSaid = why.words.length + why.inPaths.length > 0
      const shared = { words: why.words.length, files: why.files.filter(({ open }) => open || isSaid).length }
      return { memoryId: id, confidence, why: inWords(why, text), shared }
    })
  }
}

const MOST_FILES = 20

/** What was done to the same files, the most of them first, then the newest. Nothing else can be a copy of the work. */
async function touching(index: MemoryIndex, files: string[], limit: number): Promise<Found[]> {
  const found = new Map<string, { at: number; files: number }>()
  for (const { recent } of await index.histories(files.slice(0, MOST_FILES), limit)) {
    for (const { id, at } of recent) found.set(id, { at, files: (found.get(id)?.files ?? 0) + 1 })
  }
  return [...found]
    .sort(([, a], [, b]) => b.files - a.files || b.at - a.at)
    .slice(0, limit)
    .map(([memoryId, shared]) => ({
      memoryId,
      confidence: shared.files / files.length,
      why: '',
      shared: { words: 0, files: shared.files },
    }))
}

/** The ranking also looks at the parts of a name; a person wrote `parser_token`, not `token`. */
function asWritten(text: string): (word: string) => string {
  // Nearly every text is plain ASCII, and for that there are patterns that take a fraction of the time to make.
  const isPlain = !/[^\0-\x7f]/.test(text)
  const found = text.match(isPlain ? /[\w$]+/g : /[\p{L}\p{N}_$]+/gu) ?? []
  const names = new Map(found.map((name) => [name.toLowerCase(), name]))
  const humps = isPlain ? /_|\$|[a-z][A-Z]|[A-Z]{2}[a-z]/ : /_|\$|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u
  const joined = [...names].filter(([, name]) => humps.test(name))
  return (word) => names.get(word) ?? joined.find(([plain]) => plain.includes(word))?.[1] ?? word
}

/** In a smaller store every file is a likely one; only those that are named or open then count. */
const LARGE = 50

/** What of a reason would convince a person. */
export function convincing({ words, inPaths, files, ageInDays }: Reason, size: number): Reason {
  return {
    words: words.filter(isTelling),
    inPaths: inPaths.filter(isTelling),
    files: files.filter(({ open }) => open || size >= LARGE),
    ageInDays,
  }
}

/** Words that tell one question from another: in a small store even "the" is rare. */
function isTelling(word: string): boolean {
  return /[^a-z]/i.test(word) || keywordsOf(word).length > 0
}

/** The reason as a person reads it, words as they were asked for; empty when there is none. */
export function inWords({ words, inPaths, files }: Reason, text: string): string {
  const asked = asWritten(text)
  const shared = words.length > 0 ? [`shares ${[...new Set(words.map(asked))].join(', ')}`] : []
  // Words that are part of a longer one are left out: `labels` and `go` of `labels.go`.
  const whole = inPaths.filter((word) => !inPaths.some((name) => name !== word && name.includes(word)))
  const named = whole.length > 0 ? [`its files name ${[...new Set(whole.map(asked))].join(', ')}`] : []
  const touched = files.map(({ path, open, later }) => {
    const since = later === 0 ? 'last' : `${later} ${later === 1 ? 'change' : 'changes'} ago`
    return `touched ${path} ${since}${open ? `, which is ${text.includes(path) ? 'named' : 'open'}` : ''}`
  })
  return [...shared, ...named, ...touched].join('; ')
}
