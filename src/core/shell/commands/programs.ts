import type { Call, Effect } from '../call.ts'
import { asText, copyPlace } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isRoutine } from '../routine.ts'
import { joinPath, known, mapText, type Output, type Value } from '../values.ts'

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
  ar: (call) => {
    const [key, archive] = call.args.filter((arg) => !arg.text.startsWith('--'))
    if (key && /^-?[a-zA-Z]*[rdqms]/.test(key.text)) call.write(archive, 'create')
    else if (key && /^-?x/.test(key.text)) call.undecided('ar: the archive names the files')
  },
  ranlib: eachIsChanged,
  strip: eachIsChanged,
  cmake: (call) => {
    const options = readOptions(call.args, { values: 'S B G D build install prefix t target j config' })
    for (const folder of options.all('B', 'build')) {
      call.write(folder, 'create', { tree: true, maybe: true, byproduct: true })
    }
    call.write(options.get('prefix'), 'create', { tree: true, maybe: true })
    if (!options.has('version', 'help')) call.undecided('cmake: its lists say what is written')
  },
  make,
  gmake: make,
  esbuild: (call) => {
    const options = readOptions(call.args, { values: 'outfile outdir' })
    const outputs = options.all('outfile', 'outdir')
    for (const path of outputs) call.write(path, 'create', { tree: true, maybe: true })
    if (outputs.length === 0 && options.has('bundle', 'watch')) call.undecided('esbuild: names its output itself')
  },
  protoc: (call) => {
    const options = readOptions(call.args, { values: 'I proto_path o descriptor_set_out dependency_out' })
    for (const path of options.all('o', 'descriptor_set_out', 'dependency_out')) call.write(path, 'create')
    if (call.args.some((arg) => /^--\w+_out(=|$)/.test(arg.text) && !/^--(descriptor_set|dependency)_/.test(arg.text)))
      call.undecided('protoc: the definitions name the files')
  },
  csplit: (call) => {
    const prefix = readOptions(call.args, { values: 'f prefix b suffix-format n digits' }).get('f', 'prefix')
    call.write({ text: `${prefix?.text ?? 'xx'}*`, glob: true }, 'create')
  },
  pg_dump: converter('f file', 'h p U d n t F j Z'),
  pg_dumpall: converter('f file', 'h p U l'),
  mysqldump: converter('r result-file T tab', 'u h P'),
  psql: (call) => {
    const options = readOptions(call.args, { values: 'o output L log-file c command f file d h p U v X' })
    for (const path of options.all('o', 'output', 'L', 'log-file')) call.write(path, 'create')
    const said = [...options.all('c', 'command').map(({ text }) => text), asText(call.stdin) ?? '']
    if (options.has('f', 'file') || said.some((text) => text.length > LONGEST || PSQL_WRITES.test(text)))
      call.undecided('psql: the script may write files')
  },
  mysql: (call) => {
    const options = readOptions(call.args, { values: 'tee pager u h P D e execute' })
    call.write(options.get('tee'), 'create')
    const said = [...options.all('e', 'execute').map(({ text }) => text), asText(call.stdin) ?? '']
    if (options.get('pager') || said.some((text) => text.length > LONGEST || MYSQL_WRITES.test(text)))
      call.undecided('mysql: the script may run programs')
  },
  tcpdump: converter('w', 'i c s r C G'),
  tree: converter('o', 'L P I filelimit charset sort'),
  mypy: converter(
    'junit-xml html-report xml-report txt-report cobertura-xml-report',
    'config-file p m c python-version',
  ),
  flake8: converter('output-file', 'config select ignore'),
  pylint: converter('output', 'rcfile disable enable'),
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

/** Longer ones are not written by hand, and searching them could take long. */
const LONGEST = 20_000

/** Commands of the two clients, and statements, that leave the database. */
const PSQL_WRITES = /\\(?:!|[ogwis]\b|copy\b|e\b|ef\b|ir\b|setenv\b|gexec\b)|\bcopy\b[^;]*\bto\s+(?:program\b|')/i
const MYSQL_WRITES = /\\[!TRPe.]||^[ \t]*(?:system|tee|pager|source|edit)\s|\binto\s+(?:out|dump)file\b/im

/** `make -n` only tells; anything else does what the makefile says. */
function make(call: Call): undefined {
  const options = readOptions(call.args, { values: 'C directory f file makefile I j W o' })
  if (options.has('n', 'dry-run', 'just-print', 'recon', 'q', 'question', 'version', 'help', 'v')) return
  call.undecided(`${call.name}: does what the makefile says`)
  const folder = options.get('C', 'directory')?.text ?? '.'
  const named = options.get('f', 'file', 'makefile')?.text
  const text = (named ? [named] : ['Makefile', 'makefile', 'GNUmakefile'])
    .map((name) => call.scriptAt(known(joinPath(folder, name))))
    .find((one) => one !== undefined)
  const [target] = options.operands
  if (text === undefined || (target && isRoutine('make', [target])) || (!target && !named)) return
  const recipe = recipeOf(text, target?.text)
  if (recipe) call.script(`cd ${folder}\n${recipe}`, { place: copyPlace(call.place) })
}

/** The lines of a plain rule; `$(…)` of make itself is left for the running make. */
function recipeOf(makefile: string, target: string | undefined): string | undefined {
  const rules = [...makefile.matchAll(/^([^\s#:=][^:=\n]*):(?!=)[^\n]*\n((?:\t[^\n]*(?:\n|$))+)/gm)]
  const rule = target === undefined ? rules[0] : rules.find(([, names]) => names!.split(/\s+/).includes(target))
  return rule?.[2]
    ?.replace(/^\t[@+-]*/gm, '')
    .replace(/\$\(\w+\)/g, '"$make"')
    .replaceAll('$$', '$')
}

function eachIsChanged(call: Call): undefined {
  const options = readOptions(call.args, { values: 'o' })
  const output = options.get('o')
  if (output) call.write(output, 'create')
  else for (const path of options.operands) call.write(path, 'modify')
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
const OUTPUTS =
  'output out outfile out-file output-file outputFile outdir out-dir output-dir junitxml junit-xml log-file report-file'

/** To them `-o` is something else: offline, a format, an option of their own. */
const OTHER_O = new Set(
  'mvn mvnw gradle gradlew az kubectl oc gcloud pytest py.test helm aws java jest mocha rake tox sbt ps ssh xcodebuild argocd'.split(
    ' ',
  ),
)

/**
 * `--out folder` and the like, which nearly every program spells the same way. Of one dash only `-o file` stands for
 * itself: `-count=1` and `-ofline` are names of other options in half of the tools there are.
 */
export function namedOutputs(call: Call): void {
  const base = call.name.replace(/^.*\//, '')
  const short = OTHER_O.has(base) ? [] : call.args.filter((_, at) => call.args[at - 1]?.text === '-o')
  const long = call.args.filter(({ text }, at) => text.startsWith('--') || call.args[at - 1]?.text.startsWith('--'))
  const named = readOptions(long, { values: OUTPUTS }).all(...OUTPUTS.split(' '))
  for (const path of OTHER_O.has(base) ? [] : [...short, ...named]) {
    call.write(path, 'create', { tree: true, maybe: true })
  }
}

/** Everything else: allowed to run, checked afterwards. */
export const unknownProgram: Effect = (call): Output => {
  if (call.args.length === 1 && /^(--?version|-[vVh]|--help|help|version)$/.test(call.args[0]!.text)) return undefined
  namedOutputs(call)
  const isOwn = call.name.includes('/')
  const text = isOwn && !isRoutine(call.name, call.args) ? call.scriptAt(known(call.name)) : undefined
  if (text !== undefined && /^#!\s*\S*\b(?:env\s+)?(?:ba|da|z|k)?sh\b/.test(text)) {
    call.script(text, { place: copyPlace(call.place), args: call.args })
  }
  return call.undecided(`${call.name}: ${isOwn ? 'a program of the project' : 'not a command whose writes are known'}`)
}
