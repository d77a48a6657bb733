/**
 * A value that is made when it is first asked for, and kept. For tables and expressions that take long to make: a hook
 * process without a daemon starts for every event, and most events need none of them.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
