import type { Call, Effect } from '../call.ts'
import { asText } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isRoutine } from '../routine.ts'
import { literal, type Output, type Value } from '../values.ts'
import { beside, HERE } from './files.ts'
import { formatters } from './formatters.ts'
import { type CodeLanguage, inlineCode } from './inline-code.ts'
import { packages } from './packages.ts'
import { namedOutputs } from './programs.ts'

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
    const given = options.all(...code.split(' '))
    if (given.length > 0) {
      for (const each of given) inlineCode(call, language, literal(each), options.operands)
      return
    }
    if (options.has(...harmless.split(' '))) return
    const [file] = options.operands
    if (file && file.text !== '-') script(call, file, language, options.operands.slice(1))
    else fromInput(call, language)
  }
}

/** With these it looks whether the code is valid, and runs nothing of it. */
const CHECKS: Record<CodeLanguage, string[]> = { node: ['c', 'check'], ruby: ['c'], php: ['l'], python: [], perl: [] }

/** A script is read like code that is given by hand; one that is not there does nothing. */
function script(call: Call, file: Value, language: CodeLanguage, args: Value[]): undefined {
  namedOutputs(call)
  const text = call.scriptAt(file)
  const isRead = text !== undefined && !isRoutine(`./${file.text}`, args)
  const isLocal = text !== undefined || call.isThere(file) === false
  call.undecided(`${call.name}: runs ${file.text}`, isLocal ? 'local' : undefined)
  if (isRead) inlineCode(call, language, text, args)
}

function fromInput(call: Call, language: CodeLanguage): undefined {
  const text = asText(call.stdin)
  if (text === undefined) call.undecided(`${call.name}: runs what is piped into it`)
  else inlineCode(call, language, text)
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
])

function python(call: Call): Output {
  const options = readOptions(call.args, { values: 'c m W X', stopAtOperand: true })
  if (options.has('c')) return inlineCode(call, 'python', literal(options.get('c')), options.operands)
  const module = options.get('m')?.text
  if (module !== undefined) return pythonModule(call, module)
  if (options.has('V', 'version', 'h', 'help')) return
  const [file] = options.operands
  if (file && file.text !== '-') script(call, file, 'python', options.operands.slice(1))
  else fromInput(call, 'python')
}

function pythonModule(call: Call, module: string): Output {
  const args = call.args.slice(call.args.findIndex((arg) => arg.text === '-m') + 2)
  const options = readOptions(args)
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
    call.write(archive.get('c', 'create'), 'create')
    if (archive.has('e', 'extract')) {
      const into = literal(archive.operands[0])
      call.namesIn({
        kind: module === 'zipfile' ? 'zip' : 'tar',
        from: [archive.get('e', 'extract')],
        ...(into !== undefined && { folder: into }),
      })
      call.write(archive.operands[0] ?? HERE, 'create', { tree: true, maybe: true })
    }
    return
  }
  const tool = formatters[module] ?? packages[module]
  if (tool) tool({ ...call, name: module, args })
  else if (!QUIET_MODULES.has(module)) call.undecided(`${call.name} -m ${module}: runs a program of its own`)
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
