/** Which files a repository's history changed together. Small enough to hold in memory, cheap to ask. */
export interface CoChange {
  /** In how many commits each file was changed. */
  times: Map<string, number>
  /** How often two files were changed in one commit, by the first and then the second in order of name. */
  together: Map<string, Map<string, number>>
}

// A commit of very many files is a sweep, and says nothing about which of them belong together.
const MOST_FILES = 25

/** Counts pairs over commits, each given as the files it changed. */
export function countCoChange(commits: Iterable<string[]>): CoChange {
  const times = new Map<string, number>()
  const together = new Map<string, Map<string, number>>()
  for (const files of commits) {
    const unique = [...new Set(files)].sort()
    for (const file of unique) times.set(file, (times.get(file) ?? 0) + 1)
    if (unique.length > MOST_FILES) continue
    for (const [i, first] of unique.entries()) {
      const row = together.get(first) ?? new Map<string, number>()
      together.set(first, row)
      for (const second of unique.slice(i + 1)) row.set(second, (row.get(second) ?? 0) + 1)
    }
  }
  return { times, together }
}

// Two files that changed together in their only commit are not yet a habit.
const DOUBT = 2

/** 0 to 1: how strongly history ties the file to any of the others. */
export function tieTo({ times, together }: CoChange, file: string, others: string[]): number {
  let strongest = 0
  for (const other of others) {
    if (other === file) continue
    const [first, second] = file < other ? [file, other] : [other, file]
    const both = together.get(first)?.get(second) ?? 0
    if (both === 0) continue
    const rarer = Math.min(times.get(file) ?? both, times.get(other) ?? both)
    strongest = Math.max(strongest, both / (rarer + DOUBT))
  }
  return strongest
}
