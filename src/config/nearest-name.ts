/** The known name that was most likely meant, if any is near. */
export function nearest(name: string, known: string[]): string | undefined {
  const plain = squash(name)
  const same = known.find((candidate) => squash(candidate) === plain)
  if (same) return same
  const last = squash(name.slice(name.lastIndexOf('.') + 1))
  const ranked = known
    .map((candidate) => ({
      candidate,
      distance: Math.min(
        distance(plain, squash(candidate)),
        // The right name in the wrong table is meant more often than a misspelt one.
        squash(candidate.slice(candidate.lastIndexOf('.') + 1)) === last ? 1 : Number.POSITIVE_INFINITY,
      ),
    }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(1, Math.floor(last.length / 3)) ? best.candidate : undefined
}

function squash(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** How many letters must be added, left out, changed or swapped with their neighbour to get from one to the other. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const [above, row] = [rows[i - 1]!, [i]]
    for (let j = 1; j <= b.length; j++) {
      const changed = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : changed
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, changed, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
