import type { Call, Effect } from '../call.ts'
import { asText, copyPlace } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isRoutine, isToldToWrite, scaffolded } from '../routine.ts'
import { baseName, joinPath, known, literal, mapText, type Output, UNKNOWN, type Value } from '../values.ts'
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

/** Compilers and converters: they write what their output option names. */
export const programs: Record<string, Effect> = {
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
  keytool: (call) => {
    const options = readOptions(call.args, {
      values: 'keystore file alias dname storepass keypass keyalg',
      singleDash: true,
    })
    if (options.has('list', 'printcert', 'help')) return
    call.write(options.get('file'), 'create')
    if (!options.has('exportcert', 'certreq')) call.write(options.get('keystore'), 'create')
  },
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
  ctags: indexer('tags'),
  etags: indexer('TAGS'),
  cscope: indexer('cscope.out'),
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
  rustc: rust,
  java,
  javac: compiler('d', 'cp classpath sourcepath source target'),
  ffmpeg: lastIsOutput,
  convert: lastIsOutput,
  magick: lastIsOutput,
  wkhtmltopdf: lastIsOutput,
  wkhtmltoimage: lastIsOutput,
  bison: parserGenerator('.tab.c'),
  yacc: parserGenerator('.tab.c'),
  flex: parserGenerator('lex.yy.c'),
  lex: parserGenerator('lex.yy.c'),
  latexmk: typesetter,
  latex: typesetter,
  pdflatex: typesetter,
  xelatex: typesetter,
  lualatex: typesetter,
  tectonic: typesetter,
  xxd: (call) => call.write(readOptions(call.args, { values: 'l s c g' }).operands[1], 'create'),
  'ssh-keygen': (call) => {
    const options = readOptions(call.args, { values: 'f t b C N m' })
    if (options.has('l', 'y', 'B', 'F', 'L', 'e')) return
    const file = options.get('f')
    call.write(file, 'create')
    call.write(file && mapText(file, (text) => `${text}.pub`), 'create')
  },
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

/** Longer ones are not written by hand, and searching them could take long. */
const LONGEST = 20_000

/** Commands of the two clients, and statements, that leave the database. */
const PSQL_WRITES = /\\(?:!|[ogwis]\b|copy\b|e\b|ef\b|ir\b|setenv\b|gexec\b)|\bcopy\b[^;]*\bto\s+(?:program\b|')/i
const MYSQL_WRITES = /\\[!TRPe.]|^[ \t]*(?:system|tee|pager|source|edit)\s|\binto\s+(?:out|dump)file\b/im

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
  const output = call.args.at(-1)
  const isRead = /^(?:identify|compare|-version|-list)$/.test(call.args[0]?.text ?? '')
  if (call.args.length < 2 || isRead || !output || output.text.startsWith('-')) return
  // `-f null x`: whatever it is called, it is nowhere.
  if (call.args.at(-2)?.text === 'null' || /^(?:null|info):/.test(output.text)) return
  call.write(output, 'create')
}

/** A build: what it leaves beside its source, or where it is told, is compared afterwards. */
function typesetter(call: Call): undefined {
  const texts = call.args.map(({ text }) => text)
  if (texts.some((text) => /^--?(?:n|c|C|version|help|draftmode|commands|showextraoptions)$/.test(text))) return
  const folder = texts.map((text) => /^--?(?:outdir|output-directory)=(.+)$/.exec(text)?.[1]).find(Boolean)
  if (folder) call.write(known(folder), 'create', { tree: true, byproduct: true })
  call.undecided(`${call.name}: typesets beside its source`, 'local')
}

/** An index of the code, beside it unless it is told where. */
function indexer(usual: string): Effect {
  return (call) => {
    const options = readOptions(call.args, { values: 'f o L s i p' })
    if (options.has('x', 'h', 'V', 'd', 'version', 'help') || call.args.some(({ text }) => text.startsWith('--list-')))
      return
    const target = options.get('f', 'o')
    if (!/^(?:-|\/dev\/stdout)$/.test(target?.text ?? '')) call.write(target ?? known(usual), 'create')
  }
}

/** Output options of programs that otherwise do as they like. */
const OUTPUTS =
  'output out outfile out-file output-file outputFile outdir out-dir output-dir output-path outputPath destination coverage-dir report-dir reports-dir junitxml junit-xml log-file report-file'

/** Spelled with one dash they are an output where what they are given looks like a path: `-destination=mocks/store.go`. */
const ONE_DASH = /^-(?:o|out|output|outfile|outdir|destination)(?:=(.+))?$/
const LIKE_A_PATH = /^[\w.@-]*\/[\w./@-]+$|^[\w@-][\w.@-]*\.[a-z]\w{0,7}$/i

/** To them `-o` is something else: offline, a format, an option of their own. */
const OTHER_O = new Set(
  'journalctl systemctl dmesg lsblk findmnt loginctl mvn mvnw gradle gradlew az kubectl oc gcloud pytest py.test helm aws java jest mocha rake tox sbt ps ssh xcodebuild argocd lldb gdb mount curl-config pgrep lsof'.split(
    ' ',
  ),
)

/** What `--output` means to tools that print in one of several forms: `bazel query --output=label`, `nx show --output json`. */
const FORMATS =
  /^(?:line|unix|cli|jsonl|short[\w-]*|json\w*|ndjson|yaml|yml|toml|text\w*|txt|table|wide|labels?|label_kind|graph|xml|proto\w*|csv|tsv|name|human|plain|pretty|compact|short|full|long|markdown|github|gitlab|sarif|junit|tap|teamcity|tree|none|null|default|stylish|concise|build|location|package|minrank|maxrank|files?|starlark|summary\w*|errors?|verbose|quiet|silent|auto|raw|color|colored|progress|dots|dot|streamed_\w+|-)$/i

/**
 * `--out folder` and the like, which nearly every program spells the same way. Of one dash only `-o file` stands for
 * itself: `-count=1` and `-ofline` are names of other options in half of the tools there are.
 */
export function namedOutputs(call: Call): void {
  const base = call.name.replace(/^.*\//, '')
  const short = OTHER_O.has(base) ? [] : call.args.filter((_, at) => call.args[at - 1]?.text === '-o')
  const oneDash = call.args.flatMap((arg, at) => {
    const [, attached = call.args[at + 1]?.text ?? ''] = ONE_DASH.exec(arg.text) ?? [arg, '']
    return LIKE_A_PATH.test(attached) ? known(attached) : []
  })
  const long = call.args.filter(({ text }, at) => text.startsWith('--') || call.args[at - 1]?.text.startsWith('--'))
  const named = readOptions(long, { values: OUTPUTS }).all(...OUTPUTS.split(' '))
  for (const path of OTHER_O.has(base)
    ? []
    : [...short, ...oneDash, ...named].filter(({ text }) => !FORMATS.test(text))) {
    const isByproduct = OUTPUT_FOLDER.test(path.text) && isRoutine(call.name, call.args)
    call.write(path, 'create', { tree: true, maybe: true, ...(isByproduct && { byproduct: true }) })
  }
}

/** Where tests, builds and linters usually put what they make. */
const OUTPUT_FOLDER =
  /^(?:\.\/)?(?:[\w.-]+\/){0,2}(?:target|build|out|output|coverage|htmlcov|reports?|test-results|test-reports|artifacts|\.nyc_output|\.cache|_build|bin|obj|tmp)(?:\/|$)/

/** Everything else: allowed to run, checked afterwards. */
export const unknownProgram: Effect = (call): Output => {
  if (call.args.length === 1 && /^(--?version|-[vVh]|--help|help|version)$/.test(call.args[0]!.text)) return undefined
  namedOutputs(call)
  changesInPlace(call)
  if (!call.name.includes('/')) {
    const made = scaffolded(call.name, call.args)
    if (made) call.write(made === '.' ? HERE : made, 'create', { tree: true })
    const why = `${call.name}: not a command whose writes are known`
    return call.undecided(why, isToldToWrite(call.args) ? undefined : 'local')
  }
  const why = `${call.name}: a program of the project`
  const source = call.sourceOf(known(call.name))
  if (source !== undefined) return heedUnread(call, source, { operands: call.args, why })
  const text = call.scriptAt(known(call.name))
  if (text === undefined || text.includes(UNKNOWN)) return call.undecided(why, isBuilt(call) ? 'local' : undefined)
  call.undecided(why, 'local')
  if (isRoutine(call.name, call.args) && call.textWrittenTo(known(call.name)) === undefined) return undefined
  const interpreter = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([a-z]+)/.exec(text)?.[1] ?? 'sh'
  call.run([known(/^(?:ba|da|z|k)?sh$/.test(interpreter) ? 'sh' : interpreter), known(call.name), ...call.args])
  return undefined
}

/** `--inplace` and the like with the names of files that are there. */
function changesInPlace(call: Call): void {
  if (!call.args.some(({ text }) => /^--?(?:in-?place|overwrite|rewrite)$/.test(text))) return
  for (const path of call.args)
    if (!path.text.startsWith('-') && call.isThere(path) && call.isFolder(path) === false) call.write(path, 'modify')
}

const HERE = known('.')

/** Whether it is a compiled program, or a missing file, and not a script whose text could be read. */
function isBuilt(call: Call): boolean {
  return call.isThere(known(call.name)) === false || !/\.(?!test$|out$|exe$|bin$)\w+$/.test(call.name)
}
