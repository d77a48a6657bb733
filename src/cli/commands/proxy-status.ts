import type { Command } from 'commander'
import { pathsOf } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import { actionsOf, scoreWord } from '#protocol/agent-actions.ts'
import type { AgentDetail, AgentSummary, agentRoutes } from '#protocol/api/agents.ts'
import type { Cli } from '../context.ts'
import { askDaemon } from '../http.ts'
import { ago, clean, cleanLines, counted, grouped, note, pairs, print, printJson, table } from '../print.ts'
import { withWorld } from '../world.ts'

export function define(command: Command, cli: Cli): void {
  command
    .argument('[session]', 'show one agent session in detail: its id, or the start of it')
    .option('--actions', 'of one agent session: its actions with their scores and why, and in full what Grove told it')
    .option('--json', 'print JSON')
    .option('--watch', 'refresh every second until Ctrl+C')
    .action(async (session: string | undefined, { json, watch, actions }: Options) => {
      if (actions && session === undefined)
        throw new Trouble(
          '--actions needs an agent session.',
          'Give its id or the start of it: `grove proxy-status` lists them.',
        )
      const view = session === undefined ? viewOfAll(cli) : viewOfOne(cli, session, actions === true)
      if (watch) return keepLooking(view, json === true)
      const { seen, text } = await view()
      if (json) printJson(seen)
      else print(text)
    })
}

interface Options {
  json?: boolean
  watch?: boolean
  actions?: boolean
}

/** One snapshot, as JSON or as text. */
type View = () => Promise<{ seen: object; text: string }>

function viewOfAll(cli: Cli): View {
  return async () => {
    const seen = await look(cli)
    return { seen, text: overview(seen, cli) }
  }
}

function viewOfOne(cli: Cli, session: string, withActions: boolean): View {
  return async () => {
    const seen = await lookAt(cli, session)
    return { seen, text: withActions ? `${headText(seen)}\n\n${actionsText(seen, cli)}` : detailText(seen, cli) }
  }
}

/** Redraws in place on a terminal; elsewhere, and as JSON, prints one snapshot after the other. */
async function keepLooking(view: View, json: boolean): Promise<void> {
  for (;;) {
    const { seen, text } = await view()
    if (json) process.stdout.write(`${JSON.stringify(seen)}\n`)
    else print(`${process.stdout.isTTY ? CLEAR_SCREEN : ''}${text}`)
    await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS))
  }
}

const WATCH_EVERY_MS = 1000
const CLEAR_SCREEN = '\u001b[H\u001b[2J'

function overview({ agents, running }: Seen, cli: Cli): string {
  return agents.length > 0 ? agentTable(agents, cli) : emptyText(running)
}

interface Seen {
  /** Who answered. */
  source: 'daemon' | 'store'
  running: boolean
  agents: AgentSummary[]
}

async function look(cli: Cli): Promise<Seen> {
  const config = cli.config()
  const { runningListeners } = await import('#daemon/process/listeners.ts')
  const { proxy, web } = runningListeners(config)
  const running = proxy !== undefined || web !== undefined
  if (web?.url) {
    try {
      const { agents } = await askDaemon<typeof agentRoutes.list>(web.url, '/api/agents', pathsOf(config).token)
      return { source: 'daemon', running, agents }
    } catch (error) {
      note(`warning: the daemon did not answer (${(error as Error).message}); showing what is stored`)
    }
  }
  const agents = await fromStore(cli, ({ liveAgents }, store) => liveAgents(store))
  return { source: 'store', running, agents: agents ?? [] }
}

/** Reads the store, which also has sessions that are over. */
async function lookAt(cli: Cli, session: string): Promise<AgentDetail> {
  const { agents } = await look(cli)
  const id = agents.find(({ sessionId }) => sessionId.startsWith(session))?.sessionId ?? session
  const detail = await fromStore(cli, ({ agentDetail }, store) => agentDetail(store, id))
  if (detail) return detail
  throw new Trouble(
    `There is no agent session ${session}.`,
    '`grove proxy-status --json` lists the running ones with their ids.',
  )
}

type Inspect = typeof import('#daemon/commands/inspect.ts')
type Stored = Parameters<Inspect['liveAgents']>[0]

/** One snapshot of what is stored; undefined in an empty home. */
function fromStore<T>(cli: Cli, look: (inspect: Inspect, store: Stored) => Promise<T>): Promise<T | undefined> {
  return withWorld(cli, async (world) =>
    world.hasStore() ? look(await import('#daemon/commands/inspect.ts'), await world.store()) : undefined,
  )
}

function headText({ session, tasks, actions, tokens, gate, memories, judgeCostUsd }: AgentDetail): string {
  const task = tasks.find(({ status }) => status === 'active') ?? tasks.at(-1)
  return pairs([
    ['Session', session.id],
    ['Folder', clean(session.cwd ?? '–')],
    ['Goal', clean(task?.goal ?? '–')],
    ['Mode', task ? `${task.mode}${task.status === 'active' ? '' : ` (${task.status})`}` : '–'],
    ['Gate', gate ? `${gate.status}${gate.ticket ? ` (${clean(gate.ticket)})` : ''}` : '–'],
    [
      'Learnings',
      gate
        ? `${gate.learnings.length} shown, ${gate.learnings.filter(({ outcome }) => outcome === 'referenced').length} used`
        : '–',
    ],
    ['Limits', clean(task?.constraints.join('; ') || '–')],
    [
      'Memories',
      `${grouped(memories.length)} given, ${grouped(memories.filter(({ usedAt }) => usedAt !== undefined).length)} used`,
    ],
    ['Actions', grouped(actions)],
    ['Tokens', `${grouped(tokens.input + tokens.cacheRead + tokens.cacheWrite)} in, ${grouped(tokens.output)} out`],
    ['Judge cost', `$${judgeCostUsd.toFixed(2)}`],
  ])
}

function detailText(detail: AgentDetail, { paint }: Cli): string {
  const { driftEvents, injections } = detail
  const now = Date.now()
  const drift = table(
    driftEvents,
    [
      { head: 'SCORE', cell: ({ score }) => String(score), align: 'right' },
      { head: 'LEVEL', cell: ({ level }) => level },
      { head: 'WHY', cell: ({ reason }) => reason, stretch: true },
      { head: 'RECOVERED', cell: ({ recovered }) => (recovered ? 'yes' : 'no') },
      { head: 'WHEN', cell: ({ at }) => ago(now - at) },
    ],
    paint,
  )
  const injected = table(
    injections,
    [
      { head: 'KIND', cell: ({ kind }) => kind },
      { head: 'WHERE', cell: ({ place }) => place },
      { head: 'TOKENS', cell: ({ tokens }) => grouped(tokens), align: 'right' },
      { head: 'WHY', cell: ({ why }) => why, stretch: true },
      { head: 'WHEN', cell: ({ at }) => ago(now - at) },
    ],
    paint,
  )
  const parts = [
    headText(detail),
    driftEvents.length > 0 ? `${paint.bold('Rejected actions')}\n${drift}` : '',
    injections.length > 0 ? `${paint.bold('Injected')}\n${injected}` : 'Nothing was injected.',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The newest actions in the order of time, with what was said about each below; then what was put before the agent. */
function actionsText(detail: AgentDetail, { paint }: Cli): string {
  const now = Date.now()
  const actions = actionsOf(detail).map((action) => {
    const { number, tool, what, reason, correction, at } = action
    return [
      `${number}  ${clean(`${tool} ${what}`).trim()}  ${paint.dim(ago(now - at))}`,
      `   ${action.score ?? '–'}, ${scoreWord(action)}${reason ? `: ${clean(reason)}` : ''}`,
      ...(correction ? [`   ${paint.yellow('Grove:')} ${clean(correction)}`] : []),
    ].join('\n')
  })
  const injected = detail.injections.toReversed().map(({ kind, place, tokens, why, text, at }) =>
    [
      `${kind} (${place}), ${counted(tokens, 'token')}: ${clean(why)}  ${paint.dim(ago(now - at))}`,
      ...cleanLines(text.trim())
        .split('\n')
        .map((line) => `   ${line}`),
    ].join('\n'),
  )
  const isAll = actions.length >= detail.actions
  return [
    paint.bold(isAll ? 'Actions' : `The newest ${grouped(actions.length)} actions`),
    ...(actions.length > 0 ? actions : ['None yet.']),
    paint.bold('Injected'),
    ...(injected.length > 0 ? injected : ['Nothing was injected.']),
  ].join('\n\n')
}

function emptyText(running: boolean): string {
  return running
    ? 'No agent is running. Start Claude Code in a project; `grove doctor` checks that Grove is attached.'
    : 'No agent is running, and neither is Grove. Start it with `grove up`.'
}

function agentTable(agents: AgentSummary[], { paint }: Cli): string {
  return table(
    agents,
    [
      { head: 'SESSION', cell: ({ sessionId }) => sessionId.slice(0, 8) },
      { head: 'PROJECT', cell: ({ project }) => project ?? '–' },
      { head: 'GOAL', cell: ({ goal }) => goal ?? '–', stretch: true },
      ...(agents.some(({ waitsFor }) => waitsFor)
        ? [{ head: 'WAITS FOR', cell: ({ waitsFor }: AgentSummary) => waitsFor?.what ?? '' }]
        : []),
      { head: 'MODEL', cell: ({ model }) => model ?? '–', droppable: 6 },
      { head: 'MODE', cell: ({ mode, finished }) => (finished ? ENDED[finished] : (mode ?? '–')), droppable: 2 },
      { head: 'GATE', cell: ({ gate }) => gate?.status ?? '–', droppable: 7 },
      { head: 'SCORE', cell: ({ lastScore }) => (lastScore === undefined ? '–' : String(lastScore)), align: 'right' },
      { head: 'ACTIONS', cell: ({ actions }) => grouped(actions), align: 'right' },
      { head: 'CORRECTED', cell: ({ corrections }) => grouped(corrections), align: 'right', droppable: 1 },
      { head: 'INJECTED', cell: injectedOf, align: 'right', droppable: 5 },
      { head: 'TOKENS', cell: tokensOf, align: 'right', droppable: 3 },
      { head: 'JUDGE COST', cell: ({ judgeCostUsd }) => `$${judgeCostUsd.toFixed(2)}`, align: 'right', droppable: 4 },
      { head: 'SEEN', cell: ({ lastSeenAt }) => ago(Date.now() - lastSeenAt) },
    ],
    paint,
  )
}

const ENDED = { completed: 'finished', abandoned: 'given up' }

function injectedOf({ injections }: AgentSummary): string {
  // An older daemon does not report this.
  const { count = 0, tokens = 0 } = injections ?? {}
  return count === 0 ? '0' : `${grouped(count)} (${grouped(tokens)} tok)`
}

function tokensOf({ contextTokens, window }: AgentSummary): string {
  if (!window) return grouped(contextTokens)
  return `${grouped(contextTokens)} (${Math.round((100 * contextTokens) / window)} %)`
}
