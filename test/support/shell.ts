import { type Invocation, invocationsOf } from '../../src/core/action/invocations.ts'
import type { ReadShell } from '../../src/core/action/reading.ts'
import { readShell } from '../../src/core/shell/reading.ts'
import { parseShell } from '../../src/exec/syntax/shell.ts'

/** The real reader of shell commands, on a disk with nothing on it. */
export const shell: ReadShell = (command, { cwd, root }) =>
  readShell(command, { parse: parseShell, cwd, home: '/home/u', ...(root && { root }) })

/** What a command line runs. */
export function invocationsIn(line: string): Invocation[] {
  const read = (text: string) => shell(text, { cwd: '/home/u/shop' })
  return invocationsOf(read(line), read)
}
