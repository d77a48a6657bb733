import type { Descent } from '#core/ports/peers.ts'
import type { ProcessFacts, ProcessTable } from '../process/table.ts'

/**
 * Whether a process was started by an agent: by its parents, since an agent's shell is a child of its Claude Code; or,
 * where a parent has ended, by the variables that Claude Code gives its children. A process that has shed both looks
 * like a system process: no terminal, adopted by init. While an older agent runs, such a process is `unclear`, and the
 * person's consent must come another way.
 */
export function descentOf(pid: number, table: ProcessTable, environment: EnvironmentOf): Descent {
  const line = lineOf(pid, table)
  for (const one of line) {
    if (isClient(one) || isRunByGrove(one, table)) return { of: 'agent', how: `process ${one.pid} is Claude Code` }
    if (hasOurTools(one, table)) return { of: 'agent', how: `process ${one.pid} has started Grove's tools` }
    const marker = environment(one.pid)?.find((entry) => MARKERS.test(entry))
    if (marker) return { of: 'agent', how: `process ${one.pid} was started with ${marker.split('=')[0]}` }
  }
  const eldest = line.findLast((one) => !isAdopter(one))
  // Without any parent it was put into this container from outside.
  if (!eldest || eldest.parent === 0 || hangsOnTerminal(line, table)) return { of: 'person' }
  const agent = [...table.values()].find(
    (one) => isClient(one) && one.uid === eldest.uid && one.bornAt <= eldest.bornAt,
  )
  if (!agent) return { of: 'person' }
  return {
    of: 'unclear',
    isBrowser: isBrowser(line[0]!),
    how: `process ${eldest.pid} is not attached to a person's terminal, and was started after the agent of process ${agent.pid}`,
  }
}

/** The variables that a process was started with, where the system shows them. */
type EnvironmentOf = (pid: number) => string[] | undefined

/** What Claude Code tells the programs that it starts. */
const MARKERS = /^(?:CLAUDECODE|CLAUDE_CODE_SESSION_ID|CLAUDE_CODE_CHILD_SESSION|CLAUDE_PID)=./

/** A process and those it comes from, nearest first, up to the one that all come from. */
function lineOf(pid: number, table: ProcessTable): ProcessFacts[] {
  const line: ProcessFacts[] = []
  for (let one = table.get(pid); one && !line.includes(one); one = table.get(one.parent)) line.push(one)
  return line
}

const CLIENT =
  /(?:^|[\\/])claude(?:\.exe|\.js|\.cjs|\.mjs)?$|[\\/]claude[\\/]versions[\\/][^\\/]+$|[\\/]@anthropic-ai[\\/]claude-code[\\/]/
const RUNTIME = /(?:^|[\\/])(?:node|bun|deno)(?:\.exe)?$/

/** Whether a process is Claude Code: its own program, or a runtime that runs it. */
export function isClient({ program = '', args: [name = '', first = ''] }: ProcessFacts): boolean {
  if (CLIENT.test(program) || CLIENT.test(name)) return true
  return (RUNTIME.test(program) || RUNTIME.test(name)) && CLIENT.test(first)
}

const BROWSER =
  /(?:^|[\\/])(?:chrome|chromium|google-chrome|brave|vivaldi|opera|msedge|microsoft-edge|firefox|librewolf|waterfox|zen|safari|com\.apple\.WebKit|WebKitNetworkProcess|epiphany|falkon|konqueror|QtWebEngineProcess|Arc|Orion)[\w.-]*$/i

/** Whether a process is a browser that a person uses, not one that a program drives. */
function isBrowser({ program, args }: ProcessFacts): boolean {
  const isLed = args.some((arg) => /^--(?:headless|remote-debugging-|marionette)|^-(?:headless|marionette)/.test(arg))
  return BROWSER.test(program ?? args[0] ?? '') && !isLed
}

/** Whether a child of it is Grove's MCP server: only Claude Code starts one, whatever its own process name. */
function hasOurTools({ pid }: ProcessFacts, table: ProcessTable): boolean {
  return [...table.values()].some((one) => one.parent === pid && groveCommand(one) === 'mcp')
}

/** Whether `grove claude` or the daemon has started it. */
function isRunByGrove({ parent }: ProcessFacts, table: ProcessTable): boolean {
  const starter = table.get(parent)
  return starter !== undefined && ['claude', 'up', 'web'].includes(groveCommand(starter) ?? '')
}

/** `node …/grove.js up` or, by the title that a daemon gives itself, `grove up`. */
function groveCommand({ args }: ProcessFacts): string | undefined {
  return /(?:^|[\\/ ])grove(?:\.js)? (\w+)/.exec(args.slice(0, 4).join(' '))?.[1]
}

/**
 * Programs that one line makes open a terminal for another program. Editors among them count only where they have no terminal
 * themselves: what runs in a vim that runs in a terminal hangs on that one.
 */
const PRETENDED =
  /(?:^|[\\/])(?:script|scriptreplay|expect|unbuffer|empty|socat|perl|ruby|python|node|nodejs|bun|deno|php|lua|luajit|tclsh|guile|sbcl|emacs|vim|nvim)[\d.]*$/
/** Editors and notebooks that give people a terminal and run in an interpreter themselves. */
const FOR_PEOPLE =
  /vscode|code-server|cursor|windsurf|openvscode|theia|jupyter|terminado|positron|ttyd|wetty|hyper|tabby|kitty|terminator|guake|tilix/i
const MULTIPLEXERS = /(?:^|[\\/])(?:tmux|screen|zellij|dtach|abduco|shpool)[\d.]*$/

/**
 * Whether it was started in a terminal, and not in one that a program has made for it. What an adopter is the parent of has
 * shed the program that made its terminal, unless it is a login, or the terminal is the adopter's own (a container).
 */
function hangsOnTerminal(line: ProcessFacts[], table: ProcessTable, through: ProcessFacts[] = []): boolean {
  const below = line.findIndex(isAdopter)
  const own = below < 0 ? line : line.slice(0, below)
  const top = own.findLastIndex(({ hasTerminal }) => hasTerminal)
  const [eldest, maker] = [own[top], line[top + 1]]
  if (!eldest) return false
  // Where other users' processes are hidden, the number of the first process is still seen.
  if (!maker) return eldest.parent !== 1
  if (isAdopter(maker)) return maker.hasTerminal || isLogin(eldest) || isRelay(maker)
  const name = maker.program ?? maker.args[0] ?? ''
  if (PRETENDED.test(name)) return [name, scriptOf(maker)].some((path) => FOR_PEOPLE.test(path))
  return !MULTIPLEXERS.test(name) || isAttended(maker, table, [...through, maker])
}

/** What the system itself starts on a console. */
function isLogin({ uid, program, args }: ProcessFacts): boolean {
  return uid === 0 && /(?:^|[\\/])(?:login|[am]?getty|mingetty)$/.test(program ?? args[0] ?? '')
}

/** What stands between a terminal of Windows and a shell of its Linux (WSL): named as the first process is. */
function isRelay({ pid, args }: ProcessFacts): boolean {
  return pid > 1 && args[0] === '/init'
}

/** The script that an interpreter runs; code that it is handed names whatever it likes. */
function scriptOf({ args }: ProcessFacts): string {
  const [first = '', second = ''] = args.slice(1).filter((arg) => !/^--\w[\w-]*(?:=.*)?$/.test(arg))
  return first === '-m' ? second : first.startsWith('-') ? '' : first
}

/** Whether a multiplexer is attached: it serves a client that has a terminal of its own. */
function isAttended({ uid }: ProcessFacts, table: ProcessTable, through: ProcessFacts[]): boolean {
  return [...table.values()].some((one) => {
    if (one.uid !== uid || !one.hasTerminal || !MULTIPLEXERS.test(one.program ?? one.args[0] ?? '')) return false
    const line = lineOf(one.pid, table)
    return !line.some((each) => through.includes(each)) && hangsOnTerminal(line, table, through)
  })
}

const ADOPTERS = /(?:^|[\\/])(?:systemd|init|launchd|cron|crond|atd|anacron|tini|dumb-init|docker-init|catatonit)$/

/** Processes that adopt orphans, or start programs on behalf of others (init, systemd, cron …). */
function isAdopter({ pid, program = '', args: [name = ''] }: ProcessFacts): boolean {
  return pid <= 1 || ADOPTERS.test(program) || ADOPTERS.test(name)
}
