import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { grove } from '../cli/grove.ts'
import { MB, oddTarget } from './odd-target.ts'

// Names, numbers, folders and bytes that no client sends to a hook: each is answered, and nothing of them blocks the daemon for
// two seconds, ends it or makes a route fail.

const target = oddTarget()
const { tell, common } = target

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
        const payload = { hook_event_name: event, session_id: name, cwd: target.at.cwd, tool_use_id: name, ...more }
        await tell(event.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase(), payload)
      }
    const known = await fetch(`${target.daemon.url('Web')}/api/agents`, { headers: target.daemon.asTool() })
    expect(known.status).toBe(200)
    await known.json()
    for (const name of NAMES)
      for (const path of ['', '/tasks', '/steps', '/drift'])
        expect(
          (
            await fetch(
              `${target.daemon.url('Web')}/api/agents/${encodeURIComponent(name.replace('\ud800', 'x'))}${path}`,
              {
                headers: target.daemon.asTool(),
              },
            )
          ).status,
        ).toBeLessThan(500)
    for (const args of [['status'], ['status', '--json'], ['sessions'], ['insights'], ['doctor']]) {
      const { stdout, stderr } = await grove(target.at, ...args)
      expect(stdout + stderr).not.toMatch(/should not happen|at .*\.js:\d/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the question
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/)
    }
  }, 600_000)

  it('that no number can be', async () => {
    for (const number of ['1e309', '-1e309', '1e-400', '-0', '9007199254740993', `1${'0'.repeat(400)}`, '-1', '0.1']) {
      const head = `"session_id":"numbers","cwd":${JSON.stringify(target.at.cwd)}`
      const file = JSON.stringify(join(target.at.cwd, 'src', 'a.ts'))
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
    const sparse = join(target.at.cwd, '..', 'sparse.jsonl')
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
        `{"session_id":"many","cwd":${JSON.stringify(target.at.cwd)},"tool_name":"Write","tool_input":{${body}}}`,
      )
    const fewer = Array.from({ length: 45_000 }, (_, k) => ({ old_string: `a${k}`, new_string: `b${k}` }))
    for (const event of ['pre-tool-use', 'post-tool-use'])
      await tell(event, {
        ...common(),
        tool_name: 'MultiEdit',
        tool_input: { file_path: join(target.at.cwd, 'src', 'a.ts'), edits: fewer },
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

  it('of hundreds of sessions, each heard of once', async () => {
    for (let round = 0; round < (process.env.GROVE_ATTACKS === 'all' ? 15 : 2); round++)
      await Promise.all(
        Array.from({ length: 200 }, (_, k) =>
          tell('user-prompt-submit', {
            session_id: `flood-${round}-${k}`,
            cwd: target.at.cwd,
            prompt: `Fix src/${k}.ts`,
          }),
        ),
      )
    expect((await fetch(`${target.daemon.url('Web')}/api/agents`, { headers: target.daemon.asTool() })).status).toBe(
      200,
    )
    expect((await fetch(`${target.daemon.url('Web')}/api/insights`, { headers: target.daemon.asTool() })).status).toBe(
      200,
    )
  }, 600_000)
})
