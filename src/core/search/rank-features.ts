/** Everything the ranking looks at, as one row of numbers per candidate. The weights stand in the same order. */
import { type Candidate, type FileHistory, MANY_TOUCHES } from '../ports/search-index.ts'
import { factsOf } from './path-facts.ts'
import { DAY, distinct, type FileGuess, type Scored } from './rank-files.ts'
import type { TextQuery } from './rank-text.ts'
import { tail, terms } from './terms.ts'

export interface Evidence {
  query: TextQuery
  now: number
  pool: Scored[]
  guesses: FileGuess[]
  /** Histories of the likeliest files. */
  histories: FileHistory[]
  /** The files known to be open or in work, with their histories and the files that change with them. */
  open: { paths: string[]; histories: FileHistory[]; together: Map<string, number> }
}

export interface FileTrail {
  share: number
  history: FileHistory
  /** How many later entries touched the file, by entry. */
  later: Map<string, number>
}

export function features(evidence: Evidence): number[][] {
  const { query, now, pool, open } = evidence
  const shares = new Map(evidence.guesses.map(({ path, share }) => [path, share]))
  const trails = trailsOf(evidence.histories, (path) => shares.get(path) ?? 0)
  const openTrails = trailsOf(open.histories, () => 1)
  const openFolders = new Set(open.paths.map((path) => factsOf(path).folder))
  const best = bestScores(pool)
  const textRank = ranks(pool, (a, b) => b.match.total - a.match.total)
  const newest = [...pool].sort((a, b) => b.entry.at - a.entry.at || (a.entry.id < b.entry.id ? -1 : 1))
  const timeRank = new Map(newest.map(({ entry }, i) => [entry.id, i]))
  const near = nearby(newest, best.total)
  const groups = groupScores(pool, best.total)
  const folders = folderShares(evidence.guesses)
  const withFiles = pool.filter(({ entry }) => entry.files.length > 0).length / Math.max(1, pool.length)
  return pool.map(({ entry, match }) => {
    const files = distinct(entry.files)
    const known = files.map(factsOf)
    const sources = known.filter(({ kind }) => kind === 'source').length
    const touch = touched(entry, files, shares, trails)
    const opened = openTouch(entry, files, open, openTrails, openFolders)
    const group = entry.group === undefined ? undefined : groups.get(entry.group)
    const text = match.total / best.total
    const order = timeRank.get(entry.id)!
    return [
      match.total / query.mass,
      text,
      Math.log(0.02 + text),
      Math.log(1 + textRank.get(entry.id)!),
      match.title / best.title,
      match.title / query.mass,
      match.body / best.body,
      match.path / query.mass,
      match.head / query.headMass,
      match.exact / query.exactMass,
      match.coverage / query.mass,
      match.rarest / Math.log(query.size + 2),
      match.matched,
      match.titleCover,
      match.cosine,
      match.phrase / query.mass,
      match.soft,
      Math.log(1 + Math.max(0, now - entry.at) / DAY),
      order / pool.length,
      Math.log(1 + order),
      near.get(entry.id)!,
      Math.log(1 + files.length),
      Math.log(1 + sources),
      sources / Math.max(1, files.length),
      Math.log(1 + entry.body.length),
      entry.title.length,
      entry.title.some((term) => BUILDS.has(term)) ? 1 : 0,
      entry.title.some((term) => CHORES.has(term)) ? 1 : 0,
      touch.sum,
      Math.log(0.003 + touch.sum),
      touch.sum / Math.sqrt(Math.max(1, files.length)),
      touch.lasting,
      Math.log(0.003 + touch.lasting),
      touch.fresh,
      touch.best,
      Math.log(0.003 + touch.best),
      touch.laterAtBest,
      touch.first,
      touch.last,
      text * touch.sum,
      Math.max(0, ...known.map(({ folder }) => folders.get(folder) ?? 0)),
      group?.best ?? 0,
      group?.mean ?? 0,
      opened.closeness,
      opened.later,
      opened.laterShare,
      opened.first,
      opened.touches,
      opened.folder,
      opened.together,
      Math.log(1 + query.terms.size),
      evidence.guesses[0]?.share ?? 0,
      withFiles,
    ]
  })
}

/**
 * Which ways of keeping memory this query meets: always; entries without files (a task log); entries in groups (agent
 * sessions); a file known to be open. The linear weights have one part for each.
 */
export function regimes({ pool, open }: Evidence): number[] {
  const n = Math.max(1, pool.length)
  const withFiles = pool.filter(({ entry }) => entry.files.length > 0).length / n
  const grouped = pool.filter(({ entry }) => entry.group !== undefined).length / n
  return [1, Math.min(1, Math.max(0, (0.6 - withFiles) / 0.4)), grouped, open.paths.length > 0 ? 1 : 0]
}

/** Words in titles of work that writes many lines, and of work that writes few that matter later. */
const BUILDS = new Set(
  terms(
    'add adds added refactor refactoring rewrite rework split move moved implement implemented support new introduce initial create convert port rename restructure migrate format prettier black clean cleanup feature first',
  ),
)
const CHORES = new Set(
  terms(
    'typo docs doc readme bump ci workflow badge comment spelling link version release dependency changelog lint test tests',
  ),
)

/** How many later entries touched the file, as far as they are known; undefined for an entry that is not among them. */
export function laterThan(id: string, { recent, first, touches }: FileHistory): number | undefined {
  const at = recent.findLastIndex((touch) => touch.id === id)
  if (at >= 0) return at
  return first.id === id ? Math.min(touches, MANY_TOUCHES) - 1 : undefined
}

function trailsOf(histories: FileHistory[], share: (path: string) => number): Map<string, FileTrail> {
  return new Map(
    histories.map((given) => {
      const history = { ...given, touches: Math.min(given.touches, MANY_TOUCHES) }
      const later = new Map(history.recent.map(({ id }, i) => [id, i]))
      if (!later.has(history.first.id)) later.set(history.first.id, history.touches - 1)
      return [history.path, { share: share(history.path), history, later }]
    }),
  )
}

/** What of the likely files the entry wrote, and how much of it later entries will have written over. */
function touched(entry: Candidate, files: string[], shares: Map<string, number>, trails: Map<string, FileTrail>) {
  const touch = { sum: 0, lasting: 0, fresh: 0, best: 0, laterAtBest: 60, first: 0, last: 0 }
  for (const path of files) if (!trails.has(path)) touch.sum += shares.get(path) ?? 0
  for (const [path, { share, history, later: laters }] of trails) {
    const known = laters.get(entry.id)
    if (known === undefined && !files.includes(path)) continue
    const later = known ?? Math.max(history.recent.length, history.touches / 2)
    touch.sum += share
    touch.lasting += share * Math.exp(-later / 8)
    touch.fresh += share / (1 + later)
    if (history.first.id === entry.id) touch.first += share
    if (later === 0) touch.last += share
    if (share > touch.best) {
      touch.best = share
      touch.laterAtBest = Math.min(60, later)
    }
  }
  return touch
}

function openTouch(
  entry: Candidate,
  files: string[],
  open: Evidence['open'],
  trails: Map<string, FileTrail>,
  folders: Set<string>,
) {
  const none = { closeness: 0, later: 60, laterShare: 0, first: 0, touches: 0, folder: 0, together: 0 }
  if (open.paths.length === 0) return none
  const trail = [...trails.values()].find(({ later }) => later.has(entry.id)) ?? trails.values().next().value
  const later = trail?.later.get(entry.id)
  return {
    closeness: Math.max(...open.paths.map((path) => closeness(path, files, later !== undefined))),
    later: Math.min(60, later ?? 60),
    laterShare: later === undefined ? 0 : later / Math.max(1, trail!.history.touches),
    first: trail?.history.first.id === entry.id ? 1 : 0,
    touches: trail ? Math.log(trail.history.touches) : 0,
    folder: files.filter((path) => folders.has(factsOf(path).folder)).length / Math.max(1, files.length),
    together: Math.max(0, ...files.map((path) => open.together.get(path) ?? 0)),
  }
}

/** 1 for the very file, less for the same file under an older path, less again for a namesake. */
function closeness(open: string, files: string[], inHistory: boolean): number {
  if (files.includes(open)) return 1
  if (inHistory) return 0.8
  if (files.some((path) => tail(path) === tail(open))) return 0.6
  const name = open.slice(open.lastIndexOf('/'))
  return files.some((path) => path.endsWith(name)) ? 0.4 : 0
}

function bestScores(pool: Scored[]) {
  const best = { total: 1e-9, title: 1e-9, body: 1e-9 }
  for (const { match } of pool) {
    best.total = Math.max(best.total, match.total)
    best.title = Math.max(best.title, match.title)
    best.body = Math.max(best.body, match.body)
  }
  return best
}

function ranks(pool: Scored[], order: (a: Scored, b: Scored) => number): Map<string, number> {
  return new Map([...pool].sort(order).map(({ entry }, i) => [entry.id, i]))
}

/** Work comes in bursts: matching entries of the same days speak for each other. */
function nearby(newest: Scored[], top: number): Map<string, number> {
  return new Map(
    newest.map(({ entry }, i) => {
      let sum = 0
      for (let j = Math.max(0, i - 8); j < Math.min(newest.length, i + 9); j++) {
        const other = newest[j]!
        if (j !== i) sum += (other.match.total / top) * Math.exp(-Math.abs(entry.at - other.entry.at) / (2 * DAY))
      }
      return [entry.id, sum]
    }),
  )
}

/** What the rest of an entry's session says: "yes, do that" is about what was said before. */
function groupScores(pool: Scored[], top: number): Map<string, { best: number; mean: number; n: number }> {
  const groups = new Map<string, { best: number; mean: number; n: number }>()
  for (const { entry, match } of pool) {
    if (entry.group === undefined) continue
    const { best, mean, n } = groups.get(entry.group) ?? { best: 0, mean: 0, n: 0 }
    const score = match.total / top
    groups.set(entry.group, { best: Math.max(best, score), mean: (mean * n + score) / (n + 1), n: n + 1 })
  }
  return groups
}

function folderShares(guesses: FileGuess[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { path, share } of guesses) {
    const { folder } = factsOf(path)
    shares.set(folder, (shares.get(folder) ?? 0) + share)
  }
  return shares
}
