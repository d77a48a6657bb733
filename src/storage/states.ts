import type { Slot, StateStore } from '#core/ports/state.ts'
import { redact } from '#core/redact/redact.ts'
import { withoutSecrets } from '#core/state/without-secrets.ts'
import { storable } from './sqlite/rows.ts'
import type { StateRows } from './sqlite/state-rows.ts'

/** The state store over its rows: values go in without secrets, and come out through their slot's reader. */
export function stateStore(rows: StateRows): StateStore {
  const stored = <T>(slot: Slot<unknown>, value: T): T => storable(withoutSecrets(value, slot.exact, redact))
  return {
    async get(slot, key) {
      const text = await rows.get(slot.kind, key)
      return text === undefined ? undefined : read(slot, text)
    },

    async put(slot, key, value, at) {
      await rows.put(slot.kind, key, toText(stored(slot, value)), at)
    },

    async update<T, R extends T | undefined>(
      slot: Slot<T>,
      key: string,
      at: number,
      change: (before: T | undefined) => R,
    ) {
      let after: R | undefined
      await rows.update(slot.kind, key, at, (before) => {
        after = stored(slot, change(before === undefined ? undefined : read(slot, before)))
        return after === undefined ? undefined : toText(after)
      })
      return after as R
    },

    remove: (slot, key) => rows.remove(slot.kind, key),

    async list<T>(slot: Slot<T>, limit: number) {
      const all = await rows.list(slot.kind, limit)
      return all.flatMap(({ key, text, at }) => {
        const value = read(slot, text)
        return value === undefined ? [] : [{ key, value, at }]
      })
    },

    idleSince: (slot, at) => rows.idleSince(slot.kind, at),

    expire(slot, at) {
      const { life } = slot
      if (!('spares' in life)) return rows.expire(slot.kind, at)
      return rows.expire(slot.kind, at, (text) => {
        const value = read(slot, text)
        return value !== undefined && life.spares?.(value) === true
      })
    },
  }
}

/** What is no JSON is as good as absent: whatever it was, it cannot be used. */
function read<T>(slot: Slot<T>, text: string): T | undefined {
  try {
    return slot.read(JSON.parse(text))
  } catch {
    return undefined
  }
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
