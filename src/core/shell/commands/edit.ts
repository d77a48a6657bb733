import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { isKnown, known, literal, type Output, type Value } from '../values.ts'
import { beside } from './files.ts'
import { inlineCode } from './inline-code.ts'

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
  ed: (call) => lastOperand(call),
  ex: (call) => lastOperand(call),
  vi: (call) => lastOperand(call),
  vim: (call) => lastOperand(call),
  nvim: (call) => lastOperand(call),
  nano: (call) => lastOperand(call),
  sqlite3: (call) => {
    const options = readOptions(call.args, { values: 'cmd separator init nullvalue' })
    const [database, ...statements] = options.operands
    const text = statements.map((statement) => statement.text).join(';')
    const onlyReads =
      statements.length > 0 &&
      statements.every(isKnown) &&
      !/\b(insert|update|delete|create|drop|alter|replace|vacuum|pragma\s+\w+\s*=|\.import|\.restore)\b/i.test(text)
    if (database && database.text !== ':memory:' && !onlyReads && !options.has('readonly'))
      call.write(database, 'modify')
    for (const output of text.matchAll(/\.(?:output|once|backup|save)\s+(\S+)/g))
      call.write(known(output[1]!), 'create')
  },
}

function lastOperand(call: Call): undefined {
  const options = readOptions(call.args, { values: 'c S' })
  call.write(options.operands.at(-1), 'modify')
}

/** Longer ones are nobody's handwriting, and searching them could take long. */
const LONGEST_PROGRAM = 20_000

/** `s/a/b/w file` and `/pattern/w file`: the one way a sed script itself writes. */
const SED_WRITE =
  /(?:^|[;\n{])\s*(?:s([^\w\s\\])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpIi0-9]*w\s+([^\s;}]+)|(?:\/(?:[^/\\\n]|\\.)*\/|\d+|\$)?\s*w\s+([^\s;}]+))/g

function sed(call: Call): Output {
  const args = dropSeparateSuffix(call.args)
  const options = readOptions(args, { values: 'e expression f file l', attached: 'i' })
  const hasScript = options.has('e', 'expression', 'f', 'file')
  const scripts = hasScript ? options.all('e', 'expression') : options.operands.slice(0, 1)
  for (const script of scripts) {
    if (script.text.length > LONGEST_PROGRAM) call.undecided(`${call.name}: its script is too long to read`)
    else for (const found of script.text.matchAll(SED_WRITE)) call.write(known(found[2] ?? found[3]!), 'create')
  }
  if (!options.has('i', 'in-place')) return
  const suffix = options.get('i', 'in-place')?.text ?? ''
  for (const path of options.operands.slice(hasScript ? 0 : 1)) {
    call.write(path, 'modify')
    if (suffix !== '') call.write(beside(path, suffix), 'create')
  }
}

/** `sed -i '' …` and `sed -i .bak …`, as people on a Mac write it. */
function dropSeparateSuffix(args: Value[]): Value[] {
  const at = args.findIndex((arg) => arg.text === '-i')
  const next = args[at + 1]
  if (at < 0 || !next || !/^(\.\w+|)$/.test(next.text)) return args
  return [...args.slice(0, at), known(`-i${next.text}`), ...args.slice(at + 2)]
}

function perl(call: Call): Output {
  const options = readOptions(call.args, { values: 'e E I M m', attached: 'i 0 l F' })
  const code = options.all('e', 'E')
  if (options.has('i')) {
    const suffix = options.get('i')?.text ?? ''
    for (const path of options.operands.slice(code.length > 0 ? 0 : 1)) {
      call.write(path, 'modify')
      if (suffix !== '') call.write(beside(path, suffix), 'create')
    }
    return
  }
  if (code.length > 0) for (const each of code) inlineCode(call, 'perl', literal(each))
  else if (!options.has('v', 'V')) call.undecided(`perl: runs ${options.operands[0]?.text ?? 'a script'}`)
}

function awk(call: Call): Output {
  const options = readOptions(call.args, {
    values: 'F v f file i include assign field-separator',
  })
  const inPlace = options.all('i', 'include').some((value) => value.text === 'inplace')
  const hasFile = options.has('f', 'file')
  const program = hasFile ? undefined : options.operands[0]
  const inputs = options.operands.slice(hasFile ? 0 : 1).filter((value) => !/^\w+=/.test(value.text))
  if (inPlace) for (const path of inputs) call.write(path, 'modify')
  if (hasFile) call.undecided('awk: its program is in a file')
  if (!program) return
  if (program.text.length > LONGEST_PROGRAM) return call.undecided('awk: its program is too long to read')
  for (const target of program.text.matchAll(/>>?\s*"([^"]+)"(?!\s*["$(\w])/g)) call.write(known(target[1]!), 'create')
  const writesElsewhere = /print[^;}\n]*>>?\s*(?!"[^"]+"\s*(?:[;}\n]|$))[("$a-zA-Z_]/.test(program.text)
  if (writesElsewhere || /\bsystem\s*\(|\|\s*"/.test(program.text))
    call.undecided('awk: the program decides where it writes')
}
