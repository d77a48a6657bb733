import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addHooks,
  editSettings,
  envOf,
  footprintOf,
  type HookDefinition,
  type HookEntry,
  hooksOf,
  parseSettings,
  removeHooks,
  type Settings,
  setEnv,
  unsetEnv,
} from './settings.ts'

const ours: HookEntry[] = [
  {
    event: 'PreToolUse',
    matcher: 'Write|Edit',
    hook: { type: 'command', command: 'grove hook pre-tool-use', timeout: 10 },
  },
  { event: 'PreToolUse', hook: { type: 'http', url: 'http://127.0.0.1:3333/hooks/pre-tool-use' } },
  { event: 'Stop', hook: { type: 'command', command: 'grove hook stop' } },
]
const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080', ENABLE_TOOL_SEARCH: 'true' }
const isOurs = (hook: HookDefinition) => /grove hook|:3333\/hooks/.test(`${hook.command} ${hook.url}`)

const handWritten = `{
    "permissions": { "allow": ["Bash(ls:*)", "Read"],   "deny": [] },
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "./check.sh"}]}
        ]
    },
    "cleanupPeriodDays": 3.0e1
}
`

describe('a settings file', () => {
  it('shows its hooks and variables', () => {
    const settings = read('{"env":{"A":"1","B":2,"C":{}},"hooks":{"Stop":["odd",{"hooks":[{"type":"prompt"},{}]}]}}')
    expect(envOf(settings)).toEqual({ A: '1', B: '2' })
    expect(hooksOf(settings)).toEqual([{ event: 'Stop', hook: { type: 'prompt' } }])
    expect(hooksOf(read(handWritten))).toEqual([
      { event: 'PreToolUse', matcher: 'Bash', hook: { type: 'command', command: './check.sh' } },
    ])
  })

  it.each([
    ['{\n  "a": 1,\n}', 3, 1, 'a key in double quotes was expected here'],
    ['{\n  // note\n}', 2, 3, 'a key in double quotes was expected here'],
    ['{"a": tru}', 1, 7, 'a value was expected here'],
    ['{"a": 1 "b": 2}', 1, 9, '"," or "}" was expected here'],
    ['{"a" 1}', 1, 6, '":" was expected here'],
    ['{"a": [1, 2}', 1, 12, '"," or "]" was expected here'],
    ['{"a": "open\n}', 1, 7, 'this string is not closed, or not legal'],
    ['{"a": 01}', 1, 7, 'a value was expected here'],
    ['{} {}', 1, 4, 'nothing more was expected here'],
    ['{"a": {', 1, 8, 'the file ends too early'],
  ])('%j is broken at line %i, column %i: %s', (text, line, column, message) => {
    expect(parseSettings(text)).toEqual({ ok: false, problem: { message, line, column } })
  })

  it.each(['', '\n', ' \r\n\t'])('%j sets nothing, and can be added to', (text) => {
    expect(parseSettings(text)).toEqual({ ok: true, settings: {} })
    expect(editSettings(text, {})).toBe(text)
    expect(JSON.parse(editSettings(text, { env: { A: '1' } }))).toEqual({ env: { A: '1' } })
  })

  it.each([
    ['[]', 'the file must hold one JSON object'],
    ['{"hooks": []}', '"hooks" must be an object of event names'],
    ['{"hooks": {"Stop": {}}}', '"hooks.Stop" must be a list'],
    ['{"env": "A=1"}', '"env" must be an object of names and values'],
  ])('%s has an impossible shape: %s', (text, message) => {
    expect(parseSettings(text)).toEqual({ ok: false, problem: { message } })
  })

  it('is JSON exactly when JSON.parse says so, or nothing at all', () => {
    const texts = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().chain((json) => fc.nat(json.length).map((end) => json.slice(0, end))),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const reading = parseSettings(text)
        const broken = !reading.ok && reading.problem.line !== undefined
        expect(broken).toBe(text.trim() !== '' && !isJson(text))
      }),
    )
  })

  it('nested without end is a problem, not a crash', () => {
    expect(parseSettings('['.repeat(100_000))).toMatchObject({ ok: false, problem: { message: 'nested too deeply' } })
  })
})

describe('attaching', () => {
  it('changes nothing but what it adds', () => {
    const attached = editSettings(handWritten, setEnv(addHooks(read(handWritten), ours), env))
    expect(attached).toBe(`{
    "permissions": { "allow": ["Bash(ls:*)", "Read"],   "deny": [] },
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "./check.sh"}]},
            {
                "matcher": "Write|Edit",
                "hooks": [
                    {
                        "type": "command",
                        "command": "grove hook pre-tool-use",
                        "timeout": 10
                    }
                ]
            },
            {
                "hooks": [
                    {
                        "type": "http",
                        "url": "http://127.0.0.1:3333/hooks/pre-tool-use"
                    }
                ]
            }
        ],
        "Stop": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "grove hook stop"
                    }
                ]
            }
        ]
    },
    "cleanupPeriodDays": 3.0e1,
    "env": {
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:8080",
        "ENABLE_TOOL_SEARCH": "true"
    }
}
`)
  })

  it('twice is the same as once', () => {
    const once = setEnv(addHooks(read(handWritten), ours), env)
    expect(setEnv(addHooks(once, ours), env)).toEqual(once)
  })

  it.each([
    ['nothing', '{}'],
    ['nothing, with a line end', '{}\n'],
    ['an open pair of braces', '{\n}\n'],
    ['one line', '{"model":"opus"}'],
    ['one airy line', '{ "model": "opus", "x": [] }\n'],
    ['tabs', '{\n\t"model": "opus"\n}\n'],
    ['Windows line ends', '{\r\n  "model": "opus",\r\n  "env": {}\r\n}\r\n'],
    ['a byte order mark', '\uFEFF{\n  "model": "opus"\n}'],
    ['empty containers', '{\n  "hooks": {\n    "Stop": [],\n    "PreToolUse": []\n  },\n  "env": {}\n}\n'],
    ['the same key twice', '{\n  "model": "a",\n  "model": "b"\n}\n'],
    ['variables we replace', '{"env": {"B": "1", "ANTHROPIC_BASE_URL": "https://gw.example", "C": "2"}}\n'],
    ['the hand-written one', handWritten],
  ])('and detaching leaves no trace in a file with %s', (_, text) => {
    expect(roundTrip(text)).toBe(text)
  })

  it('and detaching leaves no trace in any file', () => {
    fc.assert(
      fc.property(anySettingsText(), (text) => roundTrip(text) === text),
      { numRuns: 500 },
    )
  })

  it('and detaching without a memory of before still removes every trace of ours', () => {
    fc.assert(
      fc.property(anySettingsText(), (text) => {
        const attached = setEnv(addHooks(read(text), ours), env)
        const detached = unsetEnv(removeHooks(attached, isOurs), env)
        expect(hooksOf(detached)).toEqual(hooksOf(read(text)))
        expect(Object.keys(envOf(detached)).filter((name) => name in env)).toEqual([])
      }),
    )
  })
})

describe('detaching', () => {
  it("leaves the user's hooks in a group they share with ours", () => {
    const shared = read(
      '{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"grove hook stop"},{"type":"command","command":"mine"}]}]}}',
    )
    expect(removeHooks(shared, isOurs)).toEqual({
      hooks: { Stop: [{ matcher: '*', hooks: [{ type: 'command', command: 'mine' }] }] },
    })
  })

  it('leaves a variable alone that the user has changed since', () => {
    expect(unsetEnv({ env: { ANTHROPIC_BASE_URL: 'https://mine.example' } }, env)).toEqual({
      env: { ANTHROPIC_BASE_URL: 'https://mine.example' },
    })
  })

  it('keeps what the user wrote in the meantime', () => {
    const attached = editSettings('{\n  "model": "opus"\n}\n', addHooks({ model: 'opus' }, ours))
    const edited = attached.replace('"model": "opus"', '"model": "haiku",\n\n  "theme": "dark"')
    const detached = editSettings(edited, removeHooks(read(edited), isOurs))
    expect(detached).toBe('{\n  "model": "haiku",\n\n  "theme": "dark"\n}\n')
  })

  it('touches nothing where nothing is ours', () => {
    const settings = read(handWritten)
    expect(editSettings(handWritten, unsetEnv(removeHooks(settings, isOurs), env))).toBe(handWritten)
  })
})

it('an edit that replaces everything leaves nothing behind', () => {
  expect(JSON.parse(editSettings('{\n  "a": 1,\n  "b": [1, 2]\n}\n', { c: { d: [3] } }))).toEqual({ c: { d: [3] } })
})

it('an edit always means what it should, even when the whole value changes', () => {
  fc.assert(
    fc.property(anySettingsText(), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (text, now) => {
      const wanted = JSON.parse(JSON.stringify(now))
      expect(read(editSettings(text, wanted), true)).toEqual(wanted)
    }),
  )
})

function roundTrip(text: string): string {
  const before = read(text)
  const footprint = footprintOf(before, Object.keys(env))
  const attached = editSettings(text, setEnv(addHooks(before, ours), env))
  expect(read(attached)).toEqual(setEnv(addHooks(before, ours), env))
  const detached = unsetEnv(removeHooks(read(attached), isOurs, footprint), env, footprint)
  expect(detached).toEqual(before)
  return editSettings(attached, detached)
}

function read(text: string, anyShape = false): Settings {
  const reading = parseSettings(text)
  if (reading.ok) return reading.settings
  if (anyShape && reading.problem.line === undefined) return JSON.parse(text.replace(/^\uFEFF/, ''))
  throw new Error(`${reading.problem.message} in ${text}`)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

/** Settings of any content in any formatting: indentation, spaces, line ends and inline containers at random. */
function anySettingsText(): fc.Arbitrary<string> {
  const hook = fc.record({ type: fc.constantFrom('command', 'http'), command: fc.constantFrom('mine', './a.sh') })
  const group = fc.record(
    { matcher: fc.constantFrom('', 'Bash'), hooks: fc.array(hook, { maxLength: 2 }) },
    { requiredKeys: ['hooks'] },
  )
  const hooks = fc.dictionary(fc.constantFrom('Stop', 'PreToolUse', 'SessionEnd'), fc.array(group, { maxLength: 2 }))
  const variables = fc.dictionary(fc.constantFrom('A', 'B', 'ANTHROPIC_BASE_URL'), fc.constantFrom('x', 'y'))
  const others = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
  const known = fc.record({ hooks, env: variables }, { requiredKeys: [] })
  const settings = fc
    .tuple(others, known, fc.boolean())
    .map(([a, b, first]) => (first ? { ...b, ...without(a) } : { ...without(a), ...b }))
  const layout = fc.record({
    unit: fc.constantFrom('  ', '    ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', 'eol'),
    inline: fc.infiniteStream(fc.boolean()),
  })
  return fc.tuple(settings, layout).map(([value, { unit, eol, end, inline }]) => {
    const print = (json: unknown, indent: string): string => {
      if (typeof json !== 'object' || json === null) return JSON.stringify(json)
      const [open, close] = Array.isArray(json) ? '[]' : '{}'
      const items = Array.isArray(json)
        ? json.map((item) => print(item, indent + unit))
        : Object.entries(json).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, indent + unit)}`)
      if (items.length === 0) return open! + close
      if (inline.next().value) return `${open} ${items.join(', ')} ${close}`
      return `${open}${eol}${items.map((item) => indent + unit + item).join(`,${eol}`)}${eol}${indent}${close}`
    }
    return print(value, '') + (end && eol)
  })
}

function without(settings: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => key !== 'hooks' && key !== 'env'))
}
