import type { Finding } from '../../src/core/canary/finding.ts'
import type { Store } from '../../src/core/ports/store.ts'
import type { ToolUse } from '../../src/core/turn.ts'
import { heuristicJudge } from '../../src/llm/heuristic.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { toolReader } from '../../src/supervisor/action/tool-reader.ts'
import { Engine } from '../../src/supervisor/testing/engine.ts'
import { shell } from '../support/shell.ts'
import type { Recording } from './recording.ts'

/** Recorded requests, played to the engine as proxy and hooks would hand them over. */
export interface Replay {
  engine: Engine
  store: Store
  /** What was found, with the number of requests that it took. */
  findings: (Finding & { version: string; after: number })[]
  /** The tools of the steps that were kept, in their order. */
  steps: string[]
  /** What hooks printed in the terminal. */
  printed: string[]
}

interface Changes {
  request?(recording: Recording): Recording
  hook?(payload: Record<string, unknown>): object
}

interface Options extends Changes {
  version: string
  /** Whether hooks and a transcript tell of the session too. */
  hooks: boolean
  whenFinished(work: () => Promise<void>): void
}

/** Plays stories one after the other, each in a session of its own. */
export async function replay(recordings: Recording[], options: Options): Promise<Replay> {
  const store = await openSqliteStore({ file: ':memory:' })
  options.whenFinished(() => store.close())
  const transcripts = new Map<string, string>()
  const engine = new Engine(store, heuristicJudge, {
    tools: toolReader(async () => shell),
    transcriptOf: async (session) => (transcripts.has(transcriptOf(session)) ? transcriptOf(session) : undefined),
    readFile: async (path, offset) => ({
      bytes: Buffer.from(transcripts.get(path) ?? '').subarray(offset),
      start: offset,
    }),
  })
  const told: Replay = { engine, store, findings: [], steps: [], printed: [] }
  const sessions = new Map<string, Recording[]>()
  for (const recording of recordings) {
    const session = `${recording.story}${recording.hints ? ' with hints' : ''}`
    sessions.set(session, [...(sessions.get(session) ?? []), recording])
  }
  for (const [session, requests] of sessions) {
    await playSession(told, transcripts, session, requests, options)
  }
  return told
}

async function playSession(
  { engine, findings, steps, printed }: Replay,
  transcripts: Map<string, string>,
  session: string,
  requests: Recording[],
  { version, hooks, request: sent = (same) => same, hook: changed = (same) => same }: Options,
) {
  const hook = async (payload: object) => {
    if (!hooks) return
    const told = changed({ session_id: session, transcript_path: transcriptOf(session), cwd: '/repo/app', ...payload })
    const { systemMessage } = await engine.hook({ session_id: undefined, cwd: undefined, ...told })
    if (systemMessage !== undefined) printed.push(systemMessage)
  }
  const note = (after: number) => {
    for (const event of engine.events.splice(0)) {
      if (event.type === 'client:finding') findings.push({ ...event, after })
      if (event.type === 'step') steps.push(event.tool)
    }
  }
  await hook({ hook_event_name: 'SessionStart', source: 'startup' })
  await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go' })
  for (const [at, recorded] of requests.entries()) {
    const recording = sent(recorded)
    const sessionId = recording.headers[SESSION_HEADER] === undefined ? {} : { sessionId: session }
    const agentId = recording.headers['x-claude-code-agent-id']
    const isMain = recording.asker === 'main'
    const toolUses = recording.path.includes('count_tokens') ? [] : answerTo(recorded, requests.slice(at + 1))
    const call = {
      path: recording.path,
      headers: { ...recording.headers, 'user-agent': `claude-cli/${version} (external, sdk-cli)` },
      body: Buffer.from(JSON.stringify(recording.body)),
      ...sessionId,
      ...(agentId && { agentId }),
    }
    const prepared = await engine.supervisor.prepare(call)
    prepared?.commit()
    const messageId = `msg_${session}_${at}`
    const endedAt = ++engine.now
    await engine.supervisor.observe({
      call,
      status: 200,
      aborted: false,
      endedAt,
      answer: { ...ANSWER, messageId, toolUses, stopReason: toolUses.length > 0 ? 'tool_use' : 'end_turn' },
    })
    note(at + 1)
    if (isMain && hooks) {
      const timestamp = new Date(endedAt).toISOString()
      const message = { id: messageId, model: ANSWER.model, usage: { input_tokens: 100 }, content: [] }
      const line = JSON.stringify({ type: 'assistant', isSidechain: false, version, timestamp, message })
      const file = transcriptOf(session)
      transcripts.set(file, `${transcripts.get(file) ?? ''}${line}\n`)
    }
    const agent = recording.asker === 'subagent' ? { agent_id: agentId } : {}
    for (const { id, name, input } of isMain || agentId ? toolUses : []) {
      const tool = { tool_name: name, tool_input: input, tool_use_id: id, ...agent }
      await hook({ hook_event_name: 'PreToolUse', ...tool })
      await hook({ hook_event_name: 'PostToolUse', ...tool, tool_response: {} })
    }
    if (isMain && toolUses.length === 0) await hook({ hook_event_name: 'Stop', last_assistant_message: 'Done.' })
    note(at + 1)
  }
  await hook({ hook_event_name: 'SessionEnd', reason: 'other' })
  await engine.supervisor.idle()
}

const transcriptOf = (session: string) => `/transcripts/${session}.jsonl`

const SESSION_HEADER = 'x-claude-code-session-id'

const ANSWER = {
  model: 'claude-opus-5-5',
  text: 'On it.',
  thinkingLength: 0,
  usage: { input: 100, output: 1, cacheRead: 0, cacheWrite: 0 },
  complete: true,
}

/** The tool calls of the answer to a request: the next request of the same conversation repeats them behind its messages. */
function answerTo({ asker, body, headers }: Recording, later: Recording[]): ToolUse[] {
  const count = messagesOf(body).length
  const next = later.find(
    (one) => one.asker === asker && one.headers['x-claude-code-agent-id'] === headers['x-claude-code-agent-id'],
  )
  const answer = next && messagesOf(next.body)[count]
  if (answer?.role !== 'assistant' || !Array.isArray(answer.content)) return []
  return answer.content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id: String(id), name: String(name), input: input as ToolUse['input'] }))
}

interface Message {
  role: string
  content: string | Record<string, unknown>[]
}

export function messagesOf(body: Recording['body']): Message[] {
  return (body.messages ?? body.conversation ?? []) as Message[]
}
