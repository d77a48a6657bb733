import type { CallPlace, ReadShell, ToolCall, ToolReading } from '#core/action/reading.ts'
import { readToolCall } from '#core/action/reading.ts'
import { commandLineOf } from '#core/action/tools.ts'
import type { ToolReader } from '#core/ports/tools.ts'

/** A denied call may still be told of by the proxy, a moment later. */
const MOST_DENIED = 100

/**
 * Reads each call once. All parts are handed the same event, so its input is the key; a call that comes again with
 * another event is read anew, because what lies on the disk may have changed between. The reader of shell commands is
 * loaded with the first call that has one.
 */
export function toolReader(loadShell: () => Promise<ReadShell>): ToolReader {
  const readings = new WeakMap<ToolCall['input'], Map<string, Promise<ToolReading>>>()
  const denied = new Set<string>()

  async function readAt(call: ToolCall, at: CallPlace): Promise<ToolReading> {
    const hasCommand = commandLineOf(call.tool, call.input) !== undefined
    return readToolCall(call, at, hasCommand ? await loadShell() : noShell)
  }

  return {
    async read(call, at) {
      const key = JSON.stringify([call.tool, at.cwd, at.root])
      const known = readings.get(call.input) ?? new Map<string, Promise<ToolReading>>()
      readings.set(call.input, known)
      const reading = known.get(key) ?? readAt(call, at)
      known.set(key, reading)
      const outcome = call.id !== undefined && denied.has(call.id) ? 'denied' : call.outcome
      return { ...(await reading), outcome }
    },
    deny({ id }) {
      if (id === undefined) return
      denied.add(id)
      if (denied.size > MOST_DENIED) denied.delete(denied.keys().next().value!)
    },
  }
}

function noShell(): never {
  throw new Error('a call without a command line needs no shell')
}
