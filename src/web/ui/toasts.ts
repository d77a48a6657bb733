import type { Tone } from './mark.tsx'
import { Store } from './store.ts'

export interface Toast {
  id: number
  tone: Tone
  text: string
  action?: { label: string; run(): void }
}

export const toasts = new Store<Toast[]>([])
let last = 0

/** Tells something in passing. What is wrong stays until it is closed. */
export function toast({ forMs, ...told }: Omit<Toast, 'id'> & { forMs?: number }): void {
  const id = ++last
  toasts.set([...toasts.get().slice(-3), { id, ...told }])
  const life = forMs ?? (told.tone === 'wrong' ? undefined : 5_000)
  if (life !== undefined) setTimeout(() => closeToast(id), life)
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}
