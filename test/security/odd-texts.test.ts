import { join } from 'node:path'
import { describe, it } from 'vitest'
import { attempted } from './attempted.ts'
import { MB, oddTarget } from './odd-target.ts'

// Texts that nobody writes, in every place of a hook that holds one: each hook is answered, and blocks nobody for two seconds.

const target = oddTarget()
const { tell, common } = target
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
        tool_input: { file_path: join(target.at.cwd, 'src', 'a.ts'), content: text },
      })
      await tell('pre-tool-use', {
        ...common(),
        hook_event_name: 'PreToolUse',
        tool_name: 'Edit',
        tool_input: {
          file_path: join(target.at.cwd, 'src', 'a.ts'),
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
