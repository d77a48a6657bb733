import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { BodyMemory } from '../bodies/body-memory.ts'
import { Call } from './call.ts'
import { KnownScans } from './known-scans.ts'
import { ObservationQueue } from './observation-queue.ts'

it('takes large turns in at once when many end together, instead of giving them up', async () => {
  const seen: number[] = []
  const given: string[] = []
  const nothing = () => {}
  const log = { debug: nothing, info: nothing, warn: (_: object, text: string) => given.push(text), error: nothing }
  const queue = new ObservationQueue({ observe: ({ endedAt }) => void seen.push(endedAt) }, log)
  const body = Buffer.alloc(4 * 1024 * 1024)
  const turns = Array.from({ length: 40 }, (_, at) => at)
  for (const at of turns) {
    queue.add({
      turn: { status: 200, aborted: false, endedAt: at },
      call: new Call(
        { url: '/v1/messages', rawHeaders: [] } as never,
        body,
        { forward: [] },
        new KnownScans(new BodyMemory()),
      ),
      tap: undefined,
    })
    await nextTurn()
  }
  await queue.idle()
  expect(seen).toEqual(turns)
  expect(given).toEqual([])
})
