import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { isKnown, known, literal, type Output, type Value } from '../values.ts'
import { HERE } from './files.ts'
import { unknownProgram } from './unknown-program.ts'

/** How a formatter or fixer is told to write, and what it touches when no path is given. */
interface Rule {
  /** Options that make it write; without this it writes unless told only to check. */
  writes?: string[]
  /** Options that make it only look. */
  checks?: string[]
  values?: string
  /** Leading words that are not paths: `ruff format`, `biome check`. */
  verbs?: RegExp
  /** What it covers without a path; nothing when left out. */
  fallback?: string
}

const rules: Record<string, Rule> = {
  prettier: {
    writes: ['write', 'w'],
    checks: [],
    values: 'config parser ignore-path plugin log-level loglevel',
  },
  eslint: {
    writes: ['fix'],
    checks: ['fix-dry-run'],
    values: 'c config ext rule ignore-pattern f format o output-file max-warnings parser plugin cache-location',
    fallback: '.',
  },
  stylelint: { writes: ['fix'], values: 'config c f formatter' },
  biome: {
    writes: ['write', 'apply', 'apply-unsafe', 'fix', 'w'],
    values: 'config-path max-diagnostics reporter',
    verbs: /^(check|format|lint|ci|migrate)$/,
    fallback: '.',
  },
  oxlint: { writes: ['fix', 'fix-suggestions'], values: 'c config', fallback: '.' },
  standard: { writes: ['fix'], fallback: '.' },
  xo: { writes: ['fix'], fallback: '.' },
  markdownlint: { writes: ['fix', 'f'], values: 'c config i ignore' },
  black: {
    checks: ['check', 'diff'],
    values: 'l line-length t target-version config exclude include c code',
  },
  isort: { checks: ['check', 'check-only', 'c', 'diff', 'd'], values: 'profile l p settings-path sp' },
  autopep8: { writes: ['i', 'in-place'], values: 'max-line-length select ignore' },
  yapf: { writes: ['i', 'in-place'], values: 'style e exclude' },
  autoflake: { writes: ['i', 'in-place'], values: 'exclude' },
  pyupgrade: {},
  gofmt: { writes: ['w'], values: 'r cpuprofile' },
  goimports: { writes: ['w'], values: 'local srcdir' },
  gofumpt: { writes: ['w'], values: 'lang modpath' },
  rustfmt: { checks: ['check'], values: 'edition config config-path emit' },
  'clang-format': { writes: ['i'], values: 'style assume-filename lines' },
  shfmt: { writes: ['w'], values: 'i ln' },
  rubocop: {
    writes: ['a', 'A', 'autocorrect', 'autocorrect-all', 'auto-correct', 'x'],
    values: 'c config only except format f',
    fallback: '.',
  },
  'php-cs-fixer': { checks: ['dry-run'], values: 'config rules', verbs: /^fix$/, fallback: '.' },
  phpcbf: { values: 'standard' },
  swiftformat: { checks: ['lint', 'dryrun'], values: 'config rules' },
  ktlint: { writes: ['F', 'format'], fallback: '.' },
  dprint: { verbs: /^fmt$/, checks: ['check'], fallback: '.' },
  'deno fmt': { verbs: /^fmt$/, checks: ['check'], values: 'c config ext ignore', fallback: '.' },
  'deno lint': { verbs: /^lint$/, writes: ['fix'], values: 'c config', fallback: '.' },
  dart: { verbs: /^format$/, checks: ['set-exit-if-changed'], values: 'l' },
  nixfmt: { checks: ['check', 'c'] },
  taplo: { verbs: /^(fmt|format)$/, checks: ['check'], fallback: '.' },
  'sort-package-json': { checks: ['check', 'c'], fallback: 'package.json' },
  jscodeshift: { checks: ['d', 'dry'], values: 't transform parser extensions ignore-pattern' },
  'ast-grep': {
    writes: ['U', 'update-all'],
    values: 'p pattern r rewrite l lang c config',
    verbs: /^(run|scan)$/,
    fallback: '.',
  },
  sg: {
    writes: ['U', 'update-all'],
    values: 'p pattern r rewrite l lang c config',
    verbs: /^(run|scan)$/,
    fallback: '.',
  },
  stylua: { checks: ['check', 'c', 'verify'] },
  nimpretty: {},
  ormolu: { writes: ['i', 'in-place'], values: 'm mode o' },
  fourmolu: { writes: ['i', 'in-place'], values: 'm mode o' },
  ocamlformat: { writes: ['i', 'inplace'] },
  'elm-format': { checks: ['validate', 'stdin'] },
  'swift-format': { writes: ['i', 'in-place'], verbs: /^format$/ },
  '2to3': { writes: ['w', 'write'], values: 'f x j' },
  zig: { verbs: /^fmt$/, checks: ['check', 'stdin'], values: 'exclude' },
  gleam: { verbs: /^format$/, checks: ['check', 'stdin'], fallback: '.' },
  packer: { verbs: /^fmt$/, checks: ['check'], fallback: '.' },
  codespell: { writes: ['w', 'write-changes'], values: 'L S skip ignore-words-list i', fallback: '.' },
}

/** Tools that rewrite source in place. */
export const formatters: Record<string, Effect> = {
  ...Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, (call: Call) => format(call, rule)])),
  ruff: (call) => {
    const [verb] = call.args
    const options = readOptions(call.args.slice(1), {
      values: 'select ignore extend-select config line-length output-format target-version exclude',
    })
    const writes =
      verb?.text === 'format'
        ? !options.has('check', 'diff')
        : options.has('fix', 'fix-only', 'unsafe-fixes') && !options.has('diff')
    if (writes) touch(call, options.operands, '.')
  },
  terraform: (call) => {
    const [verb, ...args] = call.args
    if (verb?.text !== 'fmt')
      return readsOnly(call, verb, /^(plan|validate|show|output|version|state|providers|graph|console)$/)
    const options = readOptions(args, { singleDash: true })
    const isKept = options.get('write')?.text === 'false'
    if (!options.has('check') && !isKept) touch(call, options.operands, '.')
  },
  tsc: (call) => {
    const options = readOptions(call.args, {
      values: 'p project outDir outFile target module declarationDir tsBuildInfoFile',
    })
    const flags = call.args.map((arg) => arg.text)
    if (flags.some((flag) => /^(--noEmit|--version|-v|--showConfig|--listFilesOnly|--help|-h)$/.test(flag))) return
    if (flags.includes('--init')) return call.write(known('tsconfig.json'), 'create')
    const folder = options.get('outDir', 'declarationDir')
    if (folder) call.write(folder, 'create', { tree: true, maybe: true })
    call.write(options.get('outFile'), 'create')
    call.undecided('tsc: its configuration says where it writes')
  },
  dart: (call) => {
    const output = readOptions(call.args, { values: 'o output' }).get('o', 'output')?.text ?? 'write'
    return output === 'write' ? format(call, rules.dart!) : undefined
  },
  alembic: (call) => {
    const { operands } = readOptions(call.args, { values: 'c config n name x' })
    if (/^(?:revision|init|merge|edit)$/.test(operands[0]?.text ?? '')) call.undecided('alembic: writes migrations')
    else call.undecided('alembic: runs code of the project', 'local')
  },
}

function readsOnly(call: Call, verb: Value | undefined, reads: RegExp): undefined {
  if (!verb || !reads.test(verb.text)) call.undecided(`${call.name} ${verb?.text ?? ''}: runs a program of its own`)
}

function format(call: Call, rule: Rule): Output {
  const options = readOptions(call.args, rule.values ? { values: rule.values } : {})
  call.write(options.get('o', 'output-file'), 'create')
  const first = literal(options.operands[0])
  const paths =
    rule.verbs && first !== undefined && rule.verbs.test(first) ? options.operands.slice(1) : options.operands
  if (rule.verbs && !rule.verbs.test(first ?? '') && !options.has(...(rule.writes ?? []))) return unknownProgram(call)
  if (first === 'ci') return
  const writes = rule.writes ? options.has(...rule.writes) : !options.has('version', 'help')
  if (!writes || options.has(...(rule.checks ?? []))) return
  touch(call, paths, rule.fallback)
}

/** A fixer changes some of what it is given, and all of it may be a folder. */
function touch(call: Call, paths: Value[], fallback: string | undefined): undefined {
  const targets = paths.length > 0 ? paths : fallback === '.' ? [HERE] : fallback ? [known(fallback)] : []
  for (const path of targets) {
    if (path.text === '-' || path.text.startsWith('!')) continue
    // A quoted glob is expanded by the tool itself.
    const isGlob = path.glob || (isKnown(path) && /[*{]/.test(path.text))
    call.write({ text: path.text.replace(/\/?\.\.\.$/, '') || '.', glob: isGlob }, 'modify', {
      tree: true,
      maybe: true,
    })
  }
}
