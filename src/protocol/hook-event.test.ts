import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventFromKebab, type HookEventName, kebabEvent, readHookEvent } from './hook-event.ts'

const common = {
  session_id: '5f0c2a52-1f5e-4a53-9a0b-0c4f6d0e7b11',
  transcript_path: '/home/u/.claude/projects/-p/5f0c.jsonl',
  cwd: '/p',
  prompt_id: 'b7',
  permission_mode: 'default',
  effort: { level: 'high' },
}
const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' }
const stop = { stop_hook_active: false, last_assistant_message: 'Done.', background_tasks: [], session_crons: [] }
const todo = { task_id: '1', task_subject: 'Fix it', task_description: 'Fix it well' }

/** Every event of the contract with its extra fields. */
const payloads: Record<HookEventName, object> = {
  SessionStart: { source: 'compact', model: 'claude-opus-4-8' },
  Setup: { trigger: 'init' },
  InstructionsLoaded: { file_path: '/p/CLAUDE.md', memory_type: 'Project', load_reason: 'session_start' },
  UserPromptSubmit: { prompt: 'Fix the login' },
  UserPromptExpansion: {
    expansion_type: 'command',
    command_name: 'fix',
    command_args: '7',
    command_source: 'project',
    prompt: 'x',
  },
  PreToolUse: bash,
  PostToolUse: { ...bash, tool_response: { stdout: 'a.txt', stderr: '' }, duration_ms: 12 },
  PostToolUseFailure: { ...bash, error: 'Exit code 1', is_interrupt: false, duration_ms: 9 },
  PostToolBatch: { tool_calls: [{ ...bash, tool_response: 'a.txt' }] },
  PermissionRequest: { tool_name: 'Bash', tool_input: {}, permission_suggestions: [] },
  PermissionDenied: { ...bash, reason: 'unsafe' },
  Notification: { message: 'Waiting', notification_type: 'idle_prompt' },
  MessageDisplay: { turn_id: 't', message_id: 'm', index: 0, final: true, delta: 'Hi' },
  Stop: stop,
  StopFailure: { error: 'rate_limit', error_details: '429', last_assistant_message: '' },
  SubagentStart: { agent_id: 'a1', agent_type: 'Explore' },
  SubagentStop: { ...stop, agent_id: 'a1', agent_type: '', agent_transcript_path: '/t.jsonl' },
  PreCompact: { trigger: 'auto', custom_instructions: null },
  PostCompact: { trigger: 'manual', compact_summary: '…' },
  TaskCreated: todo,
  TaskCompleted: todo,
  ConfigChange: { source: 'project_settings', file_path: '/p/.claude/settings.json' },
  CwdChanged: { old_cwd: '/p', new_cwd: '/p/a' },
  FileChanged: { file_path: '/p/a', event: 'change' },
  WorktreeCreate: { name: 'wt' },
  WorktreeRemove: { worktree_path: '/wt' },
  Elicitation: { mcp_server_name: 's', message: 'Name?', mode: 'form', requested_schema: {} },
  ElicitationResult: { mcp_server_name: 's', action: 'accept', content: { name: 'x' } },
  SessionEnd: { reason: 'clear' },
  TeammateIdle: { teammate_name: 'a', team_name: 'b' },
  PreModelSwitch: { from_model: 'a', to_model: 'b', requested_model: 'b', source: 'picker' },
  PostModelSwitch: { from_model: 'a', to_model: 'b', requested_model: 'b', source: 'auto' },
  DirectoryAdded: { directory: '/q', source: 'slash_command' },
}
const everyEvent = Object.entries(payloads) as [HookEventName, object][]

describe('a hook payload', () => {
  it.each(everyEvent)('of %s keeps every field, also those nobody described', (hook_event_name, fields) => {
    const payload = { ...common, hook_event_name, ...fields, from_the_future: [1] }
    expect(readHookEvent(payload)).toEqual(payload)
  })

  it('cuts a last message that is longer than any model says', () => {
    const said = readHookEvent({
      hook_event_name: 'Stop',
      session_id: 's',
      last_assistant_message: 'a'.repeat(3_000_000),
    })
    expect(said).toMatchObject({ hook_event_name: 'Stop', last_assistant_message: 'a'.repeat(1_000_000) })
  })

  it('of an unknown event is kept whole', () => {
    const payload = { ...common, hook_event_name: 'TeaReady', cups: 2 }
    expect(readHookEvent(payload)).toEqual({ hook_event_name: 'unknown', raw: payload })
  })

  it('with odd details still guards the tool', () => {
    const event = readHookEvent({
      ...common,
      ...bash,
      hook_event_name: 'PreToolUse',
      effort: 'high',
      permission_mode: 7,
    })
    expect(event).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash', effort: undefined })
  })

  it('that does not name its event is read as the event it was sent for', () => {
    expect(readHookEvent({ ...common, ...stop }, 'Stop').hook_event_name).toBe('Stop')
    expect(readHookEvent({ ...common, ...stop, hook_event_name: 'SubagentStop' }, 'Stop').hook_event_name).toBe(
      'SubagentStop',
    )
  })

  it.each([
    ['length', `/${'a'.repeat(5000)}`],
    ['depth', '/a'.repeat(300)],
    ['letters', '/a\0b'],
  ])('has no path of absurd %s', (_, long) => {
    const odd = { ...common, hook_event_name: 'Stop', cwd: long, transcript_path: long }
    expect(readHookEvent(odd)).toMatchObject({ hook_event_name: 'Stop', cwd: undefined, transcript_path: undefined })
  })

  it('works in a folder that is named from the root, or in one that is not known', () => {
    const at = (cwd: string) => readHookEvent({ ...common, hook_event_name: 'Stop', cwd })
    for (const cwd of ['/a', '/', 'C:\\a', 'c:/a', '\\\\host\\a']) expect(at(cwd)).toMatchObject({ cwd })
    for (const cwd of ['a', '.', '../a', '~', '']) expect(at(cwd)).toMatchObject({ cwd: undefined })
  })

  it('never throws, whatever it is', () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record({ hook_event_name: fc.constantFrom(...everyEvent.map(([name]) => name)), session_id: fc.jsonValue() }),
    )
    fc.assert(fc.property(odd, (payload) => 'hook_event_name' in readHookEvent(payload)))
  })
})

describe('an event name', () => {
  it.each([
    ['PreToolUse', 'pre-tool-use'],
    ['UserPromptSubmit', 'user-prompt-submit'],
    ['Stop', 'stop'],
    ['PostToolUseFailure', 'post-tool-use-failure'],
  ] as const)('%s is %s in a URL', (name, kebab) => {
    expect(kebabEvent(name)).toBe(kebab)
  })

  it.each(everyEvent)('%s survives the way there and back', (name) => {
    expect(eventFromKebab(kebabEvent(name))).toBe(name)
  })

  it('nobody described is not guessed', () => {
    expect(eventFromKebab('tea-ready')).toBeUndefined()
    expect(eventFromKebab('PreToolUse')).toBeUndefined()
  })
})
