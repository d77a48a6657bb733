import type { Call, Effect } from '../call.ts'
import { asText } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isRoutine } from '../routine.ts'
import { baseName, known, literal, mapText, type Output, type Value } from '../values.ts'
import { unpackOwn } from './archives.ts'
import { beside, HERE } from './files.ts'
import { formatters } from './formatters.ts'
import { type CodeLanguage, inlineCode } from './inline-code.ts'
import { packages } from './packages.ts'
import { namedOutputs } from './unknown-program.ts'

/** Interpreters: inline code is read, a script of its own is not. */
export const runtimes: Record<string, Effect> = {
  python,
  python3: python,
  py: python,
  node: interpreter('node', 'e eval p print', 'r require import loader env-file input-type', 'check c version v help'),
  nodejs: interpreter('node', 'e eval p print', 'r require', 'check c version v'),
  tsx: interpreter('node', 'e eval', '', 'version'),
  'ts-node': interpreter('node', 'e eval', 'P project', 'version'),
  bun: (call) => subcommand(call, 'node', ['eval']),
  deno: (call) => subcommand(call, 'node', ['eval']),
  ruby: (call) => (rewritesInPlace(call) ? undefined : ruby(call)),
  php: interpreter('php', 'r', 'd c f', 'l v i m'),
}

const ruby = interpreter('ruby', 'e', 'r I', 'c v version')

/** `ruby -i.bak -pe …`, as with perl. */
function rewritesInPlace(call: Call): boolean {
  const options = readOptions(call.args, { values: 'e r I', attached: 'i' })
  if (!options.has('i')) return false
  const suffix = options.get('i')?.text ?? ''
  for (const path of options.operands.slice(options.has('e') ? 0 : 1)) {
    call.write(path, 'modify')
    if (suffix !== '') call.write(beside(path, suffix), 'create')
  }
  return true
}

/** `node --cpu-prof` and the like leave a file where they were started, or where they are told. */
const PROFILES = /^--(?:cpu-prof|heap-prof|prof|trace-events-enabled|report-on-exit|perf-basic-prof)$/

function interpreter(language: CodeLanguage, code: string, values: string, harmless: string): Effect {
  return (call) => {
    if (call.args.some(({ text }) => PROFILES.test(text))) {
      const folder = readOptions(call.args, { values: 'diagnostic-dir cpu-prof-dir heap-prof-dir' })
      call.write(folder.get('cpu-prof-dir', 'heap-prof-dir', 'diagnostic-dir') ?? HERE, 'create', { tree: true })
    }
    const options = readOptions(call.args, { values: `${code} ${values}`, stopAtOperand: true })
    if (options.has(...CHECKS[language])) return
    // What is loaded first is run like any other script.
    if (language === 'node')
      for (const file of options.all('r', 'require', 'import'))
        if (/^[./]/.test(file.text) && call.scriptAt(file) !== undefined) call.run([known('node'), file])
    const given = options.all(...code.split(' '))
    if (given.length > 0) {
      for (const each of given) inlineCode(call, language, literal(each), options.operands)
      return
    }
    if (options.has(...harmless.split(' '))) return
    const [file] = options.operands
    if (file && file.text !== '-') script(call, file, language, options.operands.slice(1))
    else fromInput(call, language, options.operands.slice(1))
  }
}

/** With these it looks whether the code is valid, and runs nothing of it. */
const CHECKS: Record<CodeLanguage, string[]> = { node: ['c', 'check'], ruby: ['c'], php: ['l'], python: [], perl: [] }

/** A script is read like code that is given by hand; one that is not there does nothing. */
function script(call: Call, file: Value, language: CodeLanguage, args: Value[]): undefined {
  namedOutputs(call)
  const text = call.scriptAt(file)
  const isOwn = call.textWrittenTo(file) !== undefined
  const isRead = text !== undefined && (isOwn || !isRoutine(`./${file.text}`, args))
  const isLocal = text !== undefined || call.isThere(file) === false
  call.undecided(`${call.name}: runs ${file.text}`, isLocal ? 'local' : undefined)
  if (isRead) inlineCode(call, language, text, args)
}

function fromInput(call: Call, language: CodeLanguage, args: Value[]): undefined {
  const text = asText(call.stdin)
  if (text === undefined) call.undecided(`${call.name}: runs what is piped into it`)
  else inlineCode(call, language, text, args)
}

const QUIET_MODULES = new Set([
  'http.server',
  'site',
  'sysconfig',
  'this',
  'timeit',
  'tabnanny',
  'py_compile',
  'mypy',
  'pyflakes',
  'pylint',
  'flake8',
  'pydoc',
  'calendar',
  'dis',
  'ast',
  'tokenize',
  'symtable',
  'pickletools',
  'inspect',
  'platform',
  'locale',
  'base64',
])

function python(call: Call): Output {
  const { letter, given, args } = pythonStart(call.args)
  if (letter === 'c') return inlineCode(call, 'python', literal(given), args)
  if (letter === 'm') return given && pythonModule(call, given.text, args)
  const options = readOptions(call.args, { values: 'W X', stopAtOperand: true })
  if (options.has('V', 'version', 'h', 'help')) return
  const [file] = options.operands
  if (file && file.text !== '-') script(call, file, 'python', options.operands.slice(1))
  else fromInput(call, 'python', options.operands.slice(1))
}

/** What follows `-c code` or `-m module` is for that: `python -m tarfile -c a.tar src`. */
function pythonStart(args: Value[]): { letter?: string; given?: Value | undefined; args: Value[] } {
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!
    const [, letter, attached] = /^-[bBdEiIOPqRsSuvx]*([cm])([\s\S]*)$/.exec(text) ?? []
    if (letter && attached) return { letter, given: mapText(args[at]!, () => attached), args: args.slice(at + 1) }
    if (letter) return { letter, given: args[at + 1], args: args.slice(at + 2) }
    if (/^-[WX]$/.test(text)) at++
    else if (!text.startsWith('-') || text === '-') break
  }
  return { args: [] }
}

function pythonModule(call: Call, module: string, args: Value[]): Output {
  const options = readOptions(args)
  if (module === 'cProfile' || module === 'profile') {
    const profile = readOptions(args, { values: 'o outfile s sort', stopAtOperand: true })
    call.write(profile.get('o', 'outfile'), 'create')
    const isModule = profile.has('m')
    return call.run([known(call.name), ...(isModule ? [known('-m')] : []), ...profile.operands])
  }
  if (module === 'trace') {
    const trace = readOptions(args, { values: 'C coverdir f file ignore-module ignore-dir', stopAtOperand: true })
    call.write(trace.get('C', 'coverdir'), 'create', { tree: true })
    call.write(trace.get('f', 'file'), 'create')
    return call.run([known(call.name), ...trace.operands])
  }
  if (module === 'gzip') {
    const isBack = options.has('d', 'decompress')
    for (const path of options.operands)
      call.write(
        mapText(path, (text) => (isBack ? text.replace(/\.gz$/, '') : `${text}.gz`)),
        'create',
      )
    return
  }
  if (module === 'pydoc' && options.has('w')) {
    for (const name of options.operands)
      call.write(
        mapText(name, (text) => `${baseName(text)}.html`),
        'create',
      )
    return
  }
  if (module === 'compileall' && options.has('b')) {
    for (const path of options.operands) call.write(path, 'create', { tree: true, maybe: true })
    return
  }
  if (module === 'json.tool') {
    call.write(options.operands[1], 'create')
    return
  }
  if (module === 'venv' || module === 'virtualenv') {
    for (const path of options.operands) call.write(path, 'create', { tree: true })
    return
  }
  if (module === 'zipfile' || module === 'tarfile') {
    const archive = readOptions(args, { values: 'c create e extract' })
    const made = archive.get('c', 'create')
    call.write(made, 'create')
    const isZip = module === 'zipfile'
    if (made) call.packs(made, isZip ? archive.operands.map((one) => mapText(one, baseName)) : archive.operands)
    if (archive.has('e', 'extract')) {
      unpackOwn(call, archive.get('e', 'extract'), archive.operands[0])
      const into = literal(archive.operands[0])
      call.namesIn({
        kind: isZip ? 'zip' : 'tar',
        from: [archive.get('e', 'extract')],
        ...(into !== undefined && { folder: into }),
      })
      call.write(archive.operands[0] ?? HERE, 'create', { tree: true, maybe: true })
    }
    return
  }
  const tool = formatters[module] ?? packages[module]
  const own = tool ? undefined : moduleFile(call, module)
  if (tool) tool({ ...call, name: module, args })
  else if (own) script(call, own, 'python', args)
  else if (!QUIET_MODULES.has(module)) call.undecided(`${call.name} -m ${module}: runs a program of its own`)
}

/** A module that lies where it is looked for first is a script by another name. */
function moduleFile(call: Call, module: string): Value | undefined {
  const searched = literal(call.place.variables.get('PYTHONPATH')?.[0])?.split(':') ?? []
  const path = module.replaceAll('.', '/')
  return ['.', ...searched.filter(Boolean)]
    .flatMap((folder) => [known(`${folder}/${path}.py`), known(`${folder}/${path}/__main__.py`)])
    .find((file) => call.scriptAt(file) !== undefined)
}

function subcommand(call: Call, language: CodeLanguage, inline: string[]): Output {
  const [verb, ...rest] = call.args
  if (verb && (/^(?:-[ep]|--eval|--print)$/.test(verb.text) || inline.includes(verb.text))) {
    inlineCode(call, language, literal(rest[0]))
    return
  }
  const tool = packages[call.name] ?? formatters[`${call.name} ${verb?.text}`]
  if (tool) tool(call)
  else call.undecided(`${call.name} ${verb?.text ?? ''}: runs a program of its own`.replace(' :', ':'))
}
