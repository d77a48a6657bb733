import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editJson } from '#protocol/json-edit.ts'
import { hooksOf, parseSettings } from '#protocol/settings.ts'
import { type HookTarget, hookEntries, isOurHook } from './entries.ts'
import { type Addition, attach, detach, OUR_TOOLS, type SettingsTrace } from './install.ts'

const target: HookTarget = {
  command: { program: '/home/me/.grove/bin/grove-hook', args: [] },
  http: { url: 'http://127.0.0.1:3333', key: 'secret' },
  approvalWaitSeconds: 120,
}
const addition: Addition = {
  hooks: hookEntries('auto', target),
  env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080', ENABLE_TOOL_SEARCH: 'true' },
  allow: OUR_TOOLS,
}

const handWritten = `{
    "permissions": { "allow": ["Bash(ls:*)", "Read"],   "deny": [] },
    "hooks": { "Stop": [ {"hooks": [{"type": "command", "command": "./bell.sh"}]} ] },
    "env": {"ANTHROPIC_BASE_URL": "https://gateway.example"}
}
`

describe('the hooks', () => {
  it('are commands where something must hold, and http where a miss is harmless', () => {
    const kinds = hookEntries('auto', target).map(({ event, hook }) => [event, hook.type])
    expect(Object.fromEntries(kinds)).toEqual({
      SessionStart: 'command',
      UserPromptSubmit: 'command',
      PreToolUse: 'command',
      PermissionRequest: 'command',
      PostToolUse: 'command',
      PostToolUseFailure: 'command',
      SubagentStart: 'http',
      SubagentStop: 'http',
      PreCompact: 'http',
      Stop: 'command',
      SessionEnd: 'command',
    })
  })

  it('go over http as far as the client can, when that is wanted', () => {
    const commands = hookEntries('http', target).filter(({ hook }) => hook.type === 'command')
    expect(commands.map(({ event }) => event)).toEqual(['SessionStart'])
  })

  it('carry the token, and leave the guard time to wait for a person', () => {
    const [http] = hookEntries('http', target).filter(({ event }) => event === 'PreToolUse')
    expect(http?.hook).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:3333/hooks/pre-tool-use',
      headers: { Authorization: 'Bearer secret' },
      timeout: 150,
    })
  })

  it('are recognised whichever Grove wrote them, and nobody else is taken for one', () => {
    for (const { event, hook } of [...hookEntries('http', target), ...hookEntries('command', target)]) {
      expect(isOurHook(hook, event)).toBe(true)
    }
    expect(isOurHook({ type: 'command', command: '/opt/x/grove-hook', args: ['stop'] }, 'Stop')).toBe(true)
    expect(isOurHook({ type: 'command', command: 'node', args: ['C:\\grove\\hook.cjs', 'stop'] }, 'Stop')).toBe(true)
    expect(isOurHook({ type: 'command', command: './bell.sh' }, 'Stop')).toBe(false)
    expect(isOurHook({ type: 'http', url: 'https://hooks.example/hooks/stop' }, 'Stop')).toBe(false)
    expect(isOurHook({ type: 'http', url: 'http://127.0.0.1:9/other' }, 'Stop')).toBe(false)
  })
})

describe('attaching', () => {
  it("adds Grove behind the user's own hooks, and points the client at the proxy", () => {
    const { after } = done(attach(handWritten, addition))
    expect(JSON.parse(after)).toMatchObject({
      permissions: { allow: ['Bash(ls:*)', 'Read', 'mcp__grove'], deny: [] },
      hooks: {
        Stop: [{ hooks: [{ command: './bell.sh' }] }, { hooks: [{ command: '/home/me/.grove/bin/grove-hook' }] }],
      },
      env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080', ENABLE_TOOL_SEARCH: 'true' },
    })
  })

  it('again replaces what an earlier time has added', () => {
    const first = done(attach(handWritten, addition))
    const moved = {
      ...addition,
      hooks: hookEntries('command', target),
      env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
    }
    const second = done(attach(first.after, moved, first))
    expect(second.before).toBe(handWritten)
    expect(ours(second.after)).toEqual(moved.hooks.map(({ event }) => event).sort())
    expect(done(detach(second.after, second))).toBe(handWritten)
  })

  it('says where a file is broken, and does not guess', () => {
    expect(attach('{\n  "hooks": {},\n}', addition)).toMatchObject({ ok: false, problem: { line: 3 } })
    expect(attach('{"hooks": []}', addition)).toMatchObject({ ok: false })
  })
})

describe('detaching', () => {
  it.each([
    ['a file written by hand', handWritten],
    ['no file', undefined],
    ['an empty object', '{}'],
    ['empty containers', '{ "hooks": {"Stop": [], "Other": []}, "env": {} }'],
    ['permissions without rules', '{ "permissions": { "deny": ["Read(.env)"] } }'],
    ['empty permissions', '{ "permissions": {} }'],
    ['an empty list of rules', '{ "permissions": { "allow": [ ] } }'],
    ['a rule for Grove that the user has set', '{ "permissions": { "allow": ["mcp__grove"] } }'],
    ['rules of an odd shape', '{ "permissions": { "allow": "all" } }'],
    ['no line end at the end', '{"model":"opus"}'],
    ['Windows line ends', '{\r\n\t"model": "opus"\r\n}\r\n'],
  ])('restores %s to the byte', (_what, before) => {
    const trace = done(attach(before, addition))
    expect(done(detach(trace.after, trace))).toBe(before)
  })

  it('restores every settings file to the byte, also when the user has changed something else meanwhile', () => {
    const settings = fc.record(
      {
        model: fc.string(),
        permissions: fc.oneof(
          fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<never>,
          fc.record(
            { allow: fc.array(fc.constantFrom('Read', 'mcp__grove', 'Bash(ls)')), deny: fc.array(fc.string()) },
            { requiredKeys: [] },
          ),
        ),
        env: fc.dictionary(fc.constantFrom('A', 'ANTHROPIC_BASE_URL', 'ENABLE_TOOL_SEARCH'), fc.string()),
        hooks: fc.dictionary(
          fc.constantFrom('Stop', 'PreToolUse', 'Notification'),
          fc.array(fc.record({ matcher: fc.string(), hooks: fc.constant([{ type: 'command', command: './mine' }]) })),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(settings, fc.constantFrom(0, 2, 4, '\t'), fc.boolean(), (value, indent, meddles) => {
        const before = `${JSON.stringify(value, null, indent)}\n`
        const trace = done(attach(before, addition))
        const meddle = (text: string) =>
          meddles ? editJson(text, { ...JSON.parse(text), model: 'changed', theme: { dark: true } }) : text
        expect(done(detach(meddle(trace.after), trace))).toBe(meddle(before))
      }),
      { numRuns: 500 },
    )
  })

  it('gives a file that was ours alone back to the user as soon as they have put something in it', () => {
    const trace = done(attach(undefined, addition))
    const edited = editJson(trace.after, { ...JSON.parse(trace.after), model: 'opus' })
    expect(JSON.parse(done(detach(edited, trace))!)).toEqual({ model: 'opus' })
  })

  it('still finds our hooks when nobody remembers having added them', () => {
    const { after } = done(attach(handWritten, { ...addition, env: {} }))
    expect(done(detach(after))).toBe(handWritten)
  })

  it('keeps a variable that the user has changed since', () => {
    const trace = done(attach('{}', addition))
    const edited = trace.after.replace('http://127.0.0.1:8080', 'https://elsewhere.example')
    expect(JSON.parse(done(detach(edited, trace))!)).toEqual({
      env: { ANTHROPIC_BASE_URL: 'https://elsewhere.example' },
    })
  })
})

function done<T>(edited: { ok: true; value: T } | { ok: false; problem: { message: string } }): T {
  if (!edited.ok) throw new Error(edited.problem.message)
  return edited.value
}

function ours(text: string): string[] {
  const reading = parseSettings(text)
  if (!reading.ok) throw new Error(reading.problem.message)
  return hooksOf(reading.settings)
    .filter(({ event, hook }) => isOurHook(hook, event))
    .map(({ event }) => event)
    .sort()
}

describe('two homes in one settings file', () => {
  const additionOf = (home: string): Addition => ({
    hooks: hookEntries('command', { ...target, command: { program: `${home}/bin/grove-hook`, args: [] } }),
    env: {},
    allow: [...OUR_TOOLS, `Bash(${home}/bin/grove reflect:*)`],
  })
  const added = (now: string | undefined, home: string) => {
    const edited = attach(now, additionOf(home))
    if (!edited.ok) throw new Error('not attached')
    return edited.value
  }
  const without = (now: string | undefined, trace: SettingsTrace) => {
    const edited = detach(now, trace)
    if (!edited.ok) throw new Error('not detached')
    return edited.value
  }

  it.each([
    ['there was none', undefined],
    ['it was written by hand', handWritten],
    ['it allows other tools', '{\n  "model": "opus",\n  "permissions": { "allow": ["Read"] }\n}\n'],
  ])('leave the file as it was, in whichever order they go, where %s', (_, original) => {
    for (const isCrosswise of [true, false]) {
      const first = added(original, '/home/me/.grove')
      const second = added(first.after, '/home/me/work/grove')
      const [one, other] = isCrosswise ? [first, second] : [second, first]
      expect(without(without(second.after, one), other)).toBe(original)
    }
  })
})
