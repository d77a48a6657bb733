import type { Store } from '#core/ports/store.ts'
import type { memoryRoutes } from '#protocol/api/memories.ts'
import type { AnswerOf } from '#protocol/api/route.ts'

const NEWEST = 20
const INJECTIONS = 100

export type MemoryUseTold = AnswerOf<(typeof memoryRoutes)['uses']>['uses'][number]

/** Which sessions a memory was shown to, and why: the injection sent with it, or shortly after, has the reason. */
export async function memoryUses(
  store: Pick<Store, 'memoryUses' | 'tasks' | 'injections'>,
  memoryId: string,
): Promise<MemoryUseTold[]> {
  const uses = await store.memoryUses.ofMemory(memoryId, NEWEST)
  return Promise.all(
    uses.map(async ({ sessionId, shownAt, usedAt, how }) => {
      const [tasks, injections] = await Promise.all([
        store.tasks.ofSession(sessionId),
        store.injections.ofSession(sessionId, INJECTIONS),
      ])
      const goal = tasks.findLast(({ kind }) => kind === 'main')?.goal ?? tasks.at(-1)?.goal
      const why = injections
        .filter(({ kind }) => kind.includes('memor'))
        .toSorted((a, b) => Math.abs(a.at - shownAt) - Math.abs(b.at - shownAt))[0]?.why
      return {
        sessionId,
        shownAt,
        ...(goal !== undefined && { goal }),
        ...(why !== undefined && { why }),
        ...(usedAt !== undefined && { usedAt }),
        ...(how !== undefined && { how }),
      }
    }),
  )
}
