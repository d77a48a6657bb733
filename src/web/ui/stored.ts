import { useCallback, useSyncExternalStore } from 'react'
import { toast } from './toasts.ts'

/** Values in the browser's storage, the same in every tab; `undefined` removes one. */

const watchers = new Set<() => void>()
/** What was parsed last, by name: components must get the same object as long as the text is the same. */
const parsed = new Map<string, { text: string; value: unknown }>()

if (typeof window !== 'undefined') window.addEventListener('storage', () => tellAll())

function tellAll(): void {
  for (const watcher of watchers) watcher()
}

/** What the storage did not take, because it is full or forbidden: it stays for this page only. */
const untaken = new Map<string, string>()
const CANNOT_KEEP =
  'This browser cannot keep what you type over a reload: its storage is full or forbidden. Until then nothing is lost.'

function textOf(name: string): string | null {
  const own = untaken.get(name)
  if (own !== undefined) return own
  try {
    return localStorage.getItem(name)
  } catch {
    return null // Forbidden.
  }
}

function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
    untaken.delete(name)
  } catch {
    if (untaken.size === 0) toast({ tone: 'wrong', text: CANNOT_KEEP })
    untaken.set(name, text)
  }
}

export function readStored<T>(name: string, otherwise: T): T {
  const text = textOf(name)
  if (text === null) return otherwise
  let known = parsed.get(name)
  if (known?.text !== text) {
    try {
      known = { text, value: JSON.parse(text) }
    } catch {
      return otherwise // Written by something else.
    }
    parsed.set(name, known)
  }
  return isLike(known.value, otherwise) ? (known.value as T) : otherwise
}

/** Of the same kind: another version may have kept something else under the name. */
function isLike(value: unknown, other: unknown): boolean {
  const kindOf = (one: unknown) => (Array.isArray(one) ? 'list' : one === null ? 'null' : typeof one)
  return other === undefined || kindOf(value) === kindOf(other)
}

function remove(name: string): void {
  untaken.delete(name)
  try {
    localStorage.removeItem(name)
  } catch {
    // Forbidden, so there is nothing.
  }
}

export function writeStored(name: string, value: unknown): void {
  if (value === undefined) remove(name)
  else keep(name, JSON.stringify(value))
  tellAll()
}

/** Writes texts into the storage and tells the components that watch the value. */
export const storage = {
  getItem: textOf,
  setItem(name: string, text: string) {
    keep(name, text)
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
