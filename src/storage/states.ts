import type { Slot, StateStore } from '#core/ports/state.ts'
import { mapTexts, visitTexts } from '#core/state/map-texts.ts'
import { CachedRedactions } from './cached-redactions.ts'
import { storable } from './sqlite/rows.ts'
import type { StateRows } from './sqlite/state-rows.ts'

/** The state store over its rows: values go in without secrets, and come out through their slot's reader. */
export function stateStore(rows: StateRows, redactions = new CachedRedactions()): StateStore {
  const stored = <T>(slot: Slot<unknown>, value: T): T =>
    mapTexts(value, slot.exact, (text, isExact) => (isExact ? storable(text) : redactions.redacted(text)))

  const writtenFields = new WeakMap<object, { name: string; text: string }>()

  /** The JSON of one field, cached by the field's identity: a session's state is written every turn, mostly unchanged. */
  function fieldText(slot: Slot<unknown>, name: string, field: unknown): string | undefined {
    const isKnown = typeof field === 'object' && field !== null
    const known = isKnown ? writtenFields.get(field) : undefined
    if (known?.name === name) return known.text
    const text = JSON.stringify(stored(slot, { [name]: field })[name])
    if (isKnown) writtenFields.set(field, { name, text })
    return text
  }

  function textOf(slot: Slot<unknown>, value: unknown): string {
    if (!slot.hasImmutableFields) return toText(stored(slot, value))
    const fields = Object.entries(value as object).flatMap(([name, field]) => {
      const text = fieldText(slot, name, field)
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
    })
    return `{${fields.join()}}`
  }

  /** What is no JSON, or makes a reader fail, is as good as absent: whatever it was, it cannot be used. */
  function read<T>(slot: Slot<T>, text: string): T | undefined {
    try {
      const value: unknown = JSON.parse(text)
      visitTexts(value, slot.exact, (one) => redactions.noteClean(one))
      return slot.read(value)
    } catch {
      return undefined
    }
  }

  return {
    async get(slot, key) {
      const text = await rows.get(slot.kind, key)
      return text === undefined ? undefined : read(slot, text)
    },

    async put(slot, key, value, at) {
      await rows.put(slot.kind, key, textOf(slot, value), at)
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

function toText(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
