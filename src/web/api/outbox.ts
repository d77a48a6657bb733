import type { Sent } from './client.ts'

/** An action that waits to be sent: because Grove cannot be reached, or because it can still be undone. */
export interface Waiting extends Sent {
  key: string
  /** What a person reads about it. */
  label: string
  /** A person's click led to it. */
  wasClicked: boolean
  queuedAt: number
  /** Not before this time: until then it can be undone. */
  notBefore?: number
}

/**
 * Actions that wait, in the order in which they were made. They are kept in the browser's storage, so that a reload or a
 * crash loses none; the key made here lets the server do each only once, however often it is sent.
 */
export class Outbox {
  constructor(
    private readonly storage: Pick<Storage, 'getItem' | 'setItem'>,
    private readonly name = 'grove.outbox',
  ) {}

  all(): Waiting[] {
    try {
      const kept: unknown = JSON.parse(this.storage.getItem(this.name) ?? '[]')
      return Array.isArray(kept) ? (kept as Waiting[]) : []
    } catch {
      return [] // Not ours to read: another program wrote there.
    }
  }

  /** Whether the same waits already, in the same words. */
  has(action: Sent): boolean {
    const words = wordsOf(action)
    return this.all().some((one) => wordsOf(one) === words)
  }

  add(action: Waiting): void {
    this.#keep([...this.all().filter(({ key }) => key !== action.key), action])
  }

  /** Takes an action out; false when it was no longer there. */
  remove(key: string): boolean {
    const before = this.all()
    const after = before.filter((action) => action.key !== key)
    this.#keep(after)
    return after.length < before.length
  }

  /** What can go now. An action that waits for its time does not hold up the others. */
  due(now: number): Waiting[] {
    return this.all().filter(({ notBefore = 0 }) => notBefore <= now)
  }

  #keep(actions: Waiting[]): void {
    this.storage.setItem(this.name, JSON.stringify(actions))
  }
}

/** What is asked for, without the id that each sending has of its own. */
function wordsOf({ method, url, body }: Sent): string {
  return JSON.stringify([method, url, body], (name, value: unknown) => (name === 'requestId' ? undefined : value))
}
