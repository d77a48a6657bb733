import type { CallPlace, ReadEffect, ReadShell, ToolCall, ToolReading } from '#core/action/reading.ts'
import { readEffect, readToolCall } from '#core/action/reading.ts'
import { anyCommandLineOf } from '#core/action/tools.ts'
import type { ToolReader } from '#core/ports/tools.ts'

interface Read {
  effect: Promise<ReadEffect>
  /** Once it was asked for. */
  reading?: Promise<ToolReading>
}

/** The proxy may still report a denied call, a moment later. */
const MOST_DENIED = 100

/**
 * Reads each call once. All parts are handed the same event, so its input is the key; a call that comes again with
 * another event is read anew, because what lies on the disk may have changed between. The reader of shell commands is
 * loaded with the first call that has one.
 */
export function toolReader(loadShell: () => Promise<ReadShell>): ToolReader {
  const inputs = new WeakMap<ToolCall['input'], Map<string, Read>>()
  const denied = new Set<string>()

  async function shellFor(call: ToolCall): Promise<ReadShell> {
    return anyCommandLineOf(call.tool, call.input) === undefined ? noShell : loadShell()
  }

  function readOf(call: ToolCall, at: CallPlace): Read {
    const key = JSON.stringify([call.tool, at.cwd, at.root])
    const known = inputs.get(call.input) ?? new Map<string, Read>()
    inputs.set(call.input, known)
    const read = known.get(key) ?? { effect: shellFor(call).then((shell) => readEffect(call, at, shell)) }
    known.set(key, read)
    return read
  }

  async function readingOf(call: ToolCall, at: CallPlace, { effect }: Read): Promise<ToolReading> {
    const [shell, known] = await Promise.all([shellFor(call), effect])
    return readToolCall(call, at, shell, known)
  }

  return {
    async read(call, at) {
      const read = readOf(call, at)
      read.reading ??= readingOf(call, at, read)
      const outcome = call.id !== undefined && denied.has(call.id) ? 'denied' : call.outcome
      return { ...(await read.reading), outcome }
    },
    effect: async (call, at) => (await readOf(call, at).effect).effect,
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
