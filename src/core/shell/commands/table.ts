import type { Effect } from '../call.ts'
import { copyPlace } from '../expand.ts'
import { readOptions } from '../options.ts'
import { known } from '../values.ts'
import { archives } from './archives.ts'
import { compilers } from './compilers.ts'
import { converters } from './converters.ts'
import { databases } from './databases.ts'
import { edit } from './edit.ts'
import { editors } from './editors.ts'
import { files } from './files.ts'
import { finders } from './find.ts'
import { formatters } from './formatters.ts'
import { git } from './git.ts'
import { applyPatch } from './git-patches.ts'
import { watchHiddenEffects } from './hidden-effects.ts'
import { keyTools } from './key-tools.ts'
import { languages } from './languages.ts'
import { makers } from './make.ts'
import { packages } from './packages.ts'
import { readers } from './readers.ts'
import { runtimes } from './runtimes.ts'
import { printsSettings } from './shell-setup.ts'
import { unknownProgram } from './unknown-program.ts'
import { wrappers } from './wrappers.ts'

const effects = new Map<string, Effect>(
  [
    languages,
    readers,
    compilers,
    databases,
    keyTools,
    converters,
    makers,
    formatters,
    packages,
    runtimes,
    finders,
    archives,
    edit,
    editors,
    files,
    wrappers,
  ].flatMap((group) => Object.entries(group)),
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

effects.set('alias', (call) => {
  for (const { text } of call.args) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    // Not every shell heeds aliases, so that a known name may also still mean what it did.
    if (!effects.has(name)) call.define(name, value)
    else if (value.trim().split(/\s/)[0] !== name) call.undecided(`alias: gives ${name} another meaning`)
    else call.script(value, { place: copyPlace(call.place) })
  }
  return []
})

/** What a command does by its name; a program of the project's own (`./build.sh`) is never taken for a system command. */
export function effectOf(base: string, name: string): Effect {
  const isOwnProgram =
    name.includes('/') &&
    !/^\/(usr\/)?(local\/)?s?bin\//.test(name) &&
    !/(^|\/)(?:node_modules\/\.bin|vendor\/bin)\//.test(name) &&
    !/(^|\/)\.?venv\/bin\//.test(name)
  if (isOwnProgram) return unknownProgram
  const effect = effects.get(base) ?? unknownProgram
  return (call) => {
    if (printsSettings(base, call.args)) return [known('')]
    watchHiddenEffects(base, call)
    return effect(call)
  }
}
