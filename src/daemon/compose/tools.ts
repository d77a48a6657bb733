import { lstatSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { plainText } from '#config/plain-file.ts'
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
  return (command, { cwd, root, hasRun }) =>
    readShell(command, {
      parse: parseShell,
      cwd,
      home,
      isFolder,
      textAt,
      isThere,
      ...(hasRun && { hasRun }),
      ...(root !== undefined && { root }),
    })
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // No permission, or an impossible name: the shell will not find it either.
    return false
  }
}

/** Beyond this it is no script that a person would read either. */
const LARGEST_SCRIPT = 64 * 1024

/** Grove's own programs: an agent may call them, and the commands in them that are for people refuse by themselves. */
const OWN = /^.*[\\/]dist(?=[\\/]|$)/.exec(import.meta.dirname)?.[0]

function textAt(path: string): string | undefined {
  if (OWN !== undefined && path.startsWith(`${OWN}/`)) return undefined
  try {
    // A stat first: mostly there is no such file, and an exception takes far longer.
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? plainText(path, { most: LARGEST_SCRIPT }) : undefined
  } catch {
    // A file on the way, or no permission: what the script does is then seen afterwards.
    return undefined
  }
}

/** One for the process, so that all parts share what was read of a call. */
export const tools = toolReader(loadShell)
