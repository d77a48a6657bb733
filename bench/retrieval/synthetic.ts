/** Entries and queries that look like real ones to an index: word and file frequencies follow Zipf's law. */
import type { IndexEntry } from '#core/search/terms.ts'

export interface Sampler {
  entry(n: number, at: number): IndexEntry
  query(n: number): { text: string; files: string[] }
}

const SYLLABLES = 'ba ce di fo gu ka le mi no pu ra se ti vo wu lan mer sto tri con par dex'.split(' ')

export function zipfSampler(random: () => number): Sampler {
  const words = Array.from({ length: 30_000 }, (_, i) => wordOf(i))
  const word = () => words[zipf(random, words.length)]!
  const files = Array.from({ length: 8000 }, (_, i) => `src/${wordOf(i % 40)}/${wordOf(i % 300)}/${wordOf(i * 7)}.ts`)
  const text = (n: number) => Array.from({ length: n }, word).join(' ')
  return {
    entry: (n, at) => ({
      id: `e${n}`,
      at,
      title: text(4 + random() * 8),
      body: text(10 + random() * 80),
      files: Array.from({ length: 1 + zipf(random, 10) }, () => files[zipf(random, files.length)]!),
    }),
    query: (n) => ({
      text: text(n % 3 ? 6 + random() * 14 : 40 + random() * 120),
      files: n % 2 ? [files[zipf(random, files.length)]!] : [],
    }),
  }
}

function wordOf(n: number): string {
  let word = SYLLABLES[n % SYLLABLES.length]!
  for (let rest = Math.floor(n / SYLLABLES.length); rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}

/** Rank k comes up about 1/k as often as the first. */
function zipf(random: () => number, n: number): number {
  return Math.min(n - 1, Math.floor((n + 1) ** random()) - 1)
}

/** Real entries, cut up and dealt again: titles, halves of bodies and files of different entries together. */
export function sampleFrom(entries: IndexEntry[], random: () => number): Sampler {
  const pick = () => entries[Math.floor(random() * entries.length)]!
  return {
    entry: (n, at) => {
      const [a, b, c] = [pick(), pick(), pick()]
      return {
        id: `e${n}`,
        at,
        title: a.title,
        body: `${a.body.slice(0, a.body.length / 2)} ${b.body.slice(b.body.length / 2)}`,
        files: c.files,
      }
    },
    query: (n) => {
      const { title, body, files } = pick()
      return { text: n % 3 ? title : `${title}\n${body}`, files: n % 2 ? files.slice(0, 1) : [] }
    },
  }
}
