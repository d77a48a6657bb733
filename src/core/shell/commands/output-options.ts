import type { Effect } from '../call.ts'
import { readOptions } from '../options.ts'

/** Without an output option it prints. */
export function converter(outputs: string, values: string): Effect {
  return (call) => {
    const options = readOptions(call.args, { values: `${outputs} ${values}` })
    for (const path of options.all(...outputs.split(' '))) call.write(path, 'create')
    return undefined
  }
}

/** Without an output option it picks a place of its own. */
export function compiler(outputs: string, values: string): Effect {
  return (call) => {
    const options = readOptions(call.args, { values: `${outputs} ${values}`, singleDash: true })
    const paths = options.all(...outputs.split(' '))
    for (const path of paths) call.write(path, 'create', { tree: true })
    return paths.length > 0 || options.has('version')
      ? undefined
      : call.undecided(`${call.name}: names its output itself`)
  }
}
