import { homedir } from 'node:os'
import type { ReadShell } from '#core/action/reading.ts'
import { isFolder } from '#exec/guarded-project.ts'
import { toolReader } from '#supervisor/action/tool-reader.ts'

/** Loads what reads shell commands: a parser and the rules of some hundred programs, which only shell calls need. */
export async function loadShell(): Promise<ReadShell> {
  const [{ readShell }, { parseShell }] = await Promise.all([
    import('#core/shell/reading.ts'),
    import('#exec/syntax/shell.ts'),
  ])
  const home = homedir()
  return (command, { cwd, root }) =>
    readShell(command, { parse: parseShell, cwd, home, isFolder, ...(root !== undefined && { root }) })
}

/** One for the process, so that all parts share what was read of a call. */
export const tools = toolReader(loadShell)
