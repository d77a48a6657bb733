import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Learning } from '#core/learning/learning.ts'
import { findAmong } from '#core/learning/query.ts'
import type { LearningBackend } from '#core/ports/learning.ts'
import type { LearningsFile } from '../files/learnings-md.ts'

/** Learnings in a markdown file; always available. */
export function markdownBackend(
  file: LearningsFile,
  name = 'markdown',
  afterWrite: (learning: Learning) => Promise<void> = async () => {},
): LearningBackend {
  return {
    name,
    async write(learning) {
      await file.append(learning)
      await afterWrite(learning)
    },
    async search(query, filters) {
      return findAmong(await file.read(), query, filters)
    },
    ping: () => canWrite(file.path),
    isFile: true,
  }
}

/** The file can be written, or could be made. */
async function canWrite(path: string): Promise<boolean> {
  for (let place = path; ; place = dirname(place)) {
    try {
      await access(place, constants.W_OK)
      return true
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isMissing || dirname(place) === place) return false
    }
  }
}
