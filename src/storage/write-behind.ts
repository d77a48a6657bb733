import type { Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'

/** What only writes, and whose callers do nothing with the outcome. */
const WRITES: { [Name in keyof Store]?: readonly string[] } = {
  projects: ['put'],
  sessions: ['see', 'end'],
  tasks: ['create', 'change', 'remove'],
  steps: ['append', 'removeOfTask'],
  driftEvents: ['append', 'markRecovered'],
  turns: ['append'],
  injections: ['append'],
  memories: ['put'],
  memoryUses: ['shown', 'used', 'settled'],
  states: ['put', 'remove'],
}

interface Needs {
  /** Begins a job as soon as nobody waits for an answer. */
  later: (job: () => void) => void
  log: Log
}

type Call = (...given: unknown[]) => Promise<unknown>

/**
 * A store that writes when the answer has left. Writes keep their order, and whoever reads what waits to be written gets
 * it written first; so within this process nothing looks different. A write that fails is logged: whoever caused it has
 * been answered already. Closing writes what is left.
 */
export function writeBehind(store: Store, { later, log }: Needs): Store {
  const waiting: { about: string; write: () => Promise<unknown> }[] = []
  let writing: Promise<void> | undefined

  const work = async () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      try {
        await next.write()
      } catch (error) {
        log.warn({ err: error, about: next.about }, 'could not be written to the store')
      }
      // Only now, so that whoever reads meanwhile still waits for it.
      waiting.shift()
    }
  }
  const settle = async () => {
    while (waiting.length > 0) {
      writing ??= work().finally(() => {
        writing = undefined
      })
      await writing
    }
  }
  const enqueue = (about: string, write: () => Promise<unknown>) => {
    if (waiting.length === 0) later(() => void settle())
    waiting.push({ about, write })
  }

  /** Small values are told apart one by one; of everything else a whole table. */
  const aboutOf = (name: string, [kind, key]: unknown[]) =>
    name === 'states' && typeof key === 'string' ? `states ${String(kind)} ${key}` : name
  const isWaiting = (about: string) =>
    waiting.some((one) => one.about === about || (about === 'states' && one.about.startsWith('states ')))

  const behind = (name: keyof Store) => {
    const methods = Object.entries(store[name]) as [string, Call][]
    const wrapped = methods.map(([method, call]): [string, Call] => [
      method,
      WRITES[name]?.includes(method)
        ? async (...given) => enqueue(aboutOf(name, given), () => call(...given))
        : async (...given) => {
            if (isWaiting(aboutOf(name, given))) await settle()
            return call(...given)
          },
    ])
    return Object.fromEntries(wrapped)
  }
  const tables = (Object.keys(store) as (keyof Store)[]).filter((name) => typeof store[name] === 'object')
  return {
    ...store,
    ...Object.fromEntries(tables.map((name) => [name, behind(name)])),
    async close() {
      await settle()
      await store.close()
    },
  }
}
