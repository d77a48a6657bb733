import type { Memory } from '../../src/core/memory/memory.ts'

/** Memories that look like real ones to an index: words by Zipf's law, a tree of files with a few that everybody touches. */

const WORDS = 20_000
const FILES_PER_MEMORY = 3
const START = Date.UTC(2020, 0, 1)
const HOUR = 3_600_000

export function memoriesFor(projectId: string, from: number, count: number, all: number): Memory[] {
  return Array.from({ length: Math.min(count, all - from) }, (_, at) => memoryFor(projectId, from + at, all))
}

function memoryFor(projectId: string, n: number, all: number): Memory {
  const random = randomFrom(n)
  const words = (many: number) => Array.from({ length: many }, () => word(random)).join(' ')
  return {
    id: `mem_${n.toString(36).padStart(8, '0')}`,
    projectId,
    user: `user${n % 25}`,
    instruction: words(18),
    goal: words(9),
    reasoningTrace: [words(14), words(12), words(10)],
    decisions: [{ choice: words(7), reason: words(9) }],
    constraints: n % 3 === 0 ? [words(9)] : [],
    files: Array.from({ length: 1 + Math.floor(random() * 2 * FILES_PER_MEMORY) }, () => path(random, all)),
    tags: [],
    status: 'complete',
    trigger: 'complete',
    linkedCommit: n.toString(16).padStart(40, '0'),
    createdAt: START + n * HOUR,
  }
}

export function questionsFor(count: number): { text: string; now: number }[] {
  return Array.from({ length: count }, (_, n) => {
    const random = randomFrom(1e9 + n)
    const text = Array.from({ length: 12 }, () => word(random)).join(' ')
    return { text, now: START + 1e8 * HOUR }
  })
}

/** The thousandth word is a thousandth as frequent as the first. */
function word(random: () => number): string {
  return name(Math.floor(Math.exp(random() * Math.log(WORDS))))
}

function path(random: () => number, all: number): string {
  const files = Math.max(200, Math.round(Math.sqrt(all) * 20))
  const file = Math.floor(Math.exp(random() * Math.log(files)))
  return `src/${name(file % 40)}/${name(file % 700)}-${name(file)}.ts`
}

const SYLLABLES = 'ba ce di fo gu ha ki lo mu ne pa qui ro su ta ve wi xo yu za'.split(' ')

function name(n: number): string {
  let text = ''
  for (let rest = n + 400; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length]
  return text
}

/** The same numbers for the same seed, on every machine. */
function randomFrom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
