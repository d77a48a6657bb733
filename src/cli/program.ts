import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { maskPassword } from '#config/mask-password.ts'
import { nearest } from '#config/nearest-name.ts'
import { tilde } from '#config/paths.ts'
import { ConfigError } from '#config/problem.ts'
import { Trouble } from '#config/trouble.ts'
import { version } from '#config/version.ts'
import { type CommandEntry, commands } from './commands.ts'
import { type Cli, thisProcess } from './context.ts'
import {
  type Example,
  examplesText,
  explainInner,
  FIRST_SCREEN,
  groupOf,
  helpAfterError,
  inGroups,
  OTHERS,
  seeHelp,
  termOf,
} from './help.ts'
import { note, print } from './print.ts'

const OK = 0
const FAILURE = 1
const USAGE = 2

/** Runs one command line and resolves to its exit code. */
export async function run(typed: string[]): Promise<number> {
  exitOnClosedPipe()
  const cli = thisProcess()
  try {
    if (typed.length === 0) {
      print(FIRST_SCREEN)
      return OK
    }
    const argv = asOption(typed)
    const wanted = argv[0] === 'help' ? argv[1] : argv[0]
    const program = await buildProgram(cli, wanted, argv)
    // Commander would print the parent's help for a command that does not exist.
    await program.parseAsync(isMistyped(wanted) ? [wanted] : argv, { from: 'user' })
    return Number(process.exitCode ?? OK)
  } catch (error) {
    return report(error, cli)
  }
}

/** `grove help feature new`: Commander's own `help` looks no further than the first word. */
function asOption(typed: string[]): string[] {
  return typed[0] === 'help' && typed.length > 2 ? [...typed.slice(1), '--help'] : typed
}

function isMistyped(word: string | undefined): word is string {
  return word !== undefined && !word.startsWith('-') && ![...commands.map(({ name }) => name), 'help'].includes(word)
}

/** `grove intent shw`: where no argument is taken, a word that is no command was meant to be one. */
function misread(program: Command, [group, word]: string[]): string | undefined {
  const inside = program.commands.find((command) => command.name() === group)?.commands ?? []
  const names = inside.map((command) => command.name())
  const takesWords = inside.some(({ registeredArguments }, at) => at === 0 && registeredArguments.length > 0)
  if (!word || names.length === 0 || takesWords || word.startsWith('-') || [...names, 'help'].includes(word))
    return undefined
  const meant = nearest(word, names)
  const hint = meant ? `(Did you mean ${meant}?)` : `(Available: ${names.join(', ')}.)`
  return `error: unknown command '${group} ${word}'\n${hint}\n`
}

/** Names that other programs use for the same command. */
const ELSEWHERE: Record<string, string> = {
  ...{ install: 'init', setup: 'init', attach: 'init' },
  ...{ uninstall: 'unregister', remove: 'unregister', detach: 'unregister' },
  ...{ start: 'up', run: 'up', serve: 'up', daemon: 'up', ui: 'open', dashboard: 'open' },
  ...{ agents: 'proxy-status', sessions: 'proxy-status', config: 'doctor --settings', settings: 'doctor --settings' },
  ...{ memory: 'memories', history: 'memories', intents: 'intent', features: 'feature', version: '--version' },
}

/** Commander's message, with Grove's own hint where there is one. */
function plainer(text: string, argv: string[]): string {
  const [head, word = ''] = /^error: unknown command '([^']+)'\n/.exec(text) ?? []
  const elsewhere = text === head ? nearest(word, Object.keys(ELSEWHERE)) : word
  if (elsewhere && Object.hasOwn(ELSEWHERE, elsewhere)) return `${head}(Did you mean grove ${ELSEWHERE[elsewhere]}?)\n`
  const at = argv.findIndex((one) => !one.startsWith('-'))
  if (at > 0 && /^error: unknown option/.test(text))
    return `${text}(Options go after the command: grove ${[argv[at], ...argv.slice(0, at)].join(' ')})\n`
  return text.replace(/command-argument value '(.*)' is invalid for argument '(\S+)'\./, "'$1' is not a valid <$2>.")
}

/** The program with all commands known by name, and one, or all, of them loaded. */
export async function buildProgram(cli: Cli, wanted: string | undefined, argv: string[] = []): Promise<Command> {
  const program: Command = new Command('grove')
    .configureOutput({
      outputError: (text, write) => write(misread(program, argv) ?? plainer(text, argv)),
      // The usage that follows would be that of the command which took the mistyped word for its own.
      writeErr: (text) =>
        note(text.startsWith('Usage: ') && misread(program, argv) ? seeHelp(`grove ${argv[0]}`) : text.trimEnd()),
    })
    .description('Supervises Claude Code for a team: keeps the agent on goal, in scope and learning.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ subcommandTerm: termOf })
    .commandsGroup(OTHERS)
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError('Run `grove --help` for usage.')
    .addHelpText(
      'after',
      () =>
        `${examplesText(START)}

\`grove doctor --settings --verbose\` describes every setting.${documentation()}`,
    )
    .exitOverride()
  for (const entry of inGroups(commands)) await addCommand(program, entry, cli, wanted === entry.name || wanted === ALL)
  return program
}

/** Where the guides lie: they come with the program, in the package as in a clone. */
function documentation(): string {
  const page = join(dirname(realpathSync(process.argv[1]!)), '..', 'docs', 'README.md')
  return existsSync(page) ? `\nDocumentation: ${tilde(page)}` : ''
}

/** Loads every command, where all options must be known. */
export const ALL = '*'

const START: Example[] = [
  ['grove init', 'attach Grove to Claude Code; `grove unregister` undoes it'],
  ['grove import git', 'build memories from your git history'],
  ['grove claude', "start Claude Code through Grove's proxy"],
]

async function addCommand(
  program: Command,
  { name, summary, examples, load }: CommandEntry,
  cli: Cli,
  loaded: boolean,
) {
  const command = program.command(name).summary(summary).description(`${summary}.`).commandsGroup('Commands:')
  command.helpOption('-h, --help', 'show this help')
  command.helpGroup(groupOf(name)).addHelpText('after', () => examplesText(examples))
  if (!loaded) return
  ;(await load()).define(command, cli)
  if (command.commands.length > 0) command.helpCommand('help [command]', 'show help for a command')
  command.showHelpAfterError(helpAfterError(command, `grove ${name}`))
  explainInner(command, `grove ${name}`, examples)
}

function report(error: unknown, { env }: Cli): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE
  if (error instanceof Trouble) {
    note(`error: ${error.message}\n\n${error.wayOut}`)
    return error instanceof ConfigError ? USAGE : FAILURE
  }
  // The store speaks for itself: its errors say what is wrong and what to do.
  if (error instanceof Error && 'suggestion' in error) {
    note(`error: ${error.message}`)
    return FAILURE
  }
  const barred = noAccess(error)
  if (barred) {
    note(`error: ${barred}`)
    return FAILURE
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  note(maskPassword(`error: ${env.DEBUG ? stack : message}`))
  note(
    `\nThis looks like a bug in Grove. \`grove doctor\` may show the cause${env.DEBUG ? '' : ', and DEBUG=1 shows where it happened'}.`,
  )
  return FAILURE
}

const BARRED: Record<string, string> = {
  EACCES: 'permission denied.\n\nFix its access rights and try again.',
  EPERM: 'permission denied.\n\nFix its access rights and try again.',
  ENOTDIR: 'there is a file where a folder should be.\n\nMove that file away and try again.',
  EEXIST: 'there is a file where a folder should be.\n\nMove that file away and try again.',
  EISDIR: 'there is a folder where a file should be.\n\nMove that folder away and try again.',
  EROFS: 'the disk is read-only.\n\nMake it writable and try again.',
  ENOSPC: 'the disk is full.\n\nFree some space and try again.',
  EDQUOT: 'your disk quota is used up.\n\nFree some space and try again.',
  EFBIG: 'files may not become that large here.\n\nRaise the limit (`ulimit -f`) and try again.',
  EIO: 'the disk failed.\n\nCheck the disk, or choose a folder on another one.',
  ELOOP: 'it is a link that leads back to itself.\n\nRemove it and try again.',
}
/** What a write can end in. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'])

/** A file that the system keeps from us is nothing that went wrong inside Grove. */
function noAccess(error: unknown): string | undefined {
  const { code = '', path, dest } = error instanceof Error ? (error as NodeJS.ErrnoException & { dest?: string }) : {}
  const reason = BARRED[code]
  // A write that failed half way names no file.
  if (!path) return NO_ROOM.has(code) ? `Grove cannot write: ${reason}` : undefined
  // A copy names where it came from first.
  if (dest && NO_ROOM.has(code)) return `Grove cannot write ${tilde(dest)}: ${reason}`
  return reason && `Grove cannot use ${tilde(path)}: ${reason}`
}

/** Ends quietly when the pipe is closed (`grove status | head`); any other failure to write is reported. */
function exitOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(OK)
    note(`error: the output cannot be written: ${error.message}`)
    process.exit(FAILURE)
  })
}
