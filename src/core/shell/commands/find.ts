import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { fillMark, glob, known, type Output, type Value } from '../values.ts'

/** Commands that print paths: their result is a glob that later commands in the pipe can be given. */
export const finders: Record<string, Effect> = {
  find,
  gfind: find,
  fd: (call) => {
    const options = readOptions(call.args, {
      values: 'e extension t type d max-depth E exclude x exec X g glob',
    })
    const extension = options.get('e', 'extension')?.text
    const folder = options.operands[1]?.text
    const found = glob(`${folder ? `${folder.replace(/\/$/, '')}/` : ''}**/*${extension ? `.${extension}` : ''}`)
    const args = call.args.flatMap(splitExec)
    const exec = args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(arg.text))
    if (exec >= 0) call.run(withPath(args.slice(exec + 1), found), { stdin: undefined })
    return [found]
  },
  grep: listsMatches,
  egrep: listsMatches,
  rg: listsMatches,
  ag: listsMatches,
}

/** `--exec=rm` as two words. */
function splitExec(arg: Value): Value[] {
  const [, option, command] = /^(--exec(?:-batch)?|-[xX])=?(.+)$/.exec(arg.text) ?? []
  return option && command && !/^-batch/.test(command) ? [known(option), { ...arg, text: command }] : [arg]
}

function listsMatches(call: Call): Output {
  const options = readOptions(call.args, {
    values: 'e regexp f A B C m g glob t type include exclude exclude-dir max-depth j iglob T type-not',
  })
  const listsFiles = options.has('l', 'files-with-matches', 'L', 'files')
  if (!listsFiles) return call.stdin
  const isRecursive = options.has('r', 'R', 'recursive') || call.name.endsWith('rg') || call.name.endsWith('ag')
  const hasPattern = options.has('e', 'regexp', 'f', 'files')
  const paths = options.operands.slice(hasPattern ? 0 : 1)
  const names = options.all('include', 'g', 'glob').filter((name) => !name.text.startsWith('!'))
  if (!isRecursive) return paths.map(({ text }) => glob(text))
  const roots = paths.length > 0 ? paths : [known('.')]
  return roots.flatMap((root) => (names.length > 0 ? names : [known('*')]).map((name) => below(root, name.text, false)))
}

/** The glob of everything under a folder with that name. */
function below(root: Value, name: string, flat: boolean): Value {
  // A single file given as the root is itself the result.
  if (/\.\w+$/.test(root.text) && name === '*') return glob(root.text)
  const folder = root.text.replace(/(?<!\/)\/+$/, '')
  const path = `${flat ? '' : '**/'}${name}`
  return glob(folder === '.' || folder === '' ? path : `${folder}/${path}`)
}

const ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

function find(call: Call): Output {
  const start = call.args.findIndex((arg) => /^[-(!]/.test(arg.text) && !/^-[HLP]$/.test(arg.text))
  const roots = call.args.slice(0, start < 0 ? undefined : start).filter((arg) => !/^-[HLP]$/.test(arg.text))
  const tests = start < 0 ? [] : call.args.slice(start)
  const found = matched(roots.length > 0 ? roots : [known('.')], tests)
  for (let at = 0; at < tests.length; at++) {
    const word = tests[at]!.text
    if (word === '-delete') for (const path of found) call.write(path, 'delete', { maybe: true })
    if (/^-f(print0?|printf|ls)$/.test(word)) call.write(tests[at + 1], 'create')
    if (!ACTIONS.has(word)) continue
    const end = tests.findIndex(
      (test, index) => index > at && (test.text === ';' || (test.text === '+' && tests[index - 1]!.text === '{}')),
    )
    const command = tests.slice(at + 1, end < 0 ? undefined : end)
    for (const path of found) call.run(withPath(command, path), { stdin: undefined })
    at = end < 0 ? tests.length : end
  }
  return found
}

function withPath(command: Value[], path: Value): Value[] {
  const hasMark = command.some((word) => word.text.includes('{}'))
  return hasMark ? fillMark(command, '{}', path) : [...command, path]
}

/** What `find` may reach, from its name and path tests; tests on age or size only narrow it further. */
function matched(roots: Value[], tests: Value[]): Value[] {
  const names: string[] = []
  const paths: string[] = []
  let depth: string | undefined
  for (const [at, { text }] of tests.entries()) {
    const value = tests[at + 1]?.text ?? ''
    const isNegated = /^(-not|!)$/.test(tests[at - 1]?.text ?? '')
    if (ACTIONS.has(text)) break
    if (text === '-maxdepth') depth = value
    if (isNegated) continue
    if (text === '-name' || text === '-iname') names.push(value)
    if (text === '-path' || text === '-wholename' || text === '-ipath') paths.push(value)
    if (text === '-empty' && names.length === 0) names.push('*')
  }
  // `find a b c -delete` on plain files, and `-maxdepth 0`, name the paths themselves.
  if (depth === '0') return roots
  return roots.flatMap((root) => {
    const wanted = names.length > 0 ? names : ['*']
    if (paths.length > 0 && names.length === 0)
      return paths.map((path) => glob(path.replace(/^\*\//, '**/').replace(/\*$/, '**')))
    return wanted.map((name) => below(root, name, depth === '1'))
  })
}
