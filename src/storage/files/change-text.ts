import { readPlain, realPlace } from '#config/plain-file.ts'
import { writeAtomic } from './atomic.ts'

const TRIES = 8
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Changes a file that people edit too: reads, changes, and writes only if the file was not saved in between; else it begins
 * again with what is there now. `change` gets an empty text for a file that is not there, and leaves the file alone by
 * returning undefined. Resolves to whether it was written.
 */
export async function changeText(path: string, change: (text: string) => string | undefined): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    const place = realPlace(path)
    const before = readIfThere(place)
    const after = change(before ?? '')
    if (after === undefined || after === before) return false
    if (tried >= TRIES || readIfThere(place) === before) {
      await writeAtomic(place, after)
      return true
    }
  }
}

/** The text of a file; undefined when it is not there. */
function readIfThere(path: string): string | undefined {
  try {
    return readPlain(path, { most: MOST_BYTES }).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
