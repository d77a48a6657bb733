import type { Outcome, ToolCall } from '#core/action/reading.ts'
import { commandLineOf } from '#core/action/tools.ts'
import { decide, type GateEvent, isWaiting } from '#core/gate/gate.ts'
import { asked, instructions, UNNAMED } from '#core/gate/instructions.ts'
import { type GateSession, type Ticket, type TicketCall, traced } from '#core/gate/session.ts'
import { mentionsTickets, taskCall, taskCreated, ticketCalls, wentThrough } from '#core/gate/ticket-calls.ts'
import type { LearningSettings } from '#core/ports/learning.ts'
import { redact } from '#core/redact/redact.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { isObject } from '#protocol/json.ts'
import type { TranscriptLine } from '#protocol/transcript.ts'
import { callOf, type RunEvent } from '../action/tool-call.ts'
import { failOpen } from '../fail-open.ts'
import type { Contribution } from '../handle-hook.ts'
import { attendedIn } from './references.ts'
import { changeSession, isAboutTask, limitsOf, systemsIn } from './sessions.ts'
import type { LearningWorld } from './world.ts'

/** A tool is about to run: if it closes a ticket, that is an intent until it has run. */
export async function beforeTool(world: LearningWorld, event: HookEventOf<'PreToolUse'>): Promise<void> {
  const asked = await askedOf(world, event)
  if (!asked) return
  const { calls, settings, root } = asked
  const closing = calls.filter(({ does }) => does === 'close')
  if (closing.length === 0) return
  await changeSession(world, event.session_id, root, (session) => {
    const counted = closing.filter((call) => counts(call, session))
    const [first] = counted
    if (!first) return session
    const begun = steps(session, settings, [...detected(first, session), { type: 'close-intended' }])
    const closingNow = { ...session.closing, [event.tool_use_id ?? '']: counted }
    const ids = counted.flatMap((call) => call.ids).join(', ') || 'the last ticket'
    return traced({ ...begun, closing: closingNow }, world.clock.now(), `about to close ${ids}`)
  })
}

/** A tool has run: what it did to tickets is confirmed, or the intent is cleared. */
export async function afterTool(
  world: LearningWorld,
  event: HookEventOf<'PostToolUse'> | HookEventOf<'PostToolUseFailure'>,
): Promise<Contribution | undefined> {
  if (event.hook_event_name === 'PostToolUse' && event.tool_name === 'TaskCreate') {
    await noteTask(world, event)
    return undefined
  }
  const asked = await askedOf(world, event)
  if (!asked) return undefined
  const { calls, outcome, settings, root } = asked
  const output = outputOf(event)
  const done = calls.flatMap(oneByOne).filter((call) => isDone(event, outcome, call, output))
  const closing = { sessionId: event.session_id, root, toolUseId: event.tool_use_id ?? '' }
  const session = await confirm(world, closing, done, settings)
  // A subagent is never asked, and items of the client's own list are closed one after the other.
  if (session.gate.status !== 'pending' || session.told || event.agent_id || isAboutTask(session)) return undefined
  return askAtOnce(world, session, settings, event.transcript_path)
}

/** How much of the end of a transcript is looked at for how the client was started; every line of it tells. */
const TELLING_BYTES = 256 * 1024

/**
 * The ticket is closed: the agent is told now that it should reflect before its final answer. The client shows the user
 * nothing of this, and an agent that does it is not held up when it stops.
 */
async function askAtOnce(
  world: LearningWorld,
  session: GateSession,
  settings: LearningSettings,
  path: string | undefined,
): Promise<Contribution | undefined> {
  const attended = path
    ? await failOpen(world.log, 'read the transcript', undefined, async () => {
        const from = Math.max(0, (await world.transcriptEnd(path)) - TELLING_BYTES)
        return attendedIn((await world.transcript(path, from, TELLING_BYTES)).lines)
      })
    : undefined
  const known = attended === undefined ? session : { ...session, attended }
  if (!limitsOf(settings, known).asks) return undefined
  const told = await changeSession(world, session.sessionId, session.root, (before) =>
    traced({ ...asked(before), attended: known.attended ?? false }, world.clock.now(), 'told to reflect'),
  )
  return { context: instructions(told, world.command) }
}

const MOST_TASKS = 50

/** The client's own tasks have a title only in the call that creates them. */
async function noteTask(world: LearningWorld, event: HookEventOf<'PostToolUse'>): Promise<void> {
  const { session_id: sessionId, tool_name: tool, tool_input: input, tool_response: response, cwd } = event
  const task = taskCreated(tool, input, response)
  if (!task || !cwd) return
  const settings = world.settingsAt(cwd)
  if (!settings.gate.enabled || !systemsIn(settings).includes('tasks')) return
  const about = { title: redact(task.title).slice(0, 300), description: redact(task.description).slice(0, 2000) }
  await changeSession(world, sessionId, world.rootOf(cwd), (session) => {
    const tasks = Object.entries({ ...session.tasks, [task.id]: about }).slice(-MOST_TASKS)
    return { ...session, tasks: Object.fromEntries(tasks) }
  })
}

/**
 * The hook after a tool may have been missed: it is sent over http, and the daemon may have been down. Then the
 * transcript decides whether the ticket was closed; without an answer there it counts as closed.
 */
export async function settleClosings(
  world: LearningWorld,
  session: GateSession,
  lines: readonly TranscriptLine[],
  settings: LearningSettings,
): Promise<GateSession> {
  let settled = session
  for (const [toolUseId, calls] of Object.entries(session.closing)) {
    const result = resultOf(toolUseId, lines)
    const done = calls
      .flatMap(oneByOne)
      .filter((call) => !result || wentThrough(result.failed ? { ...call, maybe: true } : call, result.output))
    settled = await confirm(world, { ...session, toolUseId }, done, settings)
  }
  return settled
}

function resultOf(
  toolUseId: string,
  lines: readonly TranscriptLine[],
): { output: string; failed: boolean } | undefined {
  for (const line of lines) {
    if (line.type !== 'user' || !Array.isArray(line.message.content)) continue
    for (const block of line.message.content) {
      if (!isObject(block) || block.type !== 'tool_result' || block.tool_use_id !== toolUseId) continue
      const output = typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '')
      return { output, failed: block.is_error === true }
    }
  }
  return undefined
}

/** Of several tickets in one command each may go through or not. */
function oneByOne(call: TicketCall): TicketCall[] {
  return call.ids.length > 1 ? call.ids.map((id) => ({ ...call, ids: [id] })) : [call]
}

interface Closing {
  sessionId: string
  root: string
  toolUseId: string
}

async function confirm(
  world: LearningWorld,
  { sessionId, root, toolUseId }: Closing,
  done: readonly TicketCall[],
  settings: LearningSettings,
): Promise<GateSession> {
  const tickets = await ticketsOf(world, root, done)
  return changeSession(world, sessionId, root, (session) => {
    const { [toolUseId]: intended, ...closing } = session.closing
    const cleared = { ...session, closing }
    const own = 'ticket' in session.gate ? session.gate.ticket : undefined
    const isOwn = ({ ids }: TicketCall) => own !== undefined && ids.includes(own)
    const counted = done.filter((call) => counts(call, session)).sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
    if (counted.length > 0) {
      return counted.reduce((now, call) => confirmed(now, call, tickets, settings, world), cleared)
    }
    if (!intended) return session
    return traced(steps(cleared, settings, [{ type: 'close-failed' }]), world.clock.now(), 'ticket close failed')
  })
}

interface Asked {
  calls: TicketCall[]
  outcome: Outcome
  settings: LearningSettings
  root: string
}

/** Most tool calls have nothing to do with tickets; those cost no look at the disk. */
async function askedOf(world: LearningWorld, event: RunEvent): Promise<Asked | undefined> {
  const { cwd } = event
  const asked = callOf(event)
  const calls = await callsOf(world, asked, cwd)
  if (calls.length === 0 || !cwd) return undefined
  const settings = world.settingsAt(cwd)
  const systems = systemsIn(settings)
  const wanted = calls.filter(({ system }) => systems.includes(system))
  if (!settings.gate.enabled || wanted.length === 0) return undefined
  return { calls: wanted, outcome: asked.outcome, settings, root: world.rootOf(cwd) }
}

async function callsOf(
  { tools, rootOf }: LearningWorld,
  asked: ToolCall,
  cwd: string | undefined,
): Promise<TicketCall[]> {
  const command = commandLineOf(asked.tool, asked.input)
  if (command === undefined) return [taskCall(asked.tool, asked.input) ?? []].flat()
  if (!mentionsTickets(command)) return []
  const effect = await tools.effect(asked, { cwd, ...(cwd && { root: rootOf(cwd) }) })
  return effect.kind === 'shell' ? ticketCalls(effect.script.commands) : []
}

/** Claude Code's own tasks count only where there is no ticket system, and not again once the work was reflected on. */
function counts({ system }: TicketCall, session: GateSession): boolean {
  if (system !== 'tasks') return true
  const isElsewhere = session.system === 'tissue' || session.system === 'beads'
  const isSettled = session.gate.status === 'reflected' || session.gate.status === 'skipped'
  return !isElsewhere && !isSettled
}

function isDone(event: RunEvent, outcome: Outcome, call: TicketCall, output: string): boolean {
  if (call.does === 'start') return outcome === 'ran'
  // A chain may fail after the ticket was closed; then only the output can tell.
  if (outcome === 'failed') return wentThrough({ ...call, maybe: true }, output)
  const response = 'tool_response' in event ? event.tool_response : undefined
  if (isObject(response) && (response.success === false || response.interrupted === true)) return false
  return call.system === 'tasks' || wentThrough(call, output)
}

function outputOf(event: RunEvent): string {
  if ('error' in event && typeof event.error === 'string') return event.error
  const response = 'tool_response' in event ? event.tool_response : undefined
  if (typeof response === 'string') return response
  if (!isObject(response)) return ''
  return [response.stdout, response.stderr].filter((text) => typeof text === 'string').join('\n')
}

function confirmed(
  session: GateSession,
  call: TicketCall,
  tickets: ReadonlyMap<string, Ticket>,
  settings: LearningSettings,
  { clock }: LearningWorld,
): GateSession {
  const id = call.ids.at(-1)
  const found = id === undefined ? undefined : tickets.get(id)
  const ticket = found?.source === 'tasks' ? { ...found, ...session.tasks?.[found.id] } : found
  const started = steps(session, settings, detected(call, session))
  const known = {
    ...started,
    // From now on the work is measured by tickets, not by the session.
    system: call.system,
    // The one that waits for a reflection keeps its title until it had one.
    ...(ticket && !isWaiting(session.gate) && { ticket }),
  }
  if (call.does === 'start') return traced(known, clock.now(), `works on ${id ?? 'a ticket'}`)
  const closed = steps(known, settings, [{ type: 'close-confirmed' }])
  return traced(closed, clock.now(), `closed ${call.ids.join(', ') || 'the last ticket'}`)
}

/** Without an id the ticket that is known is meant, else the one the system touched last. */
function detected({ ids, system }: TicketCall, { gate }: GateSession): GateEvent[] {
  if (isWaiting(gate)) return []
  const known = 'ticket' in gate ? gate.ticket : undefined
  const id = ids.find((one) => one === known) ?? ids[0] ?? known ?? `${UNNAMED}${system} ticket`
  return [{ type: 'ticket-detected', ticket: id }]
}

function steps(session: GateSession, settings: LearningSettings, events: readonly GateEvent[]): GateSession {
  const limits = limitsOf(settings, session)
  return { ...session, gate: events.reduce((gate, event) => decide(gate, event, limits).gate, session.gate) }
}

async function ticketsOf(
  world: LearningWorld,
  root: string,
  calls: readonly TicketCall[],
): Promise<Map<string, Ticket>> {
  const at = world.clock.now()
  const wanted = calls.flatMap(({ system, ids }) => ids.slice(-1).map((id) => ({ system, id })))
  const found = wanted.map(({ system, id }) =>
    failOpen<Ticket>(world.log, `read ticket ${id}`, { id, source: system, detectedAt: at }, () =>
      world.tickets.findTicket(root, system, id, at),
    ),
  )
  const tickets = await Promise.all(found)
  return new Map(wanted.map(({ id }, index) => [id, tickets[index]!]))
}
