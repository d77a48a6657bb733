import type { Call, Effect } from '../call.ts'
import { asText, copyPlace } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isToldToWrite } from '../routine.ts'
import { baseName, joinPath, known, literal, mapText, type Value } from '../values.ts'
import { compiler } from './output-options.ts'
import { namedOutputs } from './unknown-program.ts'
import { heedUnread } from './unread-code.ts'

/** Without an output option the source's name says where it writes, or it is always the same file. */
function parserGenerator(name: string): Effect {
  return (call) => {
    const options = readOptions(call.args, {
      values: 'o output outfile b file-prefix p name-prefix',
    })
    if (options.has('V', 'version', 'h', 'help', 't', 'stdout')) return
    const given = options.get('o', 'output', 'outfile')
    for (const source of options.operands)
      call.write(
        given ?? mapText(source, (text) => (name.startsWith('.') ? text.replace(/\.\w+$/, name) : name)),
        'create',
      )
  }
}

/** Compilers and what stands around them: they write what their output option names, or a name made of the source's. */
export const compilers: Record<string, Effect> = {
  gcc: cCompiler,
  'g++': cCompiler,
  cc: cCompiler,
  'c++': cCompiler,
  clang: cCompiler,
  'clang++': cCompiler,
  objcopy: (call) => {
    const { operands } = readOptions(call.args, { values: 'I O B j R input-target output-target rename-section' })
    call.write(operands[1] ?? operands[0], 'create')
  },
  ar: (call) => {
    const [key, archive] = call.args.filter((arg) => !arg.text.startsWith('--'))
    if (key && /^-?[a-zA-Z]*[rdqms]/.test(key.text)) call.write(archive, 'create')
    else if (key && /^-?x/.test(key.text)) call.undecided('ar: the archive names the files')
  },
  ranlib: eachIsChanged,
  strip: eachIsChanged,
  cmake: (call) => {
    const [mode, tool, ...args] = call.args
    // `cmake -E copy a b` is `cp a b`: each tool is followed as the system command that it stands for.
    if (mode?.text === '-E' && tool?.text === 'chdir' && args[0]) {
      const to = literal(args[0])
      const { cwd } = call.place
      const place = {
        ...copyPlace(call.place),
        cwd: to === undefined || cwd === undefined ? undefined : joinPath(cwd, to),
      }
      return call.run(args.slice(1), { place })
    }
    if (mode?.text === '-E' && tool) return call.run([known(CMAKE_TOOLS[tool.text] ?? tool.text), ...args])
    const script = readOptions(call.args, { values: 'P' }).get('P')
    if (script) {
      const code = call.scriptAt(script) ?? (script.text === '/dev/stdin' ? asText(call.stdin) : undefined)
      return code === undefined
        ? call.undecided('cmake: runs a script')
        : heedUnread(call, code, { why: 'cmake: runs a script' })
    }
    const options = readOptions(call.args, { values: 'S B G D build install prefix t target j config' })
    for (const folder of options.all('B', 'build')) {
      call.write(folder, 'create', { tree: true, maybe: true, byproduct: true })
    }
    call.write(options.get('prefix'), 'create', { tree: true, maybe: true })
    if (!options.has('version', 'help')) call.undecided('cmake: its lists say what is written')
  },
  esbuild: (call) => {
    const options = readOptions(call.args, { values: 'outfile outdir' })
    const outputs = options.all('outfile', 'outdir')
    for (const path of outputs) call.write(path, 'create', { tree: true, maybe: true })
    if (outputs.length === 0 && options.has('bundle', 'watch')) call.undecided('esbuild: names its output itself')
  },
  protoc: (call) => {
    const options = readOptions(call.args, { values: 'I proto_path o descriptor_set_out dependency_out' })
    for (const path of options.all('o', 'descriptor_set_out', 'dependency_out')) call.write(path, 'create')
    const generated = call.args.flatMap(
      ({ text }) => /^--(?!descriptor_set|dependency)\w+_out=(?:[^:]*:)?(.+)$/.exec(text)?.[1] ?? [],
    )
    for (const folder of generated) call.write(known(folder), 'create', { tree: true })
    if (generated.length > 0) call.undecided('protoc: the definitions name the files', 'local')
  },
  rustc: rust,
  java,
  javac: compiler('d', 'cp classpath sourcepath source target'),
  bison: parserGenerator('.tab.c'),
  yacc: parserGenerator('.tab.c'),
  flex: parserGenerator('lex.yy.c'),
  lex: parserGenerator('lex.yy.c'),
}

const CMAKE_TOOLS: Record<string, string> = {
  copy: 'cp',
  copy_if_different: 'cp',
  copy_directory: 'cp',
  rename: 'mv',
  remove: 'rm',
  remove_directory: 'rm',
  rm: 'rm',
  make_directory: 'mkdir',
  create_symlink: 'ln',
  create_hardlink: 'ln',
  capabilities: 'true',
  environment: 'env',
}

function eachIsChanged(call: Call): undefined {
  const options = readOptions(call.args, { values: 'o' })
  const output = options.get('o')
  if (output) call.write(output, 'create')
  else for (const path of options.operands) call.write(path, 'modify')
}

function cCompiler(call: Call): undefined {
  const flags = call.args.map((arg) => arg.text)
  if (flags.some((flag) => /^(--version|-v|-fsyntax-only|-dumpversion|-dumpmachine|-print-\S+)$/.test(flag))) return
  // Long names with one dash, each of its own; the rest is letters.
  const options = readOptions(
    call.args.filter(
      ({ text }, at) => !/^-(?:M|[fWgm].|std|x$)/.test(text) && !/^-(?:M[FTQ]|x)$/.test(flags[at - 1] ?? ''),
    ),
    { values: 'o I L l D' },
  )
  const output = options.get('o')
  const listed = call.args.find((_, at) => flags[at - 1] === '-MF') ?? flagValue(flags, /^-MF(.+)$/)
  call.write(listed, 'create')
  call.write(flagValue(flags, /^-Wl,(?:-Map|--Map)[=,](.+)$/), 'create')
  const isListing = flags.some((flag) => flag === '-MD' || flag === '-MMD')
  if (isListing && !listed)
    for (const source of output ? [output] : options.operands)
      if (source.text !== '/dev/null')
        call.write(
          mapText(source, (text) => objectFile(text).replace(/(?:\.o)?$/, '.d')),
          'create',
        )
  if (flags.includes('--coverage') || flags.some((flag) => flag.startsWith('-save-temps')))
    for (const source of options.operands)
      call.write(
        mapText(source, (text) => objectFile(text).replace(/o$/, '*')),
        'create',
      )
  if (output) {
    call.write(output, 'create')
    keepSource(call, options.operands, output)
  } else if (options.has('E') || flags.includes('-M') || flags.includes('-MM')) return
  else if (!options.has('c', 'S')) {
    call.write(known('a.out'), 'create')
    keepSource(call, options.operands, known('a.out'))
  } else for (const source of options.operands) call.write(mapText(source, objectFile), 'create')
}

function flagValue(flags: string[], form: RegExp): Value | undefined {
  const found = flags.map((flag) => form.exec(flag)?.[1]).find(Boolean)
  return found === undefined ? undefined : known(found)
}

/** A program that was compiled by this very command line does what its source says. */
function keepSource(call: Call, sources: Value[], output: Value): void {
  const texts = sources.map((file) => (file.text === '-' ? asText(call.stdin) : call.textWrittenTo(file)))
  call.isMadeOf(output, texts.filter((text) => text !== undefined).join('\n'))
}

/** Without an output option it takes the name of its source, in the folder where it is started. */
function rust(call: Call): undefined {
  const options = readOptions(call.args, {
    values: 'o out-dir L l edition crate-type crate-name emit print explain C A W D F cfg extern target',
  })
  if (options.has('version', 'V', 'help', 'h', 'print', 'explain')) return
  const source = options.operands[0]
  const name = options.get('crate-name') ?? (source && mapText(source, (text) => baseName(text).replace(/\.rs$/, '')))
  const folder = options.get('out-dir')
  if (folder) call.write(folder, 'create', { tree: true })
  const output = options.get('o') ?? (folder ? undefined : name)
  const emitted = options.get('emit')?.text ?? 'link'
  const isLibrary = /lib|dylib|macro/.test(options.get('crate-type')?.text ?? '')
  const isLinked = options.has('o') || (emitted === 'link' && !isLibrary)
  call.write(output && (isLinked ? output : { text: `*${output.text}*`, glob: true }), 'create')
  if (output && source) keepSource(call, [source], output)
}

/** `java Main.java`: a single source is compiled and run. */
function java(call: Call): undefined {
  const { operands } = readOptions(call.args, { values: 'cp classpath class-path p module-path jar', singleDash: true })
  const [file, ...args] = operands
  const text = file?.text.endsWith('.java') ? call.scriptAt(file) : undefined
  if (call.args.length === 1 && /^--?version$/.test(call.args[0]!.text)) return undefined
  const jar = call.args.findIndex(({ text }) => text === '-jar')
  // What stands behind the archive is for the program in it.
  if (jar >= 0) namedOutputs({ ...call, name: call.args[jar + 1]?.text ?? '', args: call.args.slice(jar + 2) })
  else namedOutputs(call)
  const why = 'java: runs a program'
  if (text === undefined) return call.undecided(why, isToldToWrite(call.args) ? undefined : 'local')
  return heedUnread(call, text, { operands: args, why })
}

function objectFile(source: string): string {
  return source.replace(/^.*\//, '').replace(/\.\w+$/, '.o')
}
