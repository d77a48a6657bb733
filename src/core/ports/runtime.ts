/** The clock and ids are arguments too, so that a test needs no fake timers. */
export interface Clock {
  now(): number
}

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
