import { useEffect, useRef } from 'react'
import { Store } from '../ui/store.ts'

/** A key, or two in a row (`g i`), and what it does. */
export interface Binding {
  keys: string
  label: string
  group: string
  run(event: KeyboardEvent): Handled
}

/** `false`: of no use here at the moment; the key is for what had it before. */
type Handled = unknown

/** What the first of the keys does that choose an option; the others are `option 2` and so on. */
export const CHOOSE_OPTION = 'choose an option'

/** Everything that a key does now; the cheat sheet shows it. */
export const bindings = new Store<Binding[]>([])

/** As long as a double click may take, and a key that was already on its way. */
const DEAF_MS = 700
let deafUntil = 0

/** What the keys meant has just been replaced by something else: for a moment they mean nothing. */
export function deafen(): void {
  deafUntil = performance.now() + DEAF_MS
}

/** Takes a click that was meant for what stood there a moment ago. */
export function takeLateClick(event: Pick<Event, 'preventDefault' | 'stopPropagation'>): void {
  if (performance.now() >= deafUntil) return
  event.preventDefault()
  event.stopPropagation()
}

const PAIR_MS = 1_200
let first: { key: string; at: number } | undefined

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>

/**
 * How a pressed key is written: `mod+k`, `Shift+n`, `?`, `Enter`. A sign that needs Shift is the sign alone. A keyboard with
 * other than Latin letters gives the letter that is on the key beside its own.
 */
export function nameOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const isLetter = /^\p{L}$/u.test(key)
  const latin = isLetter && !/\p{Script=Latin}/u.test(key) ? /^Key([A-Z])$/.exec(code ?? '')?.[1] : undefined
  const name = key === ' ' ? 'Space' : isLetter ? (latin ?? key).toLowerCase() : key
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${isLetter && shiftKey ? 'Shift+' : ''}${name}`
}

/** Keys that do something again while they are held; no other does, or one long Enter would answer whatever comes next. */
const REPEATED = new Set(['j', 'k', 'ArrowUp', 'ArrowDown'])

/** The bindings that a key press means, the latest first, or the first half of a pair. */
export function meant(
  all: Binding[],
  key: string,
  before: string | undefined,
): { run: Binding[] } | { half: true } | undefined {
  const found = all.filter(({ keys }) => keys === (before === undefined ? key : `${before} ${key}`))
  if (found.length > 0) return { run: found.reverse() }
  if (before !== undefined) return meant(all, key, undefined)
  return all.some(({ keys }) => keys.startsWith(`${key} `)) ? { half: true } : undefined
}

export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = nameOf(event)
    const isTyping = isField(event.target) && !key.startsWith('mod+') && key !== 'Escape'
    if (isTyping || event.key === 'Shift') return
    if (event.repeat && !REPEATED.has(key)) return
    // A dialog has the keys to itself, and an open menu, in which letters lead to what begins with them.
    if (document.querySelector('[role="dialog"], [role="menu"]') && key !== 'mod+k') return
    const before = first && event.timeStamp - first.at < PAIR_MS ? first.key : undefined
    first = undefined
    const found = meant(bindings.get(), key, before)
    if (!found) return
    if (event.timeStamp < deafUntil && !REPEATED.has(key)) return event.preventDefault()
    if ('half' in found) {
      first = { key, at: event.timeStamp }
      return
    }
    // A key that no binding takes is left to the browser: Enter on a button presses it.
    if (found.run.some(({ run }) => run(event) !== false)) event.preventDefault()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

/** Nothing has the focus that Enter would press: neither a button nor a link, only the page. */
export function isOnPage({ target }: Pick<Event, 'target'>): boolean {
  return target === document.body || (target instanceof HTMLElement && target.id === 'main')
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
  what: Record<string, [label: string, run: (event: KeyboardEvent) => Handled]>,
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
