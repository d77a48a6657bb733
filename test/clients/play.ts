import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReceivedRequest } from '../../src/simulator/facts.ts'
import { factsOf } from '../../src/simulator/facts.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { startSimulator } from '../../src/simulator/upstream.ts'
import { clientEnv } from '../support/claude.ts'
import type { Places } from './sanitise.ts'
import type { ClientStory } from './stories.ts'

/** Whose request it was, as the client's own transcript tells: the one witness that has been right in every version. */
export type Asker = 'main' | 'subagent' | 'compaction' | 'side'

export interface Played {
  request: ReceivedRequest
  asker: Asker
  places: Places
}

const TURN_MS = 40_000

/** Plays one story with the client at a path, and says of every request whose it was. */
export async function play(client: string, story: ClientStory, hints: boolean): Promise<Played[]> {
  const home = await mkdtemp(join(tmpdir(), 'grove-client-home-'))
  const project = await mkdtemp(join(tmpdir(), 'grove-client-project-'))
  await writeFile(join(project, 'notes.txt'), 'remember the milk\n')
  const simulator = await startSimulator({ scenario: scenarioOf(story), vars: { cwd: project }, validate: false })
  const env = {
    ...clientEnv(home, simulator.url),
    ...(hints && { CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1' }),
    ...story.env,
  }
  try {
    const args = [...commonArgs(story), ...(story.mcp ? ['--mcp-config', await mcpConfig(home)] : [])]
    const session = await talk(client, args, story, { cwd: project, env })
    if (story.resume && session) {
      await talk(client, [...args, '--resume', session], { ...story, prompt: story.resume }, { cwd: project, env })
    }
    const said = await transcripts(home)
    let counted = 0
    return simulator.requests.flatMap((request, at) => {
      if (request.method !== 'POST' || !request.url.startsWith('/v1/messages')) return []
      // One question about the context counts tokens two dozen times, all alike.
      if (request.url.includes('count_tokens') && counted++ > 1) return []
      return [
        { request, asker: askerOf(request, simulator.sent[at]!.body.toString(), said), places: { project, home } },
      ]
    })
  } finally {
    await simulator.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
    await rm(project, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What the API is to answer in a story. */
export function scenarioOf({ main, agent = [{ text: '«Done.»' }] }: ClientStory) {
  const replies = (list: object[], when: object) =>
    list.map((reply, at) => ({ when, reply, ...(at === list.length - 1 && { repeat: 'forever' }) }))
  return parseScenario(
    JSON.stringify({
      replies: [
        // What the client asks on its own account has no agent tool and no Read; its answers are of no interest.
        { when: { last_user: { matches: '<analysis>[\\s\\S]*<summary>' }, messages: 4 }, reply: SUMMARY, repeat: 5 },
        ...replies(agent, { agent: true }),
        ...replies(main, { has_tool: ['Read'], agent: false }),
      ],
      default: { text: '{"ok":true,"title":"«Title»"}' },
    }),
    'client story',
  )
}

const SUMMARY = '<analysis>«All is well.»</analysis><summary>«The notes were read.»</summary>'

function commonArgs({ prompt, messages, args = [], settings }: ClientStory): string[] {
  return [
    '-p',
    ...(messages ? ['--input-format=stream-json'] : [prompt!]),
    '--output-format=stream-json',
    '--verbose',
    '--allowedTools=Agent,Bash,Edit,Read,Write,ToolSearch,StructuredOutput',
    ...(settings ? ['--settings', JSON.stringify(settings)] : []),
    ...args,
  ]
}

async function talk(
  client: string,
  args: string[],
  { prompt, messages, contextUsage }: ClientStory,
  where: { cwd: string; env: Record<string, string> },
): Promise<string | undefined> {
  const own = args.includes('--resume') ? args.map((arg, at) => (at === 1 ? prompt! : arg)) : args
  const child = spawn(client, own, { ...where, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const timer = setTimeout(() => end(child), TURN_MS * (messages?.length ?? 1))
  const closed = once(child, 'close')
  child.stdin.on('error', () => {})
  let session: string | undefined
  let results = 0
  const waiting: (() => void)[] = []
  lines(child, (line) => {
    session ??= typeof line.session_id === 'string' ? line.session_id : undefined
    if (line.type === 'result' || line.type === 'control_response') {
      results++
      waiting.shift()?.()
    }
  })
  const resulted = (count: number) =>
    results >= count ? undefined : Promise.race([new Promise<void>((go) => waiting.push(go)), closed])
  let expected = 0
  for (const message of messages ?? []) {
    const text = typeof message === 'string' ? message : message.now
    if (typeof message === 'string') await resulted(expected++)
    else await new Promise((go) => setTimeout(go, 1500))
    child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
  }
  if (messages) await resulted(expected)
  if (contextUsage) {
    const request = { type: 'control_request', request_id: 'u', request: { subtype: 'get_context_usage' } }
    child.stdin.write(`${JSON.stringify(request)}\n`)
    await resulted(expected + 1)
  }
  child.stdin.end()
  await closed
  clearTimeout(timer)
  return session
}

function lines(child: ChildProcess, take: (line: Record<string, unknown>) => void) {
  let rest = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    for (const part of parts.filter((one) => one.startsWith('{'))) take(JSON.parse(part))
  })
}

function end({ pid }: ChildProcess) {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

/** The ids of answers, by the file that tells of them. */
async function transcripts(home: string): Promise<Map<string, 'main' | 'subagent'>> {
  const said = new Map<string, 'main' | 'subagent'>()
  const folder = join(home, '.claude', 'projects')
  const files = await readdir(folder, { recursive: true }).catch(() => [])
  for (const file of files.filter((name) => name.endsWith('.jsonl'))) {
    for (const text of (await readFile(join(folder, file), 'utf8')).split('\n').filter(Boolean)) {
      const { type, isSidechain, message } = JSON.parse(text) as {
        type?: string
        isSidechain?: boolean
        message?: { id?: string }
      }
      if (type === 'assistant' && message?.id) said.set(message.id, isSidechain ? 'subagent' : 'main')
    }
  }
  return said
}

function askerOf(request: ReceivedRequest, answer: string, said: Map<string, 'main' | 'subagent'>): Asker {
  const id = /"id":"(msg_[^"]+)"/.exec(answer)?.[1]
  const told = id === undefined ? undefined : said.get(id)
  if (told) return told
  const { headers, lastUser } = factsOf(request)
  if (headers.has('x-claude-code-agent-id')) return 'subagent'
  return /<analysis>[\s\S]*<summary>/.test(lastUser) ? 'compaction' : 'side'
}

async function mcpConfig(home: string): Promise<string> {
  const server = join(home, 'server.mjs')
  await writeFile(
    server,
    `import { createInterface } from 'node:readline'
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') answer(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } })
  else if (method === 'tools/list') answer(id, { tools: [{ name: 'list_notes', description: '«Lists notes»', inputSchema: { type: 'object' } }] })
  else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }) + '\\n')
}
`,
  )
  return JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: [server] } } })
}
