import type { Command } from 'commander'

/** What `--help` shows besides Commander's own text: groups, and example lines. */

export type Example = [line: string, does: string]

/** Commands by what people want of them, in the order of a first week. */
const GROUPS: { heading: string; names: string[] }[] = [
  { heading: 'Get started:', names: ['demo', 'init', 'claude', 'open', 'doctor'] },
  { heading: 'See what is going on:', names: ['inbox', 'status', 'proxy-status', 'insights', 'logs'] },
  { heading: 'Memory:', names: ['search', 'memories', 'import', 'export', 'team'] },
  { heading: 'Learnings:', names: ['learnings', 'maintain'] },
  { heading: 'Keep agents in scope:', names: ['intent', 'trace'] },
  { heading: 'Drive a feature:', names: ['feature'] },
  { heading: 'Run Grove:', names: ['up', 'stop', 'restart', 'pause', 'resume', 'service'] },
  { heading: 'Uninstall:', names: ['unregister'] },
]
export const OTHERS = 'For agents and scripts:'

/** The heading under which a command is listed. */
export function groupOf(name: string): string {
  return GROUPS.find(({ names }) => names.includes(name))?.heading ?? OTHERS
}

/** Commands in the order of their groups. */
export function inGroups<T extends { name: string }>(commands: T[]): T[] {
  const order = GROUPS.flatMap(({ names }) => names)
  const placeOf = ({ name }: T) => (order.includes(name) ? order.indexOf(name) : order.length)
  return commands.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** What `grove` prints without a command: everything that a first day needs. */
export const FIRST_SCREEN = `Grove supervises Claude Code: it keeps the agent on goal, in scope and learning.

  grove demo            see it in action for two minutes; no API key needed
  grove init --import   attach it to Claude Code and import your git history
  grove claude          start Claude Code through Grove's proxy
  grove open            see what is going on and answer open questions
  grove doctor          find problems and how to fix them
  grove unregister      detach it again

\`grove --help\` lists every command.`

const LONGEST_TERM = 24

/** A command in a list: with its arguments where there is room beside its summary. */
export function termOf(command: Command): string {
  const words = command.registeredArguments.map(argumentTerm)
  const term = [command.name(), ...words].join(' ')
  return term.length > LONGEST_TERM ? command.name() : term
}

function argumentTerm(argument: Command['registeredArguments'][number]): string {
  const shown = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${shown}>` : `[${shown}]`
}

const WIDTH = 80

/** Example lines, each with its explanation beside it where that fits, else below. */
export function examplesText(examples: Example[]): string {
  const width = Math.max(...examples.map(([line]) => line.length))
  const isWide = examples.some(([, does]) => width + does.length + 4 > WIDTH)
  const lines = examples.flatMap(([line, does]) =>
    isWide ? [`  ${line.replaceAll('\n', '\n    ')}`, `      ${does}`] : [`  ${line.padEnd(width)}  ${does}`],
  )
  return ['', 'Examples:', ...lines].join('\n')
}

/** Gives every command inside another what its parent has: a description, and the examples that begin with its name. */
export function explainInner(command: Command, path: string, examples: Example[]): void {
  for (const inner of command.commands) {
    const name = `${path} ${inner.name()}`
    const own = examples.filter(([line]) => line === name || line.startsWith(`${name} `))
    const shown = [...own, ...(INNER[name] ?? [])]
    if (!inner.description()) inner.description(asSentence(inner.summary()))
    inner.helpOption('-h, --help', 'show this help').showHelpAfterError(helpAfterError(inner, name))
    if (shown.length > 0) inner.addHelpText('after', () => examplesText(shown))
  }
}

/** What is said after a line that was mistyped. */
export function helpAfterError(command: Command, path: string): string {
  return `Usage: ${path} ${command.usage()}\n${seeHelp(path)}`
}

export function seeHelp(path: string): string {
  return `Run \`${path} --help\` for usage.`
}

function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

/** Examples of inner commands that would crowd the help of the command around them. */
const INNER: Record<string, Example[]> = {
  'grove feature list': [['grove feature list --json', 'for scripts']],
  'grove feature show': [['grove feature show add-login', 'its plan, questions and checks']],
  'grove feature choose': [['grove feature choose add-login continue', '`grove feature show` lists the choices']],
  'grove feature pause': [['grove feature pause add-login', 'its changes are kept']],
  'grove feature resume': [['grove feature resume add-login', 'from where it was paused']],
  'grove feature cancel': [['grove feature cancel add-login', 'without waiting for the current turn']],
  'grove feature rollback': [['grove feature rollback add-login', 'go back to where the branch started']],
  'grove feature repair': [['grove feature repair add-login', 'after a crash has damaged its files']],
  'grove feature comment': [['grove feature comment add-login "Keep sessions in a file" --step 2', 'about one step']],
  'grove feature ask-review': [['grove feature ask-review add-login ada', 'it waits in their inbox']],
  'grove feature plan': [
    ['grove feature plan add-login', 'the newest version'],
    ['grove feature plan add-login 2 --changes', 'what its second version changed'],
  ],
  'grove feature reviews': [['grove feature reviews add-login', 'findings, and what teammates say']],
  'grove feature review': [
    ['grove feature review add-login fine', 'the plan is fine'],
    ['grove feature review add-login changes "Keep sessions in a file" --step 2', 'about one step'],
  ],
  'grove feature send-review': [['grove feature send-review add-login ada', 'Claude writes the next version']],
  'grove feature evidence': [['grove feature evidence add-login', 'checks, with the output of those that failed']],
  'grove feature todos': [['grove feature todos add-login', 'each with its options']],
  'grove feature decide': [
    ['grove feature decide add-login todo_4be1 "Rotate on every use"', 'it goes into the plan'],
    ['grove feature decide add-login todo_4be1 --dismiss', 'not worth a decision'],
  ],
  'grove feature events': [['grove feature events add-login --lines 20', 'the newest twenty']],
  'grove feature existing-todos': [['grove feature existing-todos', 'of the project in this folder']],
  'grove feature branches': [['grove feature branches', 'each with the line that removes it']],
  'grove feature message': [['grove feature message add-login "Keep it small"', 'read in the middle of its work']],
  'grove feature restore': [['grove feature restore add-login que_4be1', 'it is asked after all']],
  'grove feature interrupt': [['grove feature interrupt add-login', 'to say something before it continues']],
  'grove feature archive': [['grove feature archive add-login', 'out of the list']],
  'grove feature unarchive': [['grove feature unarchive add-login', 'back in the list']],
  'grove feature delete': [['grove feature delete add-login', 'its branch and files stay']],
  'grove feature undelete': [['grove feature undelete add-login', 'back in the list']],
  'grove feature output': [['grove feature output add-login --view raw', 'every line of it']],
  'grove feature changes': [['grove feature changes add-login --step 2', 'what came after a step']],
  'grove feature open': [['grove feature open add-login', 'its page in your browser']],
  'grove import file': [
    ['grove import memories.jsonl', 'the short form'],
    ['grove import file git', 'a file with the name of a command'],
  ],
  'grove intent list': [['grove intent list --json', 'for scripts']],
  'grove intent show': [['grove intent show INT-001', 'scope, limits, criteria and history']],
  'grove intent scope': [['grove intent scope INT-001', 'what may be changed for one intent']],
  'grove intent select': [['grove intent select INT-001 --session 0f3a9c21', 'for one agent session']],
  'grove intent done': [['grove intent done INT-001', 'once its criteria are met']],
  'grove learnings show': [['grove learnings show lrn_4be1', 'one in full']],
  'grove learnings supersede': [['grove learnings supersede lrn_4be1 lrn_77c0', 'the second one holds']],
  'grove learnings restore': [['grove learnings restore lrn_4be1', 'show it to agents again']],
  'grove memories list': [['grove memories list --json', 'for scripts']],
  'grove trace stats': [['grove trace stats main..HEAD', 'lines by agents and by people on this branch']],
  'grove team people': [['grove team people --json', 'for scripts']],
  'grove team name': [['grove team name ada', 'what you say carries it']],
  'grove team invite': [['grove team invite', 'send the link to one teammate']],
  'grove team remove': [['grove team remove ada', 'their browser is not let in any more']],
  'grove team unshare': [['grove team unshare', 'the project in this folder']],
  'grove team sync': [['grove team sync', 'after being offline, without waiting']],
  'grove team grant': [['grove team grant ada --read-only', 'ada may read this project']],
  'grove team revoke': [['grove team revoke ada', 'ada no longer has access']],
  'grove team members': [['grove team members --json', 'for scripts']],
}
