import { once } from 'node:events'
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../src/protocol/api/routes.ts'
import { grove, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'
import { attempted } from './attempted.ts'

// Payloads that no client sends, on every way into a running daemon: each is answered, and nothing of it blocks the daemon
// for two seconds, ends it or makes a route fail.

withBinary()

let at: Place
let daemon: Running
let answer: (response: ServerResponse) => void = (response) => response.end('{}')
const upstream = createServer((request, response) => request.resume().on('end', () => answer(response)))

beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  await startFresh()
})
async function startFresh() {
  daemon?.kill('SIGKILL')
  const { port } = upstream.address() as AddressInfo
  at = place({ ANTHROPIC_TARGET: `http://127.0.0.1:${port}`, NODE_OPTIONS: '--max-old-space-size=600' })
  mkdirSync(join(at.cwd, 'src'))
  writeFileSync(join(at.cwd, 'src', 'a.ts'), 'export const a = 1\n'.repeat(2000))
  daemon = await startGrove(at, 'up')
}
afterAll(() => {
  daemon?.kill('SIGKILL')
  upstream.closeAllConnections()
  upstream.close()
})

/** Nothing was blocked, nothing failed, and it still answers. */
afterEach(async () => {
  expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
  const said = daemon.stderr
  daemon.stderr = ''
  expect(said).not.toMatch(/blocked Grove|a request failed/)
})

const post = (url: string, body: string | Buffer, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
async function tell(event: string, body: object | string | Buffer) {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const response = await post(`${daemon.url('Web')}/hooks/${event}`, raw, daemon.asTool())
  expect(response.status).toBe(200)
  const said = await response.text()
  return JSON.parse(said) as Record<string, unknown>
}
let n = 0
const common = (more: object = {}) => ({ session_id: `odd-${n++}`, cwd: at.cwd, tool_use_id: `toolu_${n}`, ...more })
const MB = 1024 * 1024
const fill = (piece: string, size = 4 * MB) => piece.repeat(Math.ceil(size / piece.length))

describe('texts', () => {
  const TEXTS: Record<string, string> = {
    'lone surrogates': fill('\ud800x\udc00'),
    'zero bytes': fill('\0'),
    'one word without end': fill('a'),
    'signs of base64': fill('aZ3/+9'),
    'secrets that begin': fill('password='),
    'tokens that begin': fill('sk-ant-'),
    'keys that begin': fill('-----BEGIN PRIVATE KEY-----\n'),
    'spans that never end': fill('<private>'),
    'spans within spans': fill('<private></private'),
    fences: fill('```'),
    markers: fill('<!-- grove:begin -->'),
    reminders: fill('<system-reminder>'),
    quotes: fill('"\''),
    brackets: fill('([{<'),
    slashes: fill('/'),
    'dots and slashes': fill('../'),
    paths: fill('src/a.ts '),
    addresses: fill('a@b.c://'),
    links: fill('https://a:b@c/?token='),
    'line ends': fill('\n'),
    'carriage returns': fill('\r'),
    'white space': fill(' \t\u00a0\u2003'),
    escapes: fill('\u001b[31m'),
    'combining marks': fill('e\u0301\u0302\u0303'),
    'right to left': fill('\u202e\u2066'),
    numbers: fill('1e309 '),
    diffs: fill('--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n'),
    'stack traces': fill('Error: x\n    at f (src/a.ts:1:1)\n'),
    backslashes: fill('\\'),
    hex: fill('0123456789abcdef'),
    sentences: fill('Do not touch src/a.ts, but fix b.ts. '),
    limits: fill('only change a.ts and nothing else; never b.ts '),
    json: fill('{"password":"'),
    yaml: fill('- a: &a\n'),
  }
  it.each(attempted(Object.keys(TEXTS)))(
    'of %s',
    async (name) => {
      const text = TEXTS[name]!
      await tell('user-prompt-submit', { ...common(), hook_event_name: 'UserPromptSubmit', prompt: text })
      await tell('pre-tool-use', {
        ...common(),
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: text.slice(0, 250_000) },
      })
      await tell('pre-tool-use', {
        ...common(),
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: `echo "${text.slice(0, 100_000)}" > src/a.ts` },
      })
      await tell('pre-tool-use', {
        ...common(),
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: { file_path: join(at.cwd, 'src', 'a.ts'), content: text },
      })
      await tell('pre-tool-use', {
        ...common(),
        hook_event_name: 'PreToolUse',
        tool_name: 'Edit',
        tool_input: {
          file_path: join(at.cwd, 'src', 'a.ts'),
          old_string: text,
          new_string: text.slice(1),
          replace_all: true,
        },
      })
      await tell('post-tool-use', {
        ...common(),
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_response: { stdout: text, stderr: text, interrupted: false },
      })
      await tell('post-tool-use', {
        ...common(),
        hook_event_name: 'PostToolUse',
        tool_name: 'Read',
        tool_input: { file_path: text.slice(0, 5000) },
        tool_response: text,
      })
      await tell('post-tool-use-failure', {
        ...common(),
        hook_event_name: 'PostToolUseFailure',
        tool_name: 'Grep',
        tool_input: { pattern: text.slice(0, 100_000), glob: text.slice(0, 3000) },
        error: text,
      })
      await tell('subagent-stop', {
        ...common(),
        hook_event_name: 'SubagentStop',
        agent_id: 'a',
        last_assistant_message: text,
      })
      await tell('stop', {
        ...common(),
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: text,
      })
    },
    600_000,
  )
})

describe('names and numbers', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '.',
    '..',
    '\0',
    '\ud800',
    'a\nb',
    '../../../etc/passwd',
    "';drop table",
    '%00',
    '*',
    'null',
    '1e309',
    '-1',
    '\u202e',
    'a'.repeat(256),
    'a'.repeat(257),
  ]
  it('of sessions, tools, calls, agents, tasks and models', async () => {
    for (const name of NAMES)
      for (const [event, more] of [
        ['SessionStart', { source: name, model: name }],
        ['UserPromptSubmit', { prompt: `Fix ${name}`, prompt_id: name, permission_mode: name }],
        ['PreToolUse', { tool_name: name, tool_input: { [name]: name, file_path: name, command: name } }],
        [
          'PostToolUse',
          { tool_name: 'Write', tool_input: { file_path: name, content: name }, tool_response: { [name]: name } },
        ],
        ['PostToolUse', { tool_name: 'TodoWrite', tool_input: { todos: [{ content: name, status: name, id: name }] } }],
        ['SubagentStart', { agent_id: name, agent_type: name }],
        ['SubagentStop', { agent_id: name, agent_transcript_path: name, transcript_path: name }],
        ['TaskCreated', { task_id: name, task_subject: name, teammate_name: name, team_name: name }],
        ['CwdChanged', { old_cwd: name, new_cwd: name }],
        ['FileChanged', { file_path: name, event: name }],
        ['PreModelSwitch', { from_model: name, to_model: name, requested_model: name, source: name }],
        ['Notification', { message: name, notification_type: name }],
        ['Stop', { stop_hook_active: false, background_tasks: [{ id: name, type: name }], session_crons: [name] }],
        ['SessionEnd', { reason: name }],
      ] as [string, object][]) {
        const payload = { hook_event_name: event, session_id: name, cwd: at.cwd, tool_use_id: name, ...more }
        await tell(event.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase(), payload)
      }
    const known = await fetch(`${daemon.url('Web')}/api/agents`, { headers: daemon.asTool() })
    expect(known.status).toBe(200)
    await known.json()
    for (const name of NAMES)
      for (const path of ['', '/tasks', '/steps', '/drift'])
        expect(
          (
            await fetch(`${daemon.url('Web')}/api/agents/${encodeURIComponent(name.replace('\ud800', 'x'))}${path}`, {
              headers: daemon.asTool(),
            })
          ).status,
        ).toBeLessThan(500)
    for (const args of [['status'], ['status', '--json'], ['sessions'], ['insights'], ['doctor']]) {
      const { stdout, stderr } = await grove(at, ...args)
      expect(stdout + stderr).not.toMatch(/should not happen|at .*\.js:\d/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the question
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/)
    }
  }, 600_000)

  it('that no number can be', async () => {
    for (const number of ['1e309', '-1e309', '1e-400', '-0', '9007199254740993', `1${'0'.repeat(400)}`, '-1', '0.1']) {
      const head = `"session_id":"numbers","cwd":${JSON.stringify(at.cwd)}`
      const file = JSON.stringify(join(at.cwd, 'src', 'a.ts'))
      await tell(
        'post-tool-use',
        `{${head},"tool_name":"Read","tool_use_id":"t${number}","tool_input":{"file_path":${file},"offset":${number},"limit":${number}},"tool_response":{"file":{"numLines":${number},"startLine":${number},"totalLines":${number}}},"duration_ms":${number}}`,
      )
      await tell(
        'post-tool-use',
        `{${head},"tool_name":"Edit","tool_use_id":"u${number}","tool_input":{"file_path":${file},"old_string":"a","new_string":"b"},"tool_response":{"structuredPatch":[{"oldStart":${number},"oldLines":${number},"newStart":${number},"newLines":${number},"lines":["+a"]}]}}`,
      )
      await tell(
        'post-tool-use',
        `{${head},"tool_name":"Bash","tool_use_id":"v${number}","tool_input":{"command":"sleep 1","timeout":${number}},"tool_response":{"stdout":"","code":${number}}}`,
      )
      await tell(
        'message-display',
        `{${head},"turn_id":"t","message_id":"m","index":${number},"final":true,"delta":"x"}`,
      )
    }
  }, 600_000)

  it('of folders and transcripts that lead elsewhere', async () => {
    const sparse = join(at.cwd, '..', 'sparse.jsonl')
    const file = openSync(sparse, 'w')
    ftruncateSync(file, 4 * 1024 * MB)
    closeSync(file)
    for (const place of [
      '/',
      '/dev/zero',
      '/dev/random',
      '/dev/stdin',
      '/dev/tty',
      '/proc/self/mem',
      '/proc/self/fd/0',
      '/proc/kmsg',
      '/proc/self/pagemap',
      '/sys/kernel/debug',
      sparse,
      'C:\\',
      '//host/share',
      'relative',
      '~',
      `${'/a'.repeat(2000)}`,
      `/${'a'.repeat(4000)}`,
      '/\0',
      'file:///etc/passwd',
    ])
      for (const [event, more] of [
        ['session-start', { hook_event_name: 'SessionStart', source: 'startup' }],
        ['user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'Fix it' }],
        [
          'pre-tool-use',
          { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: place, content: 'x' } },
        ],
        [
          'pre-tool-use',
          {
            hook_event_name: 'PreToolUse',
            tool_name: 'Bash',
            tool_input: { command: `git apply ${place}; sh ${place}; cat a > ${place}; cd ${place}` },
          },
        ],
        [
          'post-tool-use',
          {
            hook_event_name: 'PostToolUse',
            tool_name: 'Edit',
            tool_input: { file_path: place, old_string: 'a', new_string: 'b' },
          },
        ],
        [
          'post-tool-use',
          {
            hook_event_name: 'PostToolUse',
            tool_name: 'Bash',
            tool_input: { command: `cat a > ${place}` },
            tool_response: {},
          },
        ],
        ['stop', { hook_event_name: 'Stop', stop_hook_active: false }],
        ['subagent-stop', { hook_event_name: 'SubagentStop', agent_id: 'a', agent_transcript_path: place }],
        ['pre-compact', { hook_event_name: 'PreCompact', trigger: 'auto' }],
        ['session-end', { hook_event_name: 'SessionEnd', reason: 'exit' }],
      ] as [string, object][]) {
        await tell(event, { ...common(), ...more, transcript_path: place })
        await tell(event, { ...common(), cwd: place, ...more })
      }
  }, 600_000)
})

describe('bytes', () => {
  it('that are no UTF-8, no JSON or no object', async () => {
    for (const body of [
      '',
      ' ',
      '\ufeff{}',
      '{',
      '[]',
      '0',
      'null',
      '"a"',
      '{"session_id":',
      '{}{}',
      '{"a":1,}',
      "{'a':1}",
      'NaN',
      '{"session_id":"a","session_id":["b"],"cwd":{}}',
      '\0\0\0',
      '{"session_id":"\\ud800","cwd":"\\udfff","prompt":"\\u0000"}',
    ])
      await tell('user-prompt-submit', body)
    for (const bytes of [
      [0xff, 0xfe],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
    ])
      await tell(
        'user-prompt-submit',
        Buffer.concat([Buffer.from('{"session_id":"bytes","prompt":"'), Buffer.from(bytes), Buffer.from('"}')]),
      )
    await tell('user-prompt-submit', gzipSync('{}'))
  })

  it('with two hundred thousand entries, a hundred thousand names, or the same name again and again', async () => {
    const many = Array.from({ length: 200_000 }, (_, k) => `"k${k}":${k}`).join(',')
    const same = Array.from({ length: 99_000 }, (_, k) => `"__proto__":{"a":${k % 10}}`).join(',')
    for (const body of [many, same.slice(0, same.length)])
      await tell(
        'pre-tool-use',
        `{"session_id":"many","cwd":${JSON.stringify(at.cwd)},"tool_name":"Write","tool_input":{${body}}}`,
      )
    const fewer = Array.from({ length: 45_000 }, (_, k) => ({ old_string: `a${k}`, new_string: `b${k}` }))
    for (const event of ['pre-tool-use', 'post-tool-use'])
      await tell(event, {
        ...common(),
        tool_name: 'MultiEdit',
        tool_input: { file_path: join(at.cwd, 'src', 'a.ts'), edits: fewer },
        tool_response: {},
      })
    const todos = Array.from({ length: 30_000 }, (_, k) => ({ content: `Do ${k} in src/${k}.ts`, status: 'pending' }))
    await tell('post-tool-use', { ...common(), tool_name: 'TodoWrite', tool_input: { todos }, tool_response: {} })
    const calls = Array.from({ length: 20_000 }, (_, k) => ({
      tool_name: 'Write',
      tool_use_id: `b${k}`,
      tool_input: { file_path: `src/${k}.ts` },
    }))
    await tell('post-tool-batch', { ...common(), tool_calls: calls })
    await tell('stop', { ...common(), background_tasks: Array(90_000).fill('x'), stop_hook_active: false })
  }, 600_000)

  it('of a shell command that is little and becomes much', async () => {
    const commands = [
      `echo ${'{a,b}'.repeat(40)}`,
      `rm ${'{1..100000}'.repeat(5)}`,
      `cat <<A\n${'<<B '.repeat(10_000)}\nA`,
      `${'a=$a$a;'.repeat(5000)} rm $a`,
      `${'eval '.repeat(20_000)} rm x`,
      `sh -c '${'sh -c "'.repeat(5000)}`,
      `${'! '.repeat(50_000)}rm a`,
      `${'a | '.repeat(50_000)}tee b`,
      `${'a && '.repeat(50_000)}rm b`,
      `for i in ${'a '.repeat(100_000)}; do rm $i; done`,
      `${'if a; then '.repeat(400)} b ${'; fi'.repeat(400)}`,
      `git ${'-c a=b '.repeat(30_000)} apply x`,
      `sed -i ${"'s/a/b/;'".repeat(20_000)} src/a.ts`,
      `find . ${'-exec rm {} ; '.repeat(20_000)}`,
      `xargs ${'xargs '.repeat(30_000)} rm`,
      `cp ${'src/a.ts '.repeat(25_000)} src`,
      `mv ${Array.from({ length: 20_000 }, (_, k) => `f${k}`).join(' ')} src`,
      `python3 -c "${"open('a','w');".repeat(15_000)}"`,
      `node -e "${'require("fs").writeFileSync("a",'.repeat(6000)}"`,
      `apply_patch <<'E'\n*** Begin Patch\n${'*** Add File: a\n+x\n'.repeat(10_000)}*** End Patch\nE`,
      `rm ${'[a-z]*?'.repeat(30_000)}`,
      `rm ${'+(a|'.repeat(400)}b${')'.repeat(400)}`,
      `cd ${'a/../'.repeat(40_000)} && rm a`,
      `\${${'a:-${'.repeat(400)}`,
      `echo $((${'('.repeat(490)}1${')'.repeat(490)}))`,
      `alias ${'a=b '.repeat(60_000)}; a`,
      `f(){ ${'f;'.repeat(60_000)} }; f`,
      `make ${Array.from({ length: 20_000 }, (_, k) => `t${k}`).join(' ')}`,
      `tar xf ${'a.tar '.repeat(30_000)} && unzip ${'b.zip '.repeat(10_000)}`,
      `echo '${'%s'.repeat(100_000)}' > "$(${'echo '.repeat(10_000)})"`,
    ]
    for (const command of attempted(commands)) {
      await tell('pre-tool-use', { ...common(), tool_name: 'Bash', tool_input: { command } })
      await tell('post-tool-use', {
        ...common(),
        tool_name: 'Bash',
        tool_input: { command },
        tool_response: { stdout: '' },
      })
    }
  }, 600_000)

  it('of hundreds of sessions, each heard of once', async () => {
    for (let round = 0; round < (process.env.GROVE_ATTACKS === 'all' ? 15 : 2); round++)
      await Promise.all(
        Array.from({ length: 200 }, (_, k) =>
          tell('user-prompt-submit', { session_id: `flood-${round}-${k}`, cwd: at.cwd, prompt: `Fix src/${k}.ts` }),
        ),
      )
    expect((await fetch(`${daemon.url('Web')}/api/agents`, { headers: daemon.asTool() })).status).toBe(200)
    expect((await fetch(`${daemon.url('Web')}/api/insights`, { headers: daemon.asTool() })).status).toBe(200)
  }, 600_000)
})

describe('every route', () => {
  // A daemon that knows none of the projects and sessions above.
  beforeAll(startFresh)

  const BODIES = [
    '',
    '{}',
    '[]',
    'null',
    '0',
    '"a"',
    '{"__proto__":{"a":1},"constructor":{"prototype":{}}}',
    `{"a":1e309}`,
    `{"name":"\\ud800\\u0000","ownedScope":["\\u0000"],"scope":{"type":"__proto__"}}`,
    `{"name":${JSON.stringify('x'.repeat(900_000))}}`,
    `{"ownedScope":${JSON.stringify(Array(100_000).fill('**'))}}`,
    `{"answer":{},"answers":[[[]]],"text":{},"name":[],"ids":{},"until":-1e308,"minutes":1e308,"version":"NaN"}`,
  ]
  const WORDS = [
    'x',
    '__proto__',
    '%00',
    '%ED%A0%80',
    '..%2f..%2f..%2fetc',
    '%2e%2e',
    '%',
    '%0d%0a',
    'a'.repeat(5000),
    '%F0%9F%92%A9',
    "'--",
  ]
  const QUERIES = [
    '',
    '?limit=1e309',
    '?limit=-1&offset=-1&after=-1&before=1e309',
    '?limit=NaN&after=__proto__',
    '?limit=99999999999999999999',
    '?q=%22&query=%22',
    '?q=NEAR(a%20b)%20OR%20*&query=a*%20NEAR%20(',
    '?q=%00%ED%A0%80&file=%00',
    '?q=a&q=b&limit=1&limit=2',
    `?q=${'a%20OR%20'.repeat(1000)}&query=${'(%22'.repeat(1000)}`,
    '?project=..%2f..&file=..%2f..%2fetc%2fpasswd&path=/etc/passwd',
    '?since=-8.64e15&until=8.65e15&from=x&to=%00',
    '?__proto__[a]=1&constructor.prototype=1',
  ]
  it('answers what it cannot use with a refusal', async () => {
    const failed: string[] = []
    const routes = Object.values(api)
      .flatMap((noun) => Object.values(noun))
      .map(({ method, path }) => ({ method, path }))
    const headers = { ...daemon.asTool(), 'content-type': 'application/json' }
    const ask = async (method: string, path: string, body?: string) => {
      const { host, port } = { host: '127.0.0.1', port: new URL(daemon.url('Web')).port }
      const status = await new Promise<number>((resolve) => {
        const request = httpRequest(
          { host, port, path, method, headers: { ...headers, 'content-length': Buffer.byteLength(body ?? '') } },
          (response) =>
            response
              .resume()
              .on('end', () => resolve(response.statusCode ?? 0))
              .on('error', () => resolve(0)),
        )
        request.on('error', () => resolve(-1))
        request.end(body)
      })
      if (status >= 500 || status <= 0) failed.push(`${status} ${method} ${path.slice(0, 100)} ${body?.slice(0, 60)}`)
    }
    for (const { method, path } of routes) {
      if (path === '/health') continue
      await Promise.all(
        WORDS.map((word) => ask(method, path.replace(/:\w+/g, word), method === 'GET' ? undefined : '{}')),
      )
      if (method === 'GET') await Promise.all(QUERIES.map((query) => ask(method, path.replace(/:\w+/g, 'x') + query)))
      else for (const body of BODIES) await ask(method, path.replace(/:\w+/g, 'x'), body)
    }
    expect(failed).toEqual([])
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  }, 600_000)
})

describe('the proxy', () => {
  const ask = (body: string | Buffer, headers: Record<string, string> = {}) =>
    post(`${daemon.url('Proxy')}/v1/messages?beta=true`, body, {
      'x-api-key': 'k',
      'x-claude-code-session-id': `p-${n++}`,
      ...headers,
    })
  const request = (more: string) =>
    `{"model":"claude-opus-4-8","max_tokens":100,"stream":true,"thinking":{"type":"adaptive"},"tools":[{"name":"Agent"}],"system":[{"type":"text","text":"x-anthropic-billing-header: x"},{"type":"text","text":"You help.\\n - Primary working directory: ${at.cwd}"}],${more}}`
  const user = '{"role":"user","content":"Fix src/a.ts"}'

  it('passes requests on as they came, whatever they hold', async () => {
    answer = (response) => response.end('{}')
    const huge = JSON.stringify('x'.repeat(20 * MB))
    const bodies = [
      request(`"messages":[${Array(100_000).fill(user).join(',')}]`),
      request(`"messages":[{"role":"user","content":${huge}}]`),
      request(
        `"messages":[{"role":"user","content":[${Array(150_000).fill('{"type":"text","text":"a"}').join(',')}]}]`,
      ),
      request(
        `"messages":[{"role":"assistant","content":[${Array.from({ length: 50_000 }, (_, k) => `{"type":"tool_use","id":"t${k}","name":"Write","input":{"file_path":"src/a.ts","content":"x"}}`).join(',')}]},{"role":"user","content":[${Array.from({ length: 50_000 }, (_, k) => `{"type":"tool_result","tool_use_id":"t${k}","content":"ok"}`).join(',')}]}]`,
      ),
      request(`"messages":[{"role":"user","content":"\\ud800\\u0000"}],"max_tokens":1e309,"temperature":-1e309`),
      request(`"messages":[{"role":"__proto__","content":{"__proto__":[]}}],"__proto__":{"a":1}`),
      request(
        `"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"__proto__","content":[{"type":"constructor"}]}]}]`,
      ),
      request(`"messages":${'['.repeat(3000)}${']'.repeat(3000)}`),
      request(`"messages":[${user}],"messages":[],"messages":{}`),
      request(`"messages":[${user}],"model":${JSON.stringify('m'.repeat(5 * MB))}`),
      `${request(`"messages":[${user}]`)}garbage`,
      `${' '.repeat(5 * MB)}${request(`"messages":[${user}]`)}`,
      '{"messages":[{"role":"user","content":"',
      '\ufeff{}',
      '[]',
      '',
    ]
    for (const body of bodies) expect((await ask(body)).status, body.slice(0, 80)).toBe(200)
    expect((await ask(Buffer.from([0xff, 0xfe, 0x00]))).status).toBe(200)
    expect((await ask(gzipSync(request(`"messages":[${user}]`)), { 'content-encoding': 'gzip' })).status).toBe(200)
    for (const header of ['__proto__', 'a'.repeat(8000), '../../x', "'"])
      expect((await ask(request(`"messages":[${user}]`), { 'x-claude-code-session-id': header })).status).toBe(200)
  }, 600_000)

  const event = (data: string) => `event: x\ndata: ${data}\n\n`
  const start = event(
    '{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
  )
  const STREAMS: Record<string, () => string[]> = {
    'a line without end': () => ['data: ', ...Array(40).fill('x'.repeat(MB))],
    'an event without end': () => Array(20_000).fill(`data: ${'x'.repeat(500)}\n`),
    'blocks with numbers that none has': () => [
      start,
      ...['1e9', '-1', '1e309', '"__proto__"', '0.5', '9007199254740993', 'null'].map(
        (index) =>
          event(
            `{"type":"content_block_start","index":${index},"content_block":{"type":"tool_use","id":"t","name":"Write","input":{}}}`,
          ) +
          event(
            `{"type":"content_block_delta","index":${index},"delta":{"type":"input_json_delta","partial_json":"{"}}`,
          ) +
          event(`{"type":"content_block_stop","index":${index}}`),
      ),
    ],
    'three hundred thousand blocks': () => [
      start,
      ...Array.from({ length: 300_000 }, (_, k) =>
        event(`{"type":"content_block_start","index":${k},"content_block":{"type":"text","text":""}}`),
      ),
    ],
    'a call that is written sign by sign': () => [
      start,
      event(
        '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Write","input":{}}}',
      ),
      ...Array(300_000).fill(
        event('{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"["}}'),
      ),
      event('{"type":"content_block_stop","index":0}'),
      event('{"type":"message_stop"}'),
    ],
    'numbers of use that cannot be': () => [
      start,
      ...['1e309', '-5', '"a"', '{}', 'null', '1e15'].map((k) =>
        event(
          `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":${k},"output_tokens":${k},"cache_read_input_tokens":${k}}}`,
        ),
      ),
      event('{"type":"message_stop"}'),
    ],
    'events that are none': () => [
      start,
      event('{'),
      event('null'),
      event('[]'),
      event('"a"'),
      event(''),
      ':\n\n',
      'data\n\n',
      '\r\r\r',
      '\0\n\n',
      event('{"type":"__proto__"}'),
      event('{"type":{}}'),
    ],
    'a text of thirty megabytes': () => [
      start,
      event('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
      ...Array(30).fill(
        event(
          `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${'I am done. '.repeat(90_000)}"}}`,
        ),
      ),
      event('{"type":"content_block_stop","index":0}'),
      event('{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}'),
      event('{"type":"message_stop"}'),
    ],
  }
  it.each(attempted(Object.keys(STREAMS), 3))(
    'passes on a stream of %s as it came',
    async (name) => {
      const pieces = STREAMS[name]!()
      answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const write = (from: number) => {
          for (let k = from; k < pieces.length; k++)
            if (!response.write(pieces[k]!)) return void response.once('drain', () => write(k + 1))
          response.end()
        }
        write(0)
      }
      const response = await ask(request(`"messages":[${user}]`))
      let got = 0
      for await (const chunk of response.body!) got += chunk.length
      expect(got).toBe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
    },
    600_000,
  )

  it('unpacks no answer that becomes a thousand times as much', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * MB), { level: 9 })
    for (const type of ['text/event-stream', 'application/json']) {
      answer = (response) =>
        response
          .writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'content-length': bomb.length })
          .end(bomb)
      const { port } = new URL(daemon.url('Proxy'))
      const got = await new Promise<number>((resolve) => {
        const body = request(`"messages":[${user}]`)
        const one = httpRequest(
          {
            host: '127.0.0.1',
            port,
            path: '/v1/messages?beta=true',
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
              'x-claude-code-session-id': 'bomb',
            },
          },
          (response) => {
            let size = 0
            response
              .on('data', (chunk: Buffer) => {
                size += chunk.length
              })
              .on('end', () => resolve(size))
          },
        )
        one.end(body)
      })
      expect(got).toBe(bomb.length)
    }
  }, 600_000)

  it('asks nobody but its upstream, whatever stands in the request’s line', async () => {
    let strayed = 0
    const elsewhere = createServer((_request, response) => {
      strayed++
      response.end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const other = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    answer = (response) => response.end('{}')
    const { host, hostname, port } = new URL(daemon.url('Proxy'))
    const lines = [
      `POST http://${other}/v1/messages HTTP/1.1`,
      `GET //${other}/ HTTP/1.1`,
      `GET /\\${other}/ HTTP/1.1`,
      `GET @${other}/ HTTP/1.1`,
      `GET /@${other} HTTP/1.1`,
      `GET .${other}/ HTTP/1.1`,
      `CONNECT ${other} HTTP/1.1`,
      `GET http://${other} HTTP/1.0`,
      `POST /v1/messages#@${other} HTTP/1.1`,
      `OPTIONS * HTTP/1.1`,
      `GET http:${other}/ HTTP/1.1`,
      `GET /grove-${'a'.repeat(32)}//${other}/ HTTP/1.1`,
    ]
    for (const line of lines) {
      for (const named of [host, other]) {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        socket.end(`${line}\r\nhost: ${named}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`)
        socket.resume()
        await once(socket, 'close')
      }
    }
    elsewhere.close()
    expect(strayed).toBe(0)
  })
})
