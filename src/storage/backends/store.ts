import type { Learning } from '#core/learning/learning.ts'
import { findAmong } from '#core/learning/query.ts'
import type { LearningBackend } from '#core/ports/learning.ts'
import type { LearningsFile } from '../files/learnings-md.ts'
import { withLock } from '../files/lock.ts'

/** The learnings of a project as its home keeps them, for all of its worktrees and clones on this machine. */
export interface StoreBackend extends LearningBackend {
  change: LearningsFile['change']
  /** Takes over what it does not have yet. */
  adopt(learnings: readonly Learning[]): Promise<void>
}

/** In a file in Grove's home. Which one is known only when git was asked what project this is. */
export function storeBackend(open: () => Promise<LearningsFile>): StoreBackend {
  return {
    name: 'store',
    isFile: true,
    async write(learning) {
      await (await open()).append(learning)
    },
    async search(query, filters) {
      return findAmong(await (await open()).read(), query, filters)
    },
    async ping() {
      await (await open()).read()
      return true
    },
    change: async (id, change) => (await open()).change(id, change),
    async adopt(learnings) {
      const file = await open()
      const unknown = async () => {
        const known = new Set((await file.read()).map(({ id }) => id))
        return learnings.filter(({ id }) => !known.has(id))
      }
      if ((await unknown()).length === 0) return
      // Many sessions may begin at once, and each learning is taken over by one of them.
      await withLock(`${file.path} adopt`, async () => {
        const fresh = await unknown()
        if (fresh.length > 0) await file.append(fresh)
      })
    },
  }
}
