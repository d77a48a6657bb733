import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { redact } from '../../src/core/redact/redact.ts'
import { dist, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'
import { secretSamples } from '../corpus/secrets/secrets.ts'

// Thousands of secrets, each told to a running Grove once and in one of many places: hooks, requests and answers, tools of
// the agent, commands, the API, transcripts, names of folders and files. Then every file of the home and of the project is
// searched for them byte for byte, the write-ahead log and the logs included. Which texts hold a secret the redactor's own
// bench measures; here only those are planted that it knows, so that every one that is found came in by a way around it.

withBinary()

/** `npm run test:security` plants them all; otherwise there is a tenth in each place. */
const ALL = Number(process.env.GROVE_PLANTED ?? 290)
const EACH = Math.ceil(ALL / 37)
const isKnown = ({ text, secret }: { text: string; secret: string }) => !redact(text).includes(secret)
const samples = secretSamples(37, Math.ceil(ALL / 50))
  .filter((sample) => sample.secret.length >= 12 && isKnown(sample))
  .filter(({ secret }, at, all) => all.findIndex((other) => other.secret === secret) === at)

const SOME = Math.ceil(EACH / 20)

let at: Place
let daemon: Running
let planted = 0

/** The next secrets of the corpus, with a line each. */
function plant(count = EACH): string {
  const next = samples.slice(planted, planted + count)
  expect(next).toHaveLength(count)
  planted += count
  return next.map(({ text }) => text).join('\n\n')
}

/** One secret that may stand in a name: a key of a shape that is known. */
let named = 0
function key(): string {
  return keys[named++ % keys.length]!
}
const keys = samples.filter(({ kind }) => kind === 'github token' || kind === 'npm token').map(({ secret }) => secret)

async function tell(name: string, payload: object) {
  const event = name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  const body = JSON.stringify({
    hook_event_name: name,
    session_id: SESSION,
    cwd: at.cwd,
    transcript_path: TRANSCRIPT(),
    ...payload,
  })
  const headers = { 'content-type': 'application/json', ...daemon.asTool() }
  const answer = await fetch(`${daemon.url('Web')}/hooks/${event}`, { method: 'POST', headers, body })
  expect(answer.status, name).toBe(200)
}

const SESSION = '5b0c0f6e-8a52-4c3e-9b39-0d8a6d1f2c12'
const TRANSCRIPT = () => join(at.cwd, '..', 'transcript.jsonl')
const bash = (command: string, more: object = {}) => ({
  tool_name: 'Bash',
  tool_use_id: `toolu_${planted}`,
  tool_input: { command, description: 'Deploy' },
  ...more,
})
const write = (file: string, content: string, more: object = {}) => ({
  tool_name: 'Write',
  tool_use_id: `toolu_${planted}`,
  tool_input: { file_path: join(at.cwd, file), content },
  ...more,
})

/** What is said to the model and by it. */
let said: object[] = []
const upstream = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    const usage = { input_tokens: 1, output_tokens: 1 }
    response.end(
      JSON.stringify({
        id: `msg_${planted}`,
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: said,
        usage,
        stop_reason: 'end_turn',
        stop_sequence: null,
      }),
    )
  })
})

async function ask(parts: {
  system?: string
  user?: string
  result?: string
  answer?: object[]
  headers?: Record<string, string>
  query?: string
}) {
  said = parts.answer ?? [{ type: 'text', text: 'Done.' }]
  const content = [
    ...(parts.result ? [{ type: 'tool_result', tool_use_id: 'toolu_x', content: parts.result }] : []),
    { type: 'text', text: `New task: repair src/a.ts. ${parts.user ?? ''}` },
  ]
  const before = parts.result
    ? [
        { role: 'user', content: 'Go on' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_x', name: 'Bash', input: { command: 'ls' } }] },
      ]
    : []
  const body = {
    ...{ model: 'claude-opus-4-8', max_tokens: 100, tools: [{ name: 'Agent' }] },
    system: [{ type: 'text', text: `You help.\n - Primary working directory: ${at.cwd}\n${parts.system ?? ''}` }],
    messages: [...before, { role: 'user', content }],
  }
  const headers = {
    'content-type': 'application/json',
    'x-api-key': 'k',
    'x-claude-code-session-id': SESSION,
    ...parts.headers,
  }
  const url = `${daemon.url('Proxy')}/v1/messages?beta=true${parts.query ?? ''}`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.text()
}

/** Runs a command, with a text for its input. */
async function run(input: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(dist, 'grove.js'), ...args], {
    ...at,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  await once(child, 'close')
}

async function callTools(calls: [name: string, input: object][]) {
  const server = spawn(process.execPath, [join(dist, 'grove.js'), 'mcp'], {
    cwd: at.cwd,
    env: { ...at.env, CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_PROJECT_DIR: at.cwd },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let heard = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  say({ id: 0, method: 'initialize', params })
  say({ method: 'notifications/initialized' })
  for (const [n, [name, input]] of calls.entries())
    say({ id: n + 1, method: 'tools/call', params: { name, arguments: input } })
  for (let id = 0; id <= calls.length; id++)
    await expect.poll(() => heard.includes(`"id":${id}`), { timeout: 60_000 }).toBe(true)
  server.kill('SIGTERM')
  await once(server, 'close')
}

async function api(method: string, path: string, body?: object) {
  const headers = { ...daemon.asTool(), ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${daemon.url('Web')}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.text()
}

const candidate = (detail: string) => ({
  ...{ category: 'convention', summary: 'Deploy by the script, since the console forgets the region', detail },
  ...{ confidence: 'high', criteria_met: ['stable_fact'], tags: ['deploy'], context_files: ['src/a.ts'] },
})

/** Every place where something is told, by its name. */
const PLACES: Record<string, () => Promise<void>> = {
  'a prompt': () => tell('UserPromptSubmit', { prompt: `New task: repair src/a.ts. ${plant()}` }),
  'a command': () => tell('PreToolUse', bash(plant())),
  'what a command printed': () => tell('PostToolUse', bash('make', { tool_response: { stdout: plant(), stderr: '' } })),
  'what a command complained of': () =>
    tell('PostToolUse', bash('make', { tool_response: { stdout: '', stderr: plant() } })),
  'a failure': () => tell('PostToolUseFailure', bash('make', { error: plant() })),
  'what is written to a file': () => tell('PostToolUse', write('src/a.ts', plant(), { tool_response: {} })),
  'a request for permission': () => tell('PermissionRequest', bash(plant())),
  'a refusal': () => tell('PermissionDenied', bash('make', { reason: plant() })),
  'a notification': () => tell('Notification', { message: plant(), notification_type: 'idle' }),
  'a todo': () => tell('TaskCreated', { task_id: '1', task_subject: plant(), task_description: plant() }),
  'a helper': () => tell('SubagentStop', { agent_id: 'a1', last_assistant_message: plant() }),
  'a question of a server': () => tell('Elicitation', { mcp_server_name: 's', message: plant(), requested_schema: {} }),
  'its answer': () => tell('ElicitationResult', { mcp_server_name: 's', action: 'accept', content: { text: plant() } }),
  'instructions for a summary': () => tell('PreCompact', { trigger: 'manual', custom_instructions: plant() }),
  'a summary': () => tell('PostCompact', { trigger: 'manual', compact_summary: plant() }),
  'another tool': () =>
    tell('PostToolUse', {
      tool_name: 'mcp__a__b',
      tool_use_id: 'toolu_m',
      tool_input: { q: plant() },
      tool_response: plant(),
    }),
  'the name of a folder': () =>
    tell('SessionStart', { source: 'startup', session_id: `${SESSION}-2`, cwd: join(at.cwd, `with-${key()}`) }),
  'the name of a file': () => tell('PostToolUse', write(`src/${key()}.ts`, 'x', { tool_response: {} })),
  'a folder that is changed to': () => tell('CwdChanged', { old_cwd: at.cwd, new_cwd: join(at.cwd, key()) }),
  'the system prompt': () => ask({ system: plant() }),
  'a message': () => ask({ user: plant() }),
  'the result of a tool': () => ask({ result: plant() }),
  'a key of the API': () => ask({ headers: { 'x-api-key': key(), authorization: `Bearer ${key()}` } }),
  'a query': () => ask({ query: `&access_token=${key()}` }),
  'an answer': () => ask({ answer: [{ type: 'text', text: `I chose this because ${plant()}` }] }),
  'a thought': () =>
    ask({
      answer: [
        { type: 'thinking', thinking: plant(), signature: 'x' },
        { type: 'text', text: 'Done.' },
      ],
    }),
  'a call of a tool': () =>
    ask({ answer: [{ type: 'tool_use', id: 'toolu_y', name: 'Bash', input: { command: plant() } }] }),
  'tools of the agent': () =>
    callTools([
      ['record_lesson', { lesson: plant(SOME).slice(0, 500) }],
      ['observe', { note: plant(SOME).slice(0, 2000) }],
      ['reflect', { candidates: [candidate(`Deploy by the script. ${plant(SOME)}`)] }],
      ['search_memory', { query: plant(SOME) }],
      ['search_learnings', { query: plant(SOME) }],
      ['skip', { reason: plant(SOME) }],
    ]),
  'an observation': () => run('', 'observe', plant(SOME)),
  'a skipped reflection': () => run('', 'skip', plant(SOME)),
  'a reflection': () => run(JSON.stringify({ candidates: [candidate(plant())] }), 'reflect'),
  'a search': () => run('', 'search', plant(SOME)),
  'memories that are imported': () =>
    api('POST', '/api/memories/import', {
      lines: plant()
        .split('\n\n')
        .map((goal) => JSON.stringify({ goal, createdAt: 1 })),
    }),
  'an intent': () =>
    api('POST', '/api/intents', {
      name: plant(SOME),
      constraints: [plant(SOME)],
      acceptanceCriteria: [plant(SOME)],
      ownedScope: ['docs/**'],
      dependencies: [],
    }),
  'a question to the page': () => api('GET', `/api/memories?q=${encodeURIComponent(plant(SOME))}`),
  'a transcript': async () => {
    const lines = plant()
      .split('\n\n')
      .map((text, n) =>
        JSON.stringify({
          type: n % 2 ? 'assistant' : 'user',
          sessionId: SESSION,
          cwd: at.cwd,
          uuid: `${n}`,
          timestamp: '2026-01-01T00:00:00.000Z',
          message: { role: n % 2 ? 'assistant' : 'user', content: [{ type: 'text', text }] },
        }),
      )
    writeFileSync(TRANSCRIPT(), `${lines.join('\n')}\n`)
    await tell('Stop', {
      last_assistant_message: `Task complete: I repaired src/a.ts, which failed because ${plant()}`,
    })
  },
  'the end': () => tell('SessionEnd', { reason: plant() }),
}

/** Which of the planted can be read in a file below the folders. */
function legible(...folders: string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  )
  const sown = samples.slice(0, planted)
  return files.flatMap((file) => {
    const bytes = readFileSync(file)
    const names = [...sown, ...keys.slice(0, named).map((secret) => ({ kind: 'key in a name', secret }))]
    return names
      .filter(({ secret }) => bytes.includes(secret))
      .map(({ kind, secret }) => `${kind} ${secret} in ${file}`)
  })
}

it('thousands of secrets, told in every place there is, lie nowhere afterwards', { timeout: 600_000 }, async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port } = upstream.address() as AddressInfo
  at = place({ ANTHROPIC_TARGET: `http://127.0.0.1:${port}`, DEBUG: '1', NODE_OPTIONS: '--max-old-space-size=600' })
  mkdirSync(join(at.cwd, '.orchestration'))
  mkdirSync(join(at.cwd, 'src'))
  writeFileSync(join(at.cwd, 'src', 'a.ts'), 'a\n')
  daemon = await startGrove(at, 'up')
  try {
    await tell('SessionStart', { source: 'startup' })
    for (const plantThere of Object.values(PLACES)) await plantThere()
    for (let more = 0; planted < ALL; more++)
      await tell('UserPromptSubmit', {
        session_id: `${SESSION}-${more}`,
        prompt: plant(Math.min(EACH, ALL - planted)),
      })
    expect(legible(at.home, at.cwd), 'while it runs').toEqual([])
    daemon.kill('SIGTERM')
    await daemon.exit
    expect(legible(at.home, at.cwd), 'after its end').toEqual([])
    const printed = daemon.stdout + daemon.stderr
    expect(samples.slice(0, planted).filter(({ secret }) => printed.includes(secret))).toEqual([])
    expect({ planted, places: Object.keys(PLACES).length }).toEqual({ planted: ALL, places: 37 })
  } finally {
    daemon.kill('SIGKILL')
    upstream.closeAllConnections()
    upstream.close()
  }
})
