import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { known, mapText, type Output, type Value } from '../values.ts'

/** Compilers and converters: they write what their output option names. */
export const programs: Record<string, Effect> = {
  gcc: cCompiler,
  'g++': cCompiler,
  cc: cCompiler,
  'c++': cCompiler,
  clang: cCompiler,
  'clang++': cCompiler,
  openssl: (call) => {
    const options = readOptions(call.args, { values: 'out keyout in days subj newkey config key', singleDash: true })
    for (const path of options.all('out', 'keyout')) call.write(path, 'create')
  },
  pandoc: converter('o output', 'f from t to template'),
  iconv: converter('o output', 'f from-code t to-code'),
  dot: converter('o', 'T K G'),
  gpg: converter('o output', 'r recipient'),
  rustc: compiler('o out-dir', 'L l edition crate-type'),
  javac: compiler('d', 'cp classpath sourcepath source target'),
  ffmpeg: lastIsOutput,
  convert: lastIsOutput,
  magick: lastIsOutput,
  xxd: (call) => call.write(readOptions(call.args, { values: 'l s c g' }).operands[1], 'create'),
  'ssh-keygen': (call) => {
    const file = readOptions(call.args, { values: 'f t b C N m' }).get('f')
    call.write(file, 'create')
    call.write(file && mapText(file, (text) => `${text}.pub`), 'create')
  },
}

function cCompiler(call: Call): undefined {
  const options = readOptions(call.args, { values: 'o I L l D' })
  const flags = call.args.map((arg) => arg.text)
  if (options.has('E') || flags.some((flag) => /^(--version|-v|-fsyntax-only)$/.test(flag))) return
  const output = options.get('o')
  if (output) call.write(output, 'create')
  else if (!options.has('c', 'S')) call.write(known('a.out'), 'create')
  else for (const source of options.operands) call.write(mapText(source, objectFile), 'create')
}

function objectFile(source: string): string {
  return source.replace(/^.*\//, '').replace(/\.\w+$/, '.o')
}

/** Without an output option it prints. */
function converter(outputs: string, values: string): Effect {
  return (call) => {
    const options = readOptions(call.args, { values: `${outputs} ${values}` })
    for (const path of options.all(...outputs.split(' '))) call.write(path, 'create')
    return undefined
  }
}

/** Without an output option it picks a place of its own. */
function compiler(outputs: string, values: string): Effect {
  return (call) => {
    const options = readOptions(call.args, { values: `${outputs} ${values}`, singleDash: true })
    const paths = options.all(...outputs.split(' '))
    for (const path of paths) call.write(path, 'create', { tree: true })
    return paths.length > 0 || options.has('version')
      ? undefined
      : call.undecided(`${call.name}: names its output itself`)
  }
}

function lastIsOutput(call: Call): undefined {
  const output: Value | undefined = call.args.filter((arg) => !arg.text.startsWith('-')).at(-1)
  if (call.args.length > 1) call.write(output, 'create')
}

/** Output options of programs that otherwise do as they like. */
const OUTPUTS = 'o output out outfile out-file output-file outdir out-dir'

/** `--out folder` and the like, which nearly every program spells the same way. */
export function namedOutputs(call: Call): void {
  for (const path of readOptions(call.args, { values: OUTPUTS }).all(...OUTPUTS.split(' '))) {
    call.write(path, 'create', { tree: true, maybe: true })
  }
}

/** Everything else: allowed to run, checked afterwards. */
export const unknownProgram: Effect = (call): Output => {
  if (call.args.length === 1 && /^(--?version|-[vVh]|--help|help|version)$/.test(call.args[0]!.text)) return undefined
  namedOutputs(call)
  const isOwn = call.name.includes('/')
  return call.undecided(`${call.name}: ${isOwn ? 'a program of the project' : 'not a command whose writes are known'}`)
}
