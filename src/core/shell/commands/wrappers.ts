import type { Call, Effect } from '../call.ts'
import { asText, copyPlace, type Place, unknownStack } from '../expand.ts'
import { type OptionNames, readOptions } from '../options.ts'
import { isRoutine } from '../routine.ts'
import {
  fillMark,
  foldPath,
  glob,
  isKnown,
  joinPath,
  known,
  linesOf,
  literal,
  type Output,
  unknown,
  type Value,
} from '../values.ts'
import { fileContent } from './archives.ts'

/** Commands that run other commands, and the shell's own words. */
export const wrappers: Record<string, Effect> = {
  cd: (call) => changeFolder(call),
  pushd,
  popd,
  pwd: (call) => (call.place.cwd === undefined ? undefined : [known(call.place.cwd)]),
  sudo: (call) => {
    const options = readOptions(call.args, { values: 'u g h p C T', stopAtOperand: true })
    const isShell = options.has('s', 'i', 'shell', 'login') && options.operands.length === 0
    return isShell ? call.undecided('sudo: runs a shell of its own') : prefix({ values: 'u g h p C T' })(call)
  },
  ip: (call) => {
    const [object, verb, , ...command] = call.args
    return object?.text === 'netns' && verb?.text === 'exec' && command.length > 0 ? call.run(command) : undefined
  },
  doas: prefix({ values: 'u C' }),
  nohup: prefix({}),
  command: (call) => (/^-[vV]$/.test(call.args[0]?.text ?? '') ? whereIs(call) : prefix({})(call)),
  which: whereIs,
  builtin: prefix({}),
  exec: prefix({ values: 'a' }),
  time: prefix({ values: 'f o' }),
  nice: prefix({ values: 'n' }),
  ionice: prefix({ values: 'c n p' }),
  setsid: prefix({}),
  stdbuf: prefix({ values: 'i o e' }),
  caffeinate: prefix({ values: 't w' }),
  watch: prefix({ values: 'n interval' }),
  chronic: prefix({}),
  unbuffer: prefix({}),
  timeout: prefix({ values: 's k signal kill-after' }, 1),
  gtimeout: prefix({ values: 's k signal kill-after' }, 1),
  flock: (call) => {
    const { operands } = readOptions(call.args, { values: 'w E timeout', stopAtOperand: true })
    const [lock, ...command] = operands
    if (lock && !/^\d+$/.test(lock.text)) call.write(lock, 'create')
    if (command[0]?.text !== '-c' && command[0]?.text !== '--command') {
      return command.length > 0 ? call.run(command) : undefined
    }
    const text = literal(command[1])
    return text === undefined ? call.undecided('flock: its text is only known when it runs') : call.script(text)
  },
  strace: traced({ values: 'o output e s p E u P' }),
  ltrace: traced({ values: 'o output e s p u' }),
  script: (call) => {
    const options = readOptions(call.args, { values: 'c command T log-timing O log-out I log-in' })
    const text = options.get('c', 'command')
    call.write(options.operands[0] ?? options.get('O', 'log-out') ?? known('typescript'), 'create')
    if (text === undefined) return call.undecided('script: runs a shell of its own')
    return isKnown(text) ? call.script(text.text) : call.undecided('script: its text is only known when it runs')
  },
  env: (call) => {
    const { operands, get } = readOptions(call.args, { values: 'u C S unset chdir', stopAtOperand: true })
    const text = literal(get('S'))
    if (text !== undefined) return call.script(text)
    const folder = get('C', 'chdir')
    const command = operands.findIndex((word) => !/^\w+=/.test(word.text))
    return command < 0
      ? undefined
      : call.run(operands.slice(command), { place: enter(withVariables(call, operands.slice(0, command)), folder) })
  },
  busybox: prefix({}),
  su: (call) => {
    const text = literal(readOptions(call.args, { values: 'c command s shell' }).get('c', 'command'))
    return text === undefined ? call.undecided('su: its text is only known when it runs') : call.script(text)
  },
  trap: (call) => {
    const text = literal(call.args[0])
    return text === undefined || call.args.length < 2 ? undefined : call.script(text, { place: copyPlace(call.place) })
  },
  set: (call) => {
    const dashes = call.args.findIndex((arg) => arg.text === '--')
    if (dashes >= 0) call.place.args = call.args.slice(dashes + 1)
    return []
  },
  bash: shell,
  sh: shell,
  zsh: shell,
  dash: shell,
  ksh: shell,
  eval: (call) => {
    const text = call.args.every(isKnown) ? call.args.map((arg) => arg.text).join(' ') : undefined
    return text === undefined ? call.undecided('eval: its text is only known when it runs') : call.script(text)
  },
  source: (call) => runScript(call, call.args[0], call.args.slice(1)),
  '.': (call) => runScript(call, call.args[0], call.args.slice(1)),
  xargs,
  parallel: (call) => {
    const cut = call.args.findIndex((arg) => arg.text === ':::')
    if (cut < 0) return call.undecided('parallel: its arguments are only known when it runs')
    const values = call.args.slice(cut + 1)
    if (values.some((value) => /^:::[+:]*$/.test(value.text)))
      return call.undecided('parallel: its arguments are combined when it runs')
    const command = readOptions(call.args.slice(0, cut), { values: 'j jobs', stopAtOperand: true }).operands
    if (command.some((word) => /\{[^{}]+\}/.test(word.text))) return call.undecided('parallel: makes names of its own')
    const isMarked = command.some((word) => word.text.includes('{}'))
    for (const value of values) call.run(isMarked ? fillMark(command, '{}', value) : [...command, value])
  },
  read: (call) => {
    const names = readOptions(call.args, { values: 'p t n d u a' }).operands
    const line = asText(call.stdin)?.split('\n')[0]?.trim()
    const words = line?.split(/\s+/)
    for (const [at, { text }] of names.entries()) {
      const value = at === names.length - 1 ? words?.slice(at).join(' ') : words?.[at]
      call.place.variables.set(text, [value === undefined ? unknown() : known(value)])
    }
    return []
  },
  let: (call) => {
    for (const { text } of call.args) {
      const name = /^\W*([A-Za-z_]\w*)/.exec(text)?.[1]
      if (name !== undefined) call.place.variables.set(name, [glob('*')])
    }
    return []
  },
  getopts: (call) => {
    for (const name of [call.args[1]?.text ?? '', 'OPTARG']) call.place.variables.set(name, [unknown()])
    return []
  },
  mapfile: (call) => bindLines(call),
  readarray: (call) => bindLines(call),
  unset: (call) => {
    for (const arg of call.args) call.place.variables.delete(arg.text)
    return []
  },
  shift: (call) => {
    if (call.place.args) call.place.args = call.place.args.slice(Number(call.args[0]?.text ?? 1))
    return []
  },
  cat: (call) => {
    const { operands } = readOptions(call.args)
    if (operands.every((arg) => arg.text === '-')) return call.stdin
    const read = operands.map((file) => (file.text === '-' ? call.stdin : fileContent(call, file)))
    return read.every((one) => one !== undefined) ? read.flat() : undefined
  },
  echo: (call) => [{ text: echoed(call.args), glob: call.args.some((arg) => arg.glob) }],
  printf: printed,
  dirname: (call) =>
    call.args.map(({ text, glob }) => ({
      text: text.includes('/') ? text.slice(0, text.lastIndexOf('/')) || '/' : '.',
      glob,
    })),
  basename: (call) => {
    const options = readOptions(call.args, { values: 's suffix' })
    const [path, given] = options.operands
    const suffix = options.get('s', 'suffix')?.text ?? given?.text ?? ''
    if (!path) return undefined
    const name = path.text
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1)!
    return [{ ...path, text: suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name }]
  },
  realpath: (call) => call.args.filter((arg) => !arg.text.startsWith('-')),
  readlink: (call) => call.args.filter((arg) => !arg.text.startsWith('-')),
  ls: (call) => {
    const options = readOptions(call.args)
    const paths = options.operands
    if (paths.length > 0 && paths.every((path) => path.glob)) return paths
    // Listing a folder prints the names in it, without the folder: any name.
    return options.has('l', 'R') ? undefined : paths.map((path) => (call.isFolder(path) === false ? path : glob('*')))
  },
  seq: (call) => {
    const numbers = call.args.map((arg) => Number(arg.text))
    const [from, to] = numbers.length > 1 ? [numbers[0]!, numbers.at(-1)!] : [1, numbers[0] ?? Number.NaN]
    if (!(to - from < 100) || numbers.length > 2) return [{ text: '*', glob: true }]
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => known(String(from + at)))
  },
}

/** Where a command of `env A=1 cmd` stands. */
function withVariables(call: Call, words: Value[]): Place {
  const place = copyPlace(call.place)
  for (const word of words) {
    const cut = word.text.indexOf('=')
    const [name, value] = [word.text.slice(0, cut), { ...word, text: word.text.slice(cut + 1) }]
    call.heed(name, value)
    place.variables.set(name, [value])
  }
  return place
}

/** Programs of the system lie where all of them lie; anything else is only known when it runs. */
function whereIs({ args }: Call): Output {
  const names = args.filter(({ text }) => !text.startsWith('-')).map(literal)
  return names.every((name) => name !== undefined && /^[\w.+-]+$/.test(name))
    ? names.map((name) => known(`/usr/bin/${name}`))
    : undefined
}

/** Runs what follows its own options, past `skip` words of its own (`timeout 10 …`). */
function prefix(names: OptionNames, skip = 0): Effect {
  return (call) => {
    const { operands } = readOptions(call.args, { ...names, stopAtOperand: true })
    const words = operands.slice(skip)
    const command = words.findIndex((word) => !/^\w+=/.test(word.text))
    if (command < 0) return undefined
    // `builtin cd x` must move the shell itself, so there is no copy without need.
    return call.run(words.slice(command), command > 0 ? { place: withVariables(call, words.slice(0, command)) } : {})
  }
}

/** Runs what follows, and may keep what it sees in a file. */
function traced(names: OptionNames): Effect {
  return (call) => {
    const { operands, get } = readOptions(call.args, { ...names, stopAtOperand: true })
    call.write(get('o', 'output'), 'create')
    return operands.length > 0 ? call.run(operands) : undefined
  }
}

function changeFolder(call: Call): Output {
  const { place } = call
  const [target, ...more] = readOptions(call.args).operands
  const home = place.variables.get('HOME')?.[0]
  const to = target?.text === '-' ? place.previous : literal(target ?? home)
  const before = place.cwd
  // A relative step from an unknown folder leads to an unknown folder.
  const base = to !== undefined && /^[/~]/.test(to) ? '/' : place.cwd
  place.cwd =
    to === undefined || base === undefined ? undefined : to.startsWith('~') ? to : foldPath(joinPath(base, to))
  place.previous = before
  // It may fail, and leave the shell where it is, or find the folder elsewhere.
  const isFound = to !== undefined && place.cwd !== undefined && call.isFolder(known(place.cwd)) !== false
  const isSought = place.variables.has('CDPATH') && !/^(?:[/~]|\.{1,2}(?:\/|$))/.test(to ?? '')
  if (more.length > 0 || !isFound || isSought) place.cwd = undefined
  return []
}

/** The same place in another folder. */
function enter(place: Place, folder: Value | undefined): Place {
  const path = literal(folder)
  if (folder === undefined) return place
  const isKnownFrom = path !== undefined && (path.startsWith('/') || place.cwd !== undefined)
  return { ...place, cwd: isKnownFrom ? foldPath(joinPath(path.startsWith('/') ? '/' : place.cwd!, path)) : undefined }
}

/** Without a folder, or with a number, it turns the stack: only the running shell follows that. */
function pushd(call: Call): Output {
  const { place } = call
  const [target, ...more] = call.args
  if (target === undefined || more.length > 0 || /^[-+]/.test(target.text)) return loseFolders(place)
  place.pushed = { cwd: place.cwd, below: place.pushed }
  return changeFolder(call)
}

function popd({ args, place }: Call): Output {
  if (args.length > 0) return loseFolders(place)
  // With nothing on the stack it fails, and the shell stays where it is.
  if (place.pushed) Object.assign(place, { previous: place.cwd, cwd: place.pushed.cwd, pushed: place.pushed.below })
  return []
}

function loseFolders(place: Place): Output {
  Object.assign(place, { previous: place.cwd, cwd: undefined, pushed: unknownStack() })
  return undefined
}

function shell(call: Call): Output {
  // `+x` switches off what `-x` switches on.
  const given = call.args.filter(({ text }, at) => !(/^\+\w+$/.test(text) && call.args.slice(0, at).every(isOption)))
  const options = readOptions(given, { values: 'c o O rcfile init-file', stopAtOperand: true })
  // It looks whether the text is valid, and runs nothing.
  if (options.has('n') || options.all('o').some(({ text }) => text === 'noexec')) return undefined
  if (options.has('i') && options.has('rcfile', 'init-file')) call.undecided(`${call.name}: runs a file at its start`)
  if (options.has('c')) {
    const given = options.get('c')
    const text = given && isKnown(given) ? given.text : undefined
    const [zero, ...args] = options.operands
    if (text === undefined) return call.undecided(`${call.name} -c: its text is only known when it runs`)
    // `find … -exec sh -c '… {}'`: what is found stands in the text, wildcards where a shell has them too.
    if (given?.glob) call.undecided(`${call.name} -c: names of files stand in its text`, 'local')
    const place = copyPlace(call.place)
    if (zero) place.variables.set('0', [zero])
    return call.script(text, { place, args })
  }
  const [file] = options.operands
  if (options.has('version', 'help')) return undefined
  if (file && file.text !== '-' && !options.has('s')) {
    return runScript(call, file, options.operands.slice(1))
  }
  const text = asText(call.stdin)
  if (text === undefined) call.undecided(`${call.name}: runs what is piped into it`)
  else call.script(text, { place: copyPlace(call.place), args: options.operands })
  return undefined
}

const isOption = ({ text }: Value) => /^[-+]/.test(text)

/** A short script is read, so that what it surely writes is known before; it stays undecided, because it is a file. */
export function runScript(call: Call, file: Value | undefined, args: Value[]): undefined {
  const why = `${call.name}: runs ${file?.text ?? 'a file'}`
  const text = file?.text === '/dev/stdin' ? asText(call.stdin) : file && call.scriptAt(file)
  if (!file || text === undefined)
    return call.undecided(why, file && call.isThere(file) === false ? 'local' : undefined)
  call.undecided(why, 'local')
  const isCheck = isRoutine(`./${file.text}`, args) && call.textWrittenTo(file) === undefined
  if (isCheck || /^#!.*\b(?:python|node|ruby|perl|php)/.test(text)) return
  // `. ./env.sh` sets variables of the shell that reads it.
  const isOwn = call.name === '.' || call.name === 'source'
  call.script(text, { place: isOwn ? call.place : copyPlace(call.place), args })
}

function xargs(call: Call): Output {
  const options = readOptions(call.args, {
    values: 'I n P L d a s E max-args max-procs delimiter arg-file',
    attached: 'i',
    stopAtOperand: true,
  })
  const command = options.operands.length > 0 ? options.operands : [known('echo')]
  // The output of `printf 'a\\0b'` still has the escape as it was typed, not the zero byte.
  const between = options.has('0', 'null') ? /\\0|\n/ : /\s+/
  const file = options.get('a', 'arg-file')
  const given = file ? fileContent(call, file) : call.stdin
  const input = given?.flatMap((line) => (line.glob ? [line] : line.text.split(between).filter(Boolean).map(known)))
  const values = input ?? [unknown()]
  const mark = options.get('I')?.text ?? (options.has('i') ? '{}' : undefined)
  if (mark === undefined) return call.run([...command, ...values], { stdin: undefined })
  for (const value of values) call.run(fillMark(command, mark, value), { stdin: undefined })
  return undefined
}

function bindLines(call: Call): Output {
  const name = readOptions(call.args, { values: 'd n O s u C c' }).operands[0]?.text ?? 'MAPFILE'
  call.place.variables.set(name, call.stdin ? linesOf(call.stdin) : [unknown()])
  return []
}

function echoed(args: Value[]): string {
  const words = args.map((arg) => arg.text)
  const plain = words.filter((word, at) => !(at === 0 && /^-[neE]+$/.test(word)))
  const text = plain.join(' ')
  return /^-\w*e/.test(words[0] ?? '') ? text.replaceAll('\\n', '\n') : text
}

function printed(call: Call): Output {
  const [first, second, ...others] = call.args
  if (first?.text === '-v') {
    const said = printed({ ...call, args: others })
    if (second) call.place.variables.set(second.text, said?.length === 1 ? said : [unknown()])
    return []
  }
  const [format, ...values] = call.args[0]?.text === '--' ? call.args.slice(1) : call.args
  const text = literal(format)
  if (text === undefined) return undefined
  if (!text.includes('%')) return [known(escaped(text))]
  if (/^%s(\\n|\\0| )?$/.test(text)) return values
  const slots = text.match(/%[sd%b]/g) ?? []
  if (slots.length !== values.length || /%[^sd%b]/.test(text) || values.some((value) => literal(value) === undefined))
    return undefined
  let at = 0
  return [known(escaped(text).replace(/%[sdb]/g, () => values[at++]!.text))]
}

function escaped(text: string): string {
  return text.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replace(/\n$/, '')
}
