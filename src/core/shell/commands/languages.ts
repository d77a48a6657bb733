import type { Call, Effect } from '../call.ts'
import { asText } from '../expand.ts'
import { readOptions } from '../options.ts'
import { literal, type Value } from '../values.ts'
import { namedOutputs } from './unknown-program.ts'
import { heedUnread } from './unread-code.ts'

/** How an interpreter is given its code. */
interface Language {
  /** Options whose value is code. */
  code: string
  /** Other options that take a value. */
  values?: string
  /** Options with which it runs nothing. */
  quiet?: string
  /** Long names with one dash: `-eval`. */
  singleDash?: true
}

const LANGUAGES: Record<string, Language> = {
  lua: { code: 'e', values: 'l', quiet: 'v' },
  luajit: { code: 'e', values: 'l b', quiet: 'v' },
  tclsh: { code: '', quiet: '' },
  wish: { code: '' },
  expect: { code: 'c', values: 'f' },
  Rscript: { code: 'e', quiet: 'version help' },
  R: { code: 'e', values: 'f file', quiet: 'version help' },
  julia: { code: 'e eval E print', values: 'L load J project t', quiet: 'v version h help' },
  octave: { code: 'eval', quiet: 'version help' },
  jshell: { code: '', values: 'class-path', quiet: 'version help' },
  groovy: { code: 'e', values: 'cp classpath', quiet: 'v version h help' },
  scala: { code: 'e', values: 'cp classpath', quiet: 'version help' },
  kotlin: { code: 'e', values: 'cp classpath', quiet: 'version help' },
  elixir: { code: 'e eval', values: 'r S pa', quiet: 'v version h help' },
  erl: { code: 'eval', values: 'pa s sname', singleDash: true, quiet: 'version' },
  escript: { code: '' },
  guile: { code: 'c', values: 'L l', quiet: 'v version h help' },
  racket: { code: 'e eval', values: 'l t', quiet: 'v version h help' },
  sbcl: { code: 'eval', values: 'load script', quiet: 'version help' },
  clojure: { code: 'e eval', quiet: 'version help' },
  clj: { code: 'e eval', quiet: 'version help' },
  bb: { code: 'e', values: 'f cp', quiet: 'version help' },
  ocaml: { code: 'e', values: 'I', singleDash: true, quiet: 'version' },
  runghc: { code: 'e' },
  ghc: { code: 'e', quiet: 'version' },
  swipl: { code: 'g t', quiet: 'version help' },
  raku: { code: 'e', values: 'I M', quiet: 'v version' },
  osascript: { code: 'e', values: 'l' },
  pwsh: { code: 'Command c', values: 'File f', singleDash: true, quiet: 'Version' },
  powershell: { code: 'Command c', values: 'File f', singleDash: true },
  nu: { code: 'c commands', quiet: 'v version' },
  fish: { code: 'c command', quiet: 'v version n no-execute' },
  janet: { code: 'e', quiet: 'v' },
  emacs: { code: 'eval', values: 'l load f funcall', quiet: 'version' },
  gdb: { code: 'ex eval-command', values: 'x command p', quiet: 'v version' },
  lldb: { code: 'o one-line', values: 's', quiet: 'v version' },
  gnuplot: { code: 'e', quiet: 'V version' },
  m4: { code: '', values: 'D I' },
  dc: { code: 'e expression' },
  duckdb: { code: 'c s', values: 'cmd init', singleDash: true, quiet: 'version' },
}

/** Interpreters whose languages are not followed: what their code names is looked at, whatever it does with it. */
export const languages: Record<string, Effect> = Object.fromEntries(
  Object.entries(LANGUAGES).map(([name, language]) => [name, (call: Call) => interpret(call, language)]),
)

function interpret(call: Call, { code, values = '', quiet = '', singleDash }: Language): undefined {
  const options = readOptions(call.args, {
    values: `${code} ${values}`,
    ...(singleDash && { singleDash }),
  })
  namedOutputs(call)
  if (quiet !== '' && options.has(...quiet.split(' '))) return
  const why = `${call.name}: the code may write more than can be read from it`
  const given = code === '' ? [] : options.all(...code.split(' '))
  for (const each of given) heed(call, literal(each), options.operands, why)
  if (given.length > 0) return
  const [file, ...args] = [...options.all(...values.split(' ').filter((name) => LOADS.has(name))), ...options.operands]
  if (file && !/^(?:-|\/dev\/stdin)$/.test(file.text)) {
    const text = call.scriptAt(file)
    if (text === undefined)
      call.undecided(`${call.name}: runs ${file.text}`, call.isThere(file) === false ? 'local' : undefined)
    else heed(call, text, args, why)
  } else heed(call, asText(call.stdin), args, why)
}

const LOADS = new Set(['f', 'file', 'File', 'l', 'load', 'x', 'command', 's', 'script', 'L'])

function heed(call: Call, code: string | undefined, operands: readonly Value[], why: string): undefined {
  if (code === undefined) return call.undecided(`${call.name}: its code is only known when it runs`)
  return heedUnread(call, code, { operands, why })
}
