import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candidate, FileHistory, FileStats, MemoryIndex } from '../ports/search-index.ts'
import { retrieve } from './retrieve.ts'
import { fieldTerms, type IndexEntry, indexTerms, pathTerms } from './terms.ts'

const DAY = 86_400_000
const NOW = 1000 * DAY

/** A project of a few dozen entries about everything and nothing, and those of the test among them. */
function memoryOf(entries: IndexEntry[]): MemoryIndex {
  const filler = Array.from({ length: 40 }, (_, i) => ({
    id: `filler${i}`,
    at: i * 20 * DAY,
    title: `Adjust ${['colours', 'spacing', 'wording', 'icons'][i % 4]} of page ${i}`,
    body: '',
    files: [`web/page${i % 7}.css`, `web/page${i % 5}.html`],
  }))
  return listIndex([...filler, ...entries])
}

const auth: IndexEntry[] = [
  {
    id: 'token',
    at: 900 * DAY,
    title: 'Refresh tokens before they expire',
    body: 'The retry loop used a stale token',
    files: ['src/auth/token.ts'],
  },
  {
    id: 'login',
    at: 950 * DAY,
    title: 'Move the login form',
    body: '',
    files: ['src/auth/login.ts', 'src/auth/token.ts'],
  },
  {
    id: 'cache',
    at: 980 * DAY,
    title: 'Cache parsed headers',
    body: 'parseHeaderCache keeps the last 100',
    files: ['src/http/header-cache.ts'],
  },
]

const ids = (hits: { id: string }[]) => hits.map(({ id }) => id)
const all = { minAnswer: 0 }

describe('retrieve', () => {
  it('finds an entry by its words, whatever their form', async () => {
    const hits = await retrieve(memoryOf(auth), { text: 'retrying with an expired refresh token', now: NOW }, all)
    expect(hits[0]!.id).toBe('token')
  })

  it('finds an entry by an identifier written another way', async () => {
    const hits = await retrieve(memoryOf(auth), { text: 'parse_header_cache grows without bound', now: NOW }, all)
    expect(hits[0]!.id).toBe('cache')
  })

  it('brings the entries that wrote a file which is open', async () => {
    const hits = await retrieve(memoryOf(auth), { text: 'clean this up', files: ['src/auth/token.ts'], now: NOW }, all)
    expect(ids(hits).slice(0, 2).sort()).toEqual(['login', 'token'])
  })

  it('never offers a group its own entries', async () => {
    const own = auth.map((entry) => ({ ...entry, group: 'mine' }))
    const hits = await retrieve(
      memoryOf(own),
      { text: 'refresh token', files: ['src/auth/token.ts'], now: NOW, excludeGroup: 'mine' },
      { ...all, limit: 50 },
    )
    expect(hits.length).toBeGreaterThan(0)
    expect(ids(hits).filter((id) => auth.some((entry) => entry.id === id))).toEqual([])
  })

  it('says nothing rather than something about another world', async () => {
    expect(
      await retrieve(memoryOf(auth), {
        text: 'kubernetes ingress annotations for websocket upgrade on nginx',
        now: NOW,
      }),
    ).toEqual([])
  })

  it('says nothing, however little is asked for, when no word and no file of the question is known', async () => {
    const query = { text: 'marmalade zebra', now: NOW }
    expect(await retrieve(memoryOf(auth), query, all)).toEqual([])
    expect(await retrieve(memoryOf(auth), { ...query, files: ['src/none.ts'] }, all)).toEqual([])
    expect(await retrieve(memoryOf(auth), { ...query, files: ['src/auth/token.ts'] }, all)).not.toEqual([])
    const near = () => async (ids: string[]) => new Map(ids.map((id) => [id, 1]))
    expect(await retrieve(memoryOf(auth), query, { ...all, similar: near })).not.toEqual([])
  })

  it('says why: the words shared, the files touched, how long ago', async () => {
    const query = { text: 'expired refresh token', files: ['src/auth/token.ts'], now: NOW }
    const token = (await retrieve(memoryOf(auth), query, all)).find(({ id }) => id === 'token')!
    expect(token.why.words).toEqual(expect.arrayContaining(['refresh', 'token']))
    expect(token.why.files).toContainEqual({ path: 'src/auth/token.ts', open: true, later: 1 })
    expect(token.why.ageInDays).toBe(100)
  })

  it('shows one of several copies', async () => {
    const copies = ['a', 'b', 'c'].map((id, i) => ({ ...auth[0]!, id, at: (800 + i) * DAY }))
    const query = { text: 'refresh tokens before they expire', now: NOW }
    const shown = ids(await retrieve(memoryOf(copies), query, { ...all, limit: 10 })).filter((id) => id.length === 1)
    expect(shown).toHaveLength(1)
    const kept = ids(await retrieve(memoryOf(copies), query, { ...all, limit: 10, diverse: false }))
    expect(kept).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  })

  it('lets what is known from outside move a hit', async () => {
    const query = { text: 'refresh token', now: NOW }
    const hits = await retrieve(memoryOf(auth), query, { ...all, priors: new Map([['token', -20]]), limit: 50 })
    expect(ids(hits).at(-1)).toBe('token')
  })

  it('lets embeddings move a hit, on top of what is known otherwise', async () => {
    const query = { text: 'refresh token', now: NOW }
    const similar = (text: string) => async (candidates: string[]) => {
      expect(text).toBe(query.text)
      return new Map(candidates.map((id) => [id, id === 'cache' ? 15 : 0]))
    }
    const hits = await retrieve(memoryOf(auth), query, { ...all, similar })
    expect(hits[0]!.id).toBe('cache')
    const against = await retrieve(memoryOf(auth), query, {
      ...all,
      similar,
      priors: new Map([['cache', -40]]),
      limit: 50,
    })
    expect(ids(against).at(-1)).toBe('cache')
  })

  it('orders by score, keeps confidence a probability and gives the same answer for any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(auth, { minLength: 3 }),
        fc.constantFrom('token retry', 'cache headers', 'page', ''),
        async (entries, text) => {
          const query = { text, files: ['src/auth/login.ts'], now: NOW }
          const hits = await retrieve(memoryOf(entries), query, all)
          expect(hits).toEqual(await retrieve(memoryOf(auth), query, all))
          expect([...hits].sort((a, b) => b.score - a.score)).toEqual(hits)
          expect(hits.every(({ confidence }) => confidence >= 0 && confidence <= 1)).toBe(true)
        },
      ),
      { numRuns: 20 },
    )
  })
})

/** The port over a list: as slow as it is plain. Moved files are left to the stores' own tests. */
function listIndex(entries: IndexEntry[]): MemoryIndex {
  const list: Candidate[] = [...entries]
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
    .map(({ id, at, files, group, ...text }) => ({
      id,
      at,
      files,
      ...fieldTerms(text),
      ...(group !== undefined && { group }),
    }))
  const held = (entry: Candidate) => new Set(indexTerms(entry, entry.files))
  const touching = (path: string) => list.filter(({ files }) => files.includes(path))
  const heaviest = <T>(items: T[], termsOf: (item: T) => Set<string>, asked: { term: string; weight: number }[]) =>
    items
      .map((item) => ({
        item,
        sum: asked.reduce((sum, { term, weight }) => sum + (termsOf(item).has(term) ? weight : 0), 0),
      }))
      .filter(({ sum }) => sum > 0)
      .sort((a, b) => b.sum - a.sum)
      .map(({ item }) => item)
  return {
    size: async () => list.length,
    frequencies: async (terms) =>
      new Map(
        terms
          .map((term) => [term, list.filter((entry) => held(entry).has(term)).length] as const)
          .filter(([, n]) => n > 0),
      ),
    byTerms: async (terms, limit) => heaviest(list, held, terms).slice(0, limit),
    byIds: async (wanted) => wanted.flatMap((id) => list.find((entry) => entry.id === id) ?? []),
    recent: async (limit) => list.slice(0, limit),
    filesByTerms: async (terms, limit) => {
      const paths = [...new Set(list.flatMap(({ files }) => files))]
      return heaviest(paths, (path) => new Set(pathTerms(path)), terms).slice(0, limit)
    },
    fileStats: async (paths) =>
      paths.flatMap((path): FileStats[] => {
        const touches = touching(path)
        return touches.length ? [{ path, touches: touches.length, lastAt: touches[0]!.at }] : []
      }),
    histories: async (paths, perFile) =>
      paths.flatMap((path): FileHistory[] => {
        const touches = touching(path).map(({ id, at }) => ({ id, at }))
        return touches.length
          ? [{ path, touches: touches.length, recent: touches.slice(0, perFile), first: touches.at(-1)! }]
          : []
      }),
  }
}
