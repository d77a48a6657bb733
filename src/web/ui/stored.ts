import { useCallback, useSyncExternalStore } from 'react'

/** Values in the browser's storage, the same in every tab; `undefined` removes one. */

const watchers = new Set<() => void>()
/** What was parsed last, by name: components must get the same object as long as the text is the same. */
const parsed = new Map<string, { text: string; value: unknown }>()

if (typeof window !== 'undefined') window.addEventListener('storage', () => tellAll())

function tellAll(): void {
  for (const watcher of watchers) watcher()
}

export function readStored<T>(name: string, otherwise: T): T {
  const text = localStorage.getItem(name)
  if (text === null) return otherwise
  const known = parsed.get(name)
  if (known?.text === text) return known.value as T
  try {
    const value: unknown = JSON.parse(text)
    parsed.set(name, { text, value })
    return value as T
  } catch {
    return otherwise // Written by something else.
  }
}

export function writeStored(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // The storage is full or forbidden: it stays for this page only.
    parsed.set(name, { text: JSON.stringify(value), value })
  }
  tellAll()
}

/** The storage for whoever writes texts into it; what watches a value hears of it. */
export const storage = {
  getItem: (name: string) => localStorage.getItem(name),
  setItem(name: string, text: string) {
    localStorage.setItem(name, text)
    tellAll()
  },
}

export function useStored<T>(name: string, otherwise: T): [T, (value: T | undefined) => void] {
  const watch = useCallback((watcher: () => void) => {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }, [])
  const value = useSyncExternalStore(watch, () => readStored(name, otherwise))
  const set = useCallback((next: T | undefined) => writeStored(name, next), [name])
  return [value, set]
}
