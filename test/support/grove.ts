import { EventEmitter, once } from 'node:events'
import { type ObservedTurn, startProxy } from '../../src/proxy/server.ts'

/** Grove as a test sees it from outside, with a window on what it observed. */
export interface Grove {
  /** What Claude Code gets as ANTHROPIC_BASE_URL. */
  url: string
  turns: ObservedTurn[]
  /** What it logged as a warning or worse. */
  warnings: string[]
  /** Resolves as soon as the condition holds; it is asked again after every observed turn. */
  until(condition: () => boolean): Promise<void>
  close(): Promise<void>
}

/** Starts Grove in this process on a free loopback port. */
export async function startGrove({ target }: { target: string }): Promise<Grove> {
  const turns: ObservedTurn[] = []
  const warnings: string[] = []
  const observed = new EventEmitter()
  const warn = (fields: object, message: string) => {
    warnings.push(`${message} ${JSON.stringify(fields, Object.getOwnPropertyNames(fields))}`)
  }
  const proxy = await startProxy({
    host: '127.0.0.1',
    port: 0,
    target,
    log: { debug() {}, info() {}, warn, error: warn },
    observer: {
      observe(turn) {
        turns.push(turn)
        observed.emit('turn')
      },
    },
  })
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    turns,
    warnings,
    async until(condition) {
      while (!condition()) await once(observed, 'turn')
    },
    // A test that has ended has nothing left to wait for.
    close: () => proxy.close(0),
  }
}
