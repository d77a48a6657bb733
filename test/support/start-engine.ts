import { afterEach, beforeEach } from 'vitest'
import type { Store } from '../../src/core/ports/store.ts'
import { readFrom } from '../../src/exec/read-file.ts'
import { heuristicJudge } from '../../src/llm/heuristic.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { toolReader } from '../../src/supervisor/action/tool-reader.ts'
import { Engine } from '../../src/supervisor/testing/engine.ts'
import { shell } from './shell.ts'

/** An instruction with a scope and a limit. */
export const GOAL = 'Fix the token refresh in src/auth/token.ts. Do not touch src/styles.'

/** The store and the engine of the test that runs: `storeForEach` and `engineForEach` replace them before each one. */
export let store: Store
export let engine: Engine

/** Opens a new store in memory before each test of a file, and closes it after it. */
export function storeForEach(): void {
  beforeEach(async () => {
    store = await openSqliteStore({ file: ':memory:' })
  })
  afterEach(() => store.close())
}

/** The same, with an engine on it. */
export function engineForEach(start: (store: Store) => Engine = startEngine): void {
  storeForEach()
  beforeEach(() => {
    engine = start(store)
  })
}

/** An engine that reads transcripts and shell commands as a daemon's does; another one on the same store is a restart. */
export function startEngine(store: Store): Engine {
  return new Engine(store, heuristicJudge, { readFile: readFrom, tools: toolReader(async () => shell) })
}
