import { readOptions } from '../shell/options.ts'
import type { SimpleCommand } from '../shell/simple-command.ts'
import { baseName, UNKNOWN, type Value } from '../shell/values.ts'

/**
 * Programs that start another one which the reader of commands does not follow, for it writes no file of its own here:
 * a script with its interpreter, what a container or another machine runs.
 */

/** What a program starts in its own place: `python manage.py flush`, `php artisan …`, `yarn prisma …`. */
export function startedHere({ name, args, ...rest }: SimpleCommand): SimpleCommand | undefined {
  const program = baseName(name)
  const [first, ...others] = PYTHON.test(program)
    ? pythonScript(args)
    : Object.hasOwn(INTERPRETERS, program)
      ? scriptIn(args, INTERPRETERS[program]!)
      : Object.hasOwn(RUNNERS, program)
        ? behind(args, RUNNERS[program]!)
        : []
  return first && { ...rest, name: first.text, args: others }
}

const PYTHON = /^python[\d.]*$/

/** `-m module` is started like a script. */
function pythonScript(args: Value[]): Value[] {
  const at = args.findIndex(({ text }) => !text.startsWith('-') || /^-\w*[cm]$/.test(text))
  const isModule = /^-\w*m$/.test(args[at]?.text ?? '')
  if (isModule) return args.slice(at + 1)
  return args[at]?.text.startsWith('-') ? [] : args.slice(at)
}

interface Interpreter {
  values: string
  /** With these it is given code instead of a script. */
  code: string[]
}

const INTERPRETERS: Record<string, Interpreter> = {
  php: { values: 'd c', code: ['r', 'a', 'i'] },
  ruby: { values: 'I r C', code: ['e'] },
  perl: { values: 'I M', code: ['e', 'E', 'n', 'p'] },
  node: { values: 'r require import loader env-file', code: ['e', 'p', 'eval', 'print'] },
  tsx: { values: 'tsconfig', code: ['e', 'eval'] },
}

function scriptIn(args: Value[], { values, code }: Interpreter): Value[] {
  const { has, operands } = readOptions(args, { values, stopAtOperand: true })
  return has(...code) || operands[0]?.text === '-' ? [] : operands
}

interface Runner {
  /** Its own options that take a value, and those of its verb. */
  values?: string
  verb?: RegExp
  /** It takes an installed program or a script of the project also without the verb. */
  byName?: true
}

const RUNNERS: Record<string, Runner> = {
  npm: { values: 'prefix C w workspace', verb: /^(?:exec|x)$/ },
  pnpm: { values: 'C dir F filter', verb: /^(?:exec|dlx|run)$/, byName: true },
  yarn: { values: 'cwd', verb: /^(?:exec|dlx|run)$/, byName: true },
  bun: { values: 'cwd', verb: /^(?:x|run)$/, byName: true },
  npx: { values: 'p package' },
  bunx: {},
  pnpx: {},
  uvx: { values: 'from with p python' },
  pipx: { verb: /^run$/ },
  bundle: { verb: /^exec$/ },
  poetry: { values: 'C directory P project', verb: /^run$/ },
  uv: { values: 'directory project with p python env-file', verb: /^run$/ },
  pipenv: { verb: /^run$/ },
  pdm: { values: 'p project', verb: /^run$/ },
  rye: { verb: /^run$/ },
  hatch: { values: 'e env', verb: /^run$/ },
}

/** Whether what it starts may be a verb of its own as well: `yarn remove`, `yarn db:reset`, `yarn prisma`. */
export function startsByName(program: string): boolean {
  return Object.hasOwn(RUNNERS, program) && RUNNERS[program]!.byName === true
}

function behind(args: Value[], { values = '', verb, byName }: Runner): Value[] {
  const { operands } = readOptions(args, { values, stopAtOperand: true })
  if (!verb) return operands
  const [first, ...rest] = operands
  if (first && verb.test(first.text)) return readOptions(rest, { values, stopAtOperand: true }).operands
  return byName ? operands : []
}

/**
 * What a program has run by a shell of its own or elsewhere, as a line for a shell: `ssh host '…'`, `docker exec db …`, and a
 * script that the reader of commands does not follow, for it knows only a part of it.
 */
export function startedElsewhere({ name, args, input }: SimpleCommand): Started | undefined {
  const program = baseName(name)
  const given = lineGiven(program, args) ?? wordsGiven(program, args)
  if (given !== undefined) return { line: given.replaceAll(UNKNOWN, '$UNKNOWN'), ...(input && { input }) }
  const isScript = program === 'ssh' || (SHELL.test(program) && input?.includes(UNKNOWN))
  return isScript && input !== undefined ? { line: input.replaceAll(UNKNOWN, '$UNKNOWN') } : undefined
}

interface Started {
  /** What only the running shell knows is a variable in it that is not set. */
  line: string
  /** What is left to read for the program that is started. */
  input?: string
}

const SHELL = /^(?:ba|da|z|k)?sh$/

/** A whole line as one argument, or as several that are put together. */
function lineGiven(program: string, args: Value[]): string | undefined {
  if (program === 'ssh') return textOf(readOptions(args, { values: SSH, stopAtOperand: true }).operands.slice(1))
  if (program === 'eval') return unlessFollowed(textOf(args))
  if (SHELL.test(program) || program === 'su') return unlessFollowed(given(args, 'c command'))
  return Object.hasOwn(LINE_IN, program) ? given(args, LINE_IN[program]!) : undefined
}

/** The reader of commands follows a script that is known as a whole. */
function unlessFollowed(line: string | undefined): string | undefined {
  return line?.includes(UNKNOWN) ? line : undefined
}

function given(args: Value[], options: string): string | undefined {
  return readOptions(args, { values: options }).get(...options.split(' '))?.text
}

/** The options in which they are given a line. */
const LINE_IN: Record<string, string> = {
  vagrant: 'c command',
  fly: 'C command',
  flyctl: 'C command',
  gcloud: 'command',
  'nix-shell': 'run command',
}

function textOf(args: Value[]): string | undefined {
  return args.length > 0 ? args.map(({ text }) => text).join(' ') : undefined
}

function wordsGiven(program: string, args: Value[]): string | undefined {
  const words = CONTAINERS.test(program) ? inContainer(program, args) : givenTo(program, args)
  return words.length > 0 ? words.map(quoted).join(' ') : undefined
}

const SSH = 'B b c D E e F I i J L l m O o p Q R S W w'
const CONTAINERS = /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/
const OWN = 'H host c context config l log-level f file p project-name profile env-file project-directory'
const OF_RUN =
  'e env env-file v volume p publish u user w workdir name network entrypoint platform m memory h hostname mount l label index detach-keys'

/** `docker [compose] exec|run [options] <container> <command>`. */
function inContainer(program: string, args: Value[]): Value[] {
  const own = readOptions(args, { values: OWN, stopAtOperand: true }).operands
  const isCompose = own[0]?.text === 'compose' && !program.endsWith('compose')
  const [verb, ...rest] = isCompose
    ? readOptions(own.slice(1), { values: OWN, stopAtOperand: true }).operands
    : own[0]?.text === 'container'
      ? own.slice(1)
      : own
  if (!verb || !/^(?:exec|run)$/.test(verb.text)) return []
  return readOptions(rest, { values: OF_RUN, stopAtOperand: true }).operands.slice(1)
}

/** With these verbs they run what stands behind two dashes. */
const GIVEN_WORDS: Record<string, RegExp> = {
  kubectl: /^(?:exec|run|debug)$/,
  oc: /^(?:exec|run|debug)$/,
  mise: /^(?:exec|x)$/,
  'aws-vault': /^exec$/,
  doppler: /^run$/,
  op: /^run$/,
  heroku: /^run$/,
}

function givenTo(program: string, args: Value[]): Value[] {
  const verbs = Object.hasOwn(GIVEN_WORDS, program) ? GIVEN_WORDS[program]! : undefined
  if (!verbs) return []
  const dashes = args.findIndex(({ text }) => text === '--')
  const before = dashes < 0 ? args : args.slice(0, dashes)
  if (!before.some(({ text }) => verbs.test(text))) return []
  if (dashes >= 0) return args.slice(dashes + 1)
  const isLine = program === 'heroku' && args[0]?.text === 'run'
  return isLine ? readOptions(args.slice(1), { values: 'a app r remote s size', stopAtOperand: true }).operands : []
}

/** A word for a shell, which takes it as it is. */
function quoted({ text }: Value): string {
  return `'${text.replaceAll("'", `'\\''`).replaceAll(UNKNOWN, `'"${UNKNOWN}"'`)}'`
}
