import { baseName, fileNames } from '../search/terms.ts'
import { identifiers } from '../text/words.ts'
import type { Memory } from './memory.ts'

/** Whether what was shown to an agent helped it: kept per memory and session, and read back by the ranking. */

/** How often a memory was shown, and how often the agent then acted on it. */
export interface Usefulness {
  shown: number
  used: number
}

export interface MemoryUse {
  memoryId: string
  sessionId: string
  shownAt: number
  usedAt?: number
  /** When the agent had had its chance to use it. It may still use it later. */
  settledAt?: number
  /** What the agent did: it went to the memory's files, or spoke its words. */
  how?: 'files' | 'words' | 'opened'
}

/** What an agent did after it was shown a memory. */
export interface Work {
  /** Files it read or changed. */
  files: string[]
  /** What it wrote and said. */
  said: string
  /** What the user had asked for: words and files named there prove nothing. */
  instruction: string
}

const TELLING_WORDS = 2

/** Whether the agent acted on the memory: it went to its files without being sent there, or took up its words. */
export function actedOn(memory: Memory, { files, said, instruction }: Work): MemoryUse['how'] | undefined {
  const named = new Set(fileNames(instruction))
  const unasked = memory.files.filter((file) => !named.has(baseName(file).toLowerCase()))
  if (unasked.some((file) => files.includes(file))) return 'files'
  const known = new Set(identifiers(instruction))
  const spoken = new Set(identifiers(said))
  const taken = tellingWords(memory).filter((word) => !known.has(word) && spoken.has(word))
  return taken.length >= TELLING_WORDS ? 'words' : undefined
}

/** Names that are not used by chance: identifiers with humps, underscores or digits in them. */
function tellingWords({ reasoningTrace, decisions, constraints }: Memory): string[] {
  const text = [...reasoningTrace, ...decisions.flatMap(({ choice, reason }) => [choice, reason]), ...constraints].join(
    ' ',
  )
  return [...new Set(identifiers(text))].filter((word) => word.length > 4 && /[a-z][A-Z]|_|[a-z]\d/.test(word))
}

/** What experience says about a memory, as log-odds: nothing for one that was never shown. */
export function oddsOf({ shown, used }: Usefulness): number {
  // As if every memory had been shown four times and used twice before we knew it.
  return Math.log((used + 2) / (shown - used + 2))
}
