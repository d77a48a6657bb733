import { describe, expect, it } from 'vitest'
import type { ReadShell } from '#core/action/reading.ts'
import { readHookEvent } from '#protocol/hook-event.ts'
import { shell } from '../../../test/support/shell.ts'
import { callIn, callOf, type ToolEvent } from './tool-call.ts'
import { toolReader } from './tool-reader.ts'

const place = { cwd: '/app', root: '/app' }

function counting() {
  const seen = { loads: 0, reads: 0 }
  const counted: ReadShell = (command, at) => {
    seen.reads++
    return shell(command, at)
  }
  const tools = toolReader(async () => {
    seen.loads++
    return counted
  })
  return { tools, seen }
}

const event = (hook_event_name: string, tool_name: string, tool_input: object) =>
  readHookEvent({ hook_event_name, session_id: 's', tool_name, tool_input, tool_use_id: 't1' }) as ToolEvent

describe('a call', () => {
  it('is read once, whoever asks', async () => {
    const { tools, seen } = counting()
    const told = event('PreToolUse', 'Bash', { command: 'cat a.ts' })
    const readings = await Promise.all([1, 2, 3].map(() => tools.read(callOf(told), place)))
    expect(readings.map(({ files }) => files)).toEqual([['a.ts'], ['a.ts'], ['a.ts']])
    expect(seen.reads).toBe(1)
  })

  it('is read anew from another folder, and with another event', async () => {
    const { tools, seen } = counting()
    const told = event('PreToolUse', 'Bash', { command: 'cat a.ts' })
    await tools.read(callOf(told), place)
    await tools.read(callOf(told), { cwd: '/app/lib', root: '/app' })
    await tools.read(callOf(event('PostToolUse', 'Bash', { command: 'cat a.ts' })), place)
    expect(seen.reads).toBe(3)
  })

  it('loads the shell only when it has a command line', async () => {
    const { tools, seen } = counting()
    for (const tool of ['Read', 'Write', 'Grep', 'Agent', 'mcp__a__write']) {
      await tools.read(callIn({ id: 't', name: tool, input: { file_path: 'a.ts', command: 'ls' } }), place)
    }
    expect(seen.loads).toBe(0)
  })
})

describe('what became of a call', () => {
  it.each([
    ['PreToolUse', 'announced'],
    ['PermissionRequest', 'announced'],
    ['PostToolUse', 'ran'],
    ['PostToolUseFailure', 'failed'],
    ['PermissionDenied', 'denied'],
  ])('is told by %s: %s', async (name, outcome) => {
    const { tools } = counting()
    expect((await tools.read(callOf(event(name, 'Read', { file_path: 'a' })), place)).outcome).toBe(outcome)
  })

  it('is known to all once Grove has said no, through whichever attachment they see it', async () => {
    const { tools } = counting()
    const told = event('PreToolUse', 'Bash', { command: 'rm a.ts' })
    expect((await tools.read(callOf(told), place)).outcome).toBe('announced')
    tools.deny(callOf(told))
    expect((await tools.read(callOf(told), place)).outcome).toBe('denied')
    const seen = callIn({ id: 't1', name: 'Bash', input: { command: 'rm a.ts' } })
    expect((await tools.read(seen, place)).outcome).toBe('denied')
  })
})
