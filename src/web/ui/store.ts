import { useSyncExternalStore } from 'react'

/** A value that several components watch. */
export class Store<T> {
  readonly #watchers = new Set<() => void>()

  constructor(private value: T) {}

  readonly get = (): T => this.value

  set(value: T): void {
    this.value = value
    for (const watcher of this.#watchers) watcher()
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.watch, store.get)
}
