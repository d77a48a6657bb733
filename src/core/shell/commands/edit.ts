import type { Call, Effect } from '../call.ts'
import { asText } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isKnown, known, literal, type Output, type Value } from '../values.ts'
import { printTargets, runsCommands, targetNames } from './awk-program.ts'
import { beside } from './files.ts'
import { inlineCode } from './inline-code.ts'
import { readSedScript } from './sed-script.ts'

/** Text tools: filters by nature, but with a switch or a word that writes. */
export const edit: Record<string, Effect> = {
  tee: (call) => {
    const options = readOptions(call.args)
    const kind = options.has('a', 'append') ? 'modify' : 'create'
    for (const path of options.operands) if (path.text !== '-') call.write(path, kind)
    return call.stdin
  },
  sponge: (call) => {
    for (const path of readOptions(call.args).operands) call.write(path, 'create')
  },
  sed,
  gsed: sed,
  perl,
  awk,
  gawk: awk,
  mawk: awk,
  sort: (call) => {
    call.write(readOptions(call.args, { values: 'o output k t S T' }).get('o', 'output'), 'create')
    return call.stdin
  },
  uniq: (call) => {
    call.write(readOptions(call.args, { values: 'f s w' }).operands[1], 'create')
    return call.stdin
  },
  split: (call) => {
    const options = readOptions(call.args, {
      values: 'l b n C a additional-suffix numeric-suffixes',
    })
    const prefix = options.operands[1] ?? known('x')
    call.write({ text: `${prefix.text}*`, glob: true }, 'create')
  },
  sd: (call) => {
    const options = readOptions(call.args, { values: 'n max-replacements f flags' })
    if (options.has('p', 'preview')) return
    for (const path of options.operands.slice(2)) call.write(path, 'modify')
  },
  yq: (call) => {
    const options = readOptions(call.args, { values: 'o p output-format input-format' })
    if (!options.has('i', 'inplace', 'in-place')) return
    const [verb] = options.operands
    const skip = verb && /^(e|eval|ea|eval-all)$/.test(verb.text) ? 2 : 1
    for (const path of options.operands.slice(skip)) call.write(path, 'modify')
  },
  sqlite3: (call) => {
    const options = readOptions(call.args, { values: 'cmd separator init nullvalue', singleDash: true })
    const [database, ...statements] = options.operands
    const said = [...statements, ...options.all('cmd')]
    const text = [...said.map((statement) => statement.text), asText(call.stdin) ?? ''].join('\n')
    const onlyReads =
      statements.length > 0 &&
      said.every(isKnown) &&
      !/\b(insert|update|delete|create|drop|alter|replace|vacuum|reindex|analyze|attach|pragma\s+\w+\s*=|\.import|\.restore)\b/i.test(
        text.replace(/'[^']*'/g, "''"),
      )
    if (database && database.text !== ':memory:' && !onlyReads && !options.has('readonly'))
      call.write(database, 'modify')
    for (const [, shell] of text.matchAll(/^[ \t]*\.(?:shell|system)[ \t]+(\S.*)$/gm)) call.script(shell!)
    for (const [, path] of text.matchAll(/\b(?:writefile\s*\(|attach(?:\s+database)?|vacuum\s+into)\s*'([^']+)'/gi))
      call.write(known(path!), 'create')
    for (const output of text.matchAll(/\.(?:output|once|backup|save|log)\s+(\S+)/g))
      call.write(known(output[1]!), 'create')
    if (options.has('init') || SQLITE_REACHES_OUT.test(text))
      call.undecided('sqlite3: its commands may reach other files')
  },
}

/** Dot commands and functions that run programs, load code or open other files. */
const SQLITE_REACHES_OUT =
  /\.(?:shell|system|load|read|open|excel|archive|ar|clone|www|edit|expert)\b|\.(?:once|output)\s+["']?\||\b(?:writefile|load_extension|edit)\s*\(|\battach\b|\bvacuum\s+into\b/i

/** Longer ones are not written by hand, and searching them could take long. */
const LONGEST_PROGRAM = 20_000

function sed(call: Call): Output {
  const args = dropSeparateSuffix(call.args)
  const options = readOptions(args, { values: 'e expression f file l', attached: 'i' })
  const hasScript = options.has('e', 'expression', 'f', 'file')
  const scripts = hasScript ? options.all('e', 'expression') : options.operands.slice(0, 1)
  if (!options.has('sandbox')) heedSedScript(call, scripts.map(({ text }) => text).join('\n'))
  if (!options.has('sandbox')) {
    for (const file of options.all('f', 'file')) {
      const text = programIn(call, file)
      if (text === undefined) call.undecided(`${call.name}: its script is in a file`)
      else heedSedScript(call, text)
    }
  }
  if (!options.has('i', 'in-place')) return
  const suffix = options.get('i', 'in-place')?.text ?? ''
  for (const path of options.operands.slice(hasScript ? 0 : 1)) {
    call.write(path, 'modify')
    if (suffix !== '') call.write(beside(path, suffix), 'create')
  }
}

function heedSedScript(call: Call, script: string): undefined {
  if (script.length > LONGEST_PROGRAM) return call.undecided(`${call.name}: its script is too long to read`)
  const { writes, commands, runs, isRead } = readSedScript(script)
  for (const path of writes) call.write(known(path), 'create')
  for (const [, text] of script.matchAll(/(?:^|[\n;}\d$/])e[ \t]+([^\n]+)/g)) call.script(text!)
  for (const text of commands) call.script(text)
  if (runs) return call.undecided(`${call.name}: its script runs commands`)
  return isRead ? undefined : call.undecided(`${call.name}: its script is only known when it runs`)
}

/** `sed -i '' …` and `sed -i .bak …`, as people on a Mac write it. */
function dropSeparateSuffix(args: Value[]): Value[] {
  const at = args.findIndex((arg) => arg.text === '-i')
  const next = args[at + 1]
  if (at < 0 || !next || !/^(\.\w+|)$/.test(next.text)) return args
  return [...args.slice(0, at), known(`-i${next.text}`), ...args.slice(at + 2)]
}

function perl(call: Call): Output {
  const options = readOptions(call.args.flatMap(withoutNumbers), { values: 'e E I M m', attached: 'i F' })
  const code = options.all('e', 'E')
  if (options.has('i')) {
    const suffix = options.get('i')?.text ?? ''
    for (const path of options.operands.slice(code.length > 0 ? 0 : 1)) {
      call.write(path, 'modify')
      if (suffix !== '') call.write(beside(path, suffix), 'create')
    }
    return
  }
  // `perl -c` checks the syntax, and runs only BEGIN blocks and what `use` loads.
  if (options.has('c') && code.every((each) => /^(?!.*\b(?:BEGIN|use|no)\b)/s.test(literal(each) ?? 'BEGIN'))) return
  if (code.length > 0) {
    // A module that is loaded may be all that is needed to write: `-MFile::Copy`.
    const loaded = options.all('M', 'm').map(({ text }) => `use ${text.replace(/=.*/, '')};`)
    for (const each of code) {
      const text = literal(each)
      inlineCode(call, 'perl', text === undefined ? undefined : loaded.join('') + text, options.operands)
    }
  } else if (!options.has('v', 'V')) perlScript(call, options.operands)
}

function perlScript(call: Call, [file, ...args]: Value[]): undefined {
  const text = file && file.text !== '-' ? call.scriptAt(file) : asText(call.stdin)
  if (text === undefined) return call.undecided(`perl: runs ${file?.text ?? 'a script'}`)
  inlineCode(call, 'perl', text, args)
}

/** `-l` and `-0` may have a number behind them and other letters after it: `perl -0777ne`, `perl -lane`. */
function withoutNumbers(arg: Value): Value[] {
  const [flags = ''] = /^-(?:[acnpstuwTUWX]|l[0-7]*|0[0-7]*)+/.exec(arg.text) ?? []
  const plain = flags.replace(/[l0][0-7]*/g, '') + arg.text.slice(flags.length)
  return plain === '-' && flags !== '' ? [] : [{ ...arg, text: plain }]
}

function awk(call: Call): Output {
  const options = readOptions(call.args, {
    values: 'F v f file i include assign field-separator e source l load E exec',
    attached: 'o p d',
  })
  const inPlace = options.all('i', 'include').some((value) => value.text === 'inplace')
  const hasFile = options.has('f', 'file', 'E', 'exec')
  const pieces = options.all('e', 'source')
  const hasProgram = hasFile || pieces.length > 0
  const program = hasProgram ? pieces : options.operands.slice(0, 1)
  const inputs = options.operands.slice(hasProgram ? 0 : 1).filter((value) => !/^\w+=/.test(value.text))
  if (inPlace) for (const path of inputs) call.write(path, 'modify')
  for (const [name, long, usual] of AWK_REPORTS) {
    if (options.has(name, long)) call.write(known(options.get(name, long)?.text || usual), 'create')
  }
  for (const file of options.all('f', 'file', 'E', 'exec')) {
    const text = programIn(call, file)
    if (text === undefined) call.undecided('awk: its program is in a file')
    else heedAwkProgram(call, text)
  }
  if (options.has('l', 'load')) call.undecided('awk: loads code of its own')
  const given = options.all('v', 'assign').concat(options.operands.filter(({ text }) => /^\w+=/.test(text)))
  for (const { text } of program) heedAwkProgram(call, text, new Map(given.map(({ text: one }) => pairOf(one))), inputs)
  return undefined
}

function pairOf(text: string): [string, string] {
  const cut = text.indexOf('=')
  return [text.slice(0, cut), text.slice(cut + 1)]
}

/** The program that a file, or what is piped in, holds. */
function programIn(call: Call, file: Value): string | undefined {
  return /^(?:-|\/dev\/stdin)$/.test(file.text) ? asText(call.stdin) : call.scriptAt(file)
}

/** Options with which gawk writes a report about a program, and the file it goes to by default. */
const AWK_REPORTS = [
  ['o', 'pretty-print', 'awkprof.out'],
  ['p', 'profile', 'awkprof.out'],
  ['d', 'dump-variables', 'awkvars.out'],
] as const

function heedAwkProgram(
  call: Call,
  program: string,
  given: ReadonlyMap<string, string> = new Map(),
  inputs: Value[] = [],
): undefined {
  if (program.length > LONGEST_PROGRAM) return call.undecided('awk: its program is too long to read')
  for (const [, text] of program.matchAll(/(?:\bsystem\s*\(\s*|\|&?\s*)"((?:[^"\\]|\\.)*)"/g)) call.script(text!)
  for (const [, text] of program.matchAll(/"((?:[^"\\]|\\.)*)"\s{0,3}\|&?\s{0,3}getline\b/g)) call.script(text!)
  const valuesOf = (name: string) => {
    const set = given.get(name) ?? ''
    const assigned = program.matchAll(/\b([a-zA-Z_]\w*)\s*=\s*"([^"]*)"/g)
    return [set, ...Array.from(assigned, ([, one, text]) => (one === name ? text! : ''))].filter(Boolean)
  }
  const inputNames = (name: string) => {
    if (name === 'FILENAME' || /^ARGV\[/.test(name)) return inputs.map(({ text }) => text)
    const variable = /^ENVIRON\["(\w+)"\]$/.exec(name)?.[1]
    return variable ? [literal(call.place.variables.get(variable)?.[0]) ?? ''].filter(Boolean) : valuesOf(name)
  }
  const targets = printTargets(program).map((target) => targetNames(target, inputNames))
  for (const name of targets.flatMap((names) => names ?? []))
    call.write({ text: name, glob: name.includes('*') }, 'create')
  const writesElsewhere = targets.includes(undefined)
  return writesElsewhere || runsCommands(program)
    ? call.undecided('awk: the program decides where it writes')
    : undefined
}
