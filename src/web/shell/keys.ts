import { useEffect, useRef } from 'react'
import { Store } from '../ui/store.ts'

/** A key, or two in a row (`g i`), and what it does. */
export interface Binding {
  keys: string
  label: string
  group: string
  run(event: KeyboardEvent): void
}

/** Everything that a key does now; the cheat sheet shows it. */
export const bindings = new Store<Binding[]>([])

const PAIR_MS = 1_200
let first: { key: string; at: number } | undefined

/** How a pressed key is written: `mod+k`, `?`, `Enter`. */
export function nameOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key
  return `${event.ctrlKey || event.metaKey ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${key}`
}

/** The binding that a key press means, or the first half of a pair. The latest binding of a key counts. */
export function meant(
  all: Binding[],
  key: string,
  before: string | undefined,
): { run: Binding } | { half: true } | undefined {
  const found = all.findLast(({ keys }) => keys === (before === undefined ? key : `${before} ${key}`))
  if (found) return { run: found }
  if (before !== undefined) return meant(all, key, undefined)
  return all.some(({ keys }) => keys.startsWith(`${key} `)) ? { half: true } : undefined
}

export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = nameOf(event)
    const isTyping = isField(event.target) && !key.startsWith('mod+') && key !== 'Escape'
    if (isTyping || event.key === 'Shift') return
    // A dialog has the keys to itself.
    if (document.querySelector('[role="dialog"]') && !key.startsWith('mod+')) return
    const before = first && event.timeStamp - first.at < PAIR_MS ? first.key : undefined
    first = undefined
    const found = meant(bindings.get(), key, before)
    if (!found) return
    if ('half' in found) {
      first = { key, at: event.timeStamp }
      return
    }
    event.preventDefault()
    found.run.run(event)
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

/** Binds keys while a component is shown. `what` may change with every render. */
export function useKeys(
  group: string,
  what: Record<string, [label: string, run: (event: KeyboardEvent) => void]>,
): void {
  const latest = useRef(what)
  latest.current = what
  const names = Object.keys(what).join('\n')
  useEffect(() => {
    const own = names
      .split('\n')
      .filter(Boolean)
      .map(
        (keys): Binding => ({
          keys,
          group,
          label: latest.current[keys]?.[0] ?? '',
          run: (event) => latest.current[keys]?.[1](event),
        }),
      )
    bindings.set([...bindings.get(), ...own])
    return () => bindings.set(bindings.get().filter((one) => !own.includes(one)))
  }, [group, names])
}
