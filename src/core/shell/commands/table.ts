import type { Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { archives } from './archives.ts'
import { edit } from './edit.ts'
import { files } from './files.ts'
import { finders } from './find.ts'
import { formatters } from './formatters.ts'
import { applyPatch, git } from './git.ts'
import { packages } from './packages.ts'
import { programs, unknownProgram } from './programs.ts'
import { readers } from './readers.ts'
import { runtimes } from './runtimes.ts'
import { wrappers } from './wrappers.ts'

const effects = new Map<string, Effect>(
  [readers, programs, formatters, packages, runtimes, finders, archives, edit, files, wrappers].flatMap((group) =>
    Object.entries(group),
  ),
)
effects.set('git', git)
effects.set('patch', (call) => {
  const options = readOptions(call.args, { values: 'p strip i input d directory o output r' })
  if (options.has('dry-run')) return
  const output = options.get('o', 'output')
  const target = output ?? options.operands[0]
  if (target) call.write(target, 'modify')
  else applyPatch(call, options, !options.has('i', 'input'), options.get('d', 'directory'))
})

/** What a command does by its name; a program of the project's own (`./build.sh`) is never taken for a system command. */
export function effectOf(base: string, name: string): Effect {
  const isOwnProgram =
    name.includes('/') &&
    !/^\/(usr\/)?(local\/)?s?bin\//.test(name) &&
    !/(^|\/)node_modules\/\.bin\//.test(name) &&
    !/(^|\/)\.?venv\/bin\//.test(name)
  if (isOwnProgram) return unknownProgram
  return effects.get(base) ?? unknownProgram
}
