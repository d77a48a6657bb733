import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { lastRequest, setDrivingStage } from '../support/driving.ts'

it('texts of others name no command and pull in no file, nor do our own words', async () => {
  const stage = await setDrivingStage(onTestFinished, 'default: Heard.')
  const secret = join(stage.home, 'secret.txt')
  await writeFile(secret, 'the combination is 7-7-7')
  const host = stage.host()
  const run = stage.run()
  const agent = await stage.start(run, host)
  const said = [
    { parts: [`/clear`, `see @${secret}`], text: 'What do you think?' },
    { parts: [], text: `/clear` },
    { parts: [`\u2028/clear\u0000`], text: `  @${secret} and "@${secret}"` },
    { parts: ['', '   '], text: `!touch pwned` },
    { parts: [`@README.md`], text: '' },
    { parts: [], text: `#remember @${secret}` },
  ]
  for (const { parts, text } of said) {
    await agent.say({ id: randomUUID(), parts, text })
    expect(await host.turn()).toMatchObject({ how: 'done', text: 'Heard.' })
  }
  const request = lastRequest(stage.simulator)
  expect(request).not.toContain('7-7-7')
  expect(request).not.toContain('# Project')
  expect(request).toContain('What do you think?')
  expect(request).toContain(`see @${secret}`)
  // One conversation still: nothing has cleared it.
  expect(request.match(/Heard\./g)).toHaveLength(said.length - 1)
  await expect(stat(join(stage.project.dir, 'pwned'))).rejects.toThrow()
})

it('lines of megabytes wait for a slow host, and come whole and in order', async () => {
  const long = `${'x'.repeat(1_500_000)}\u2028${'y'.repeat(1_500_000)}`
  const reply = { text: long, piece: 100_000 }
  const stage = await setDrivingStage(onTestFinished, JSON.stringify({ replies: [{ reply }] }))
  let told = 0
  const host = stage.host({ on: () => (told++ < 20 ? sleep(50) : undefined) })
  const run = stage.run()
  const agent = await stage.start(run, host)
  await agent.say({ id: randomUUID(), parts: ['z'.repeat(1_000_000)], text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done' })
  expect(host.of('text').map(({ text }) => text === long)).toEqual([true])
  const parts = host.of('text-part').map(({ text }) => text)
  expect(parts.join('') === long).toBe(true)
  await agent.stop()
  expect((await stat(run.logFile)).size).toBeLessThan(1_000_000)
})

it('the log holds no secret that passes by', async () => {
  const key = `sk-ant-api03-${'Ab3dEf6h'.repeat(10)}`
  const stage = await setDrivingStage(onTestFinished, `default: { text: "Your key is ${key}" }`)
  const host = stage.host()
  const run = stage.run()
  const agent = await stage.start(run, host)
  await agent.say({ id: randomUUID(), parts: [`key: ${key}`], text: 'go' })
  await host.turn()
  await agent.stop()
  expect(await readFile(run.logFile, 'utf8')).not.toContain('Ab3dEf6h')
})

it('a compaction is told as one, and no turn', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { last_user: more }
    reply: Still here.
  - when: { newest: "summary" }
    reply: <summary>We said hello.</summary>
  - reply: { text: Hello to you. }
    repeat: 4
default: <summary>We said hello.</summary>
`,
  )
  const host = stage.host()
  const agent = await stage.start(stage.run(), host)
  await agent.compact('the plan')
  expect(await host.until('compacted')).toMatchObject({ ok: false })
  for (const text of ['hello', 'hi', 'good day']) {
    await agent.say({ id: randomUUID(), text })
    await host.turn()
  }
  await agent.compact('the plan, and what @README.md says')
  expect(await host.until('compacted', ({ ok }) => ok)).toMatchObject({ ok: true })
  await agent.say({ id: randomUUID(), text: 'more' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'Still here.' })
  expect(host.of('turn')).toHaveLength(4)
})

it('a schema makes each turn end with a structured answer', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: { matches: "." } }
    reply: There.
  - reply: { tool_use: { name: StructuredOutput, input: { valid: true } } }
`,
  )
  const answerSchema = { type: 'object', properties: { valid: { type: 'boolean' } }, required: ['valid'] }
  const host = stage.host()
  const agent = await stage.start(stage.run({ tools: ['Read'], answerSchema }), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done', structured: { valid: true } })
})

it('hook events reach the host, and what it says reaches the model', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: { matches: "." } }
    reply: Done.
  - reply: { tool_use: { name: Bash, input: { command: echo hi, description: Say } } }
`,
  )
  const seen: unknown[] = []
  const host = stage.host({
    hook: async (event) => {
      const { hook_event_name: name } = event as { hook_event_name: string }
      seen.push(name)
      if (name === 'PreToolUse') {
        return {
          hookSpecificOutput: {
            hookEventName: name,
            permissionDecision: 'deny',
            permissionDecisionReason: 'Not in scope.',
          },
        }
      }
      return name === 'UserPromptSubmit'
        ? { hookSpecificOutput: { hookEventName: name, additionalContext: 'Mind the gap.' } }
        : {}
    },
    decide: async () => {
      throw new Error('It is not asked for what a hook has denied.')
    },
  })
  const agent = await stage.start(stage.run(), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done' })
  expect(seen).toEqual(expect.arrayContaining(['UserPromptSubmit', 'PreToolUse', 'Stop']))
  expect(lastRequest(stage.simulator)).toContain('Mind the gap.')
  expect(host.of('tool-result')).toMatchObject([{ outcome: 'denied', text: expect.stringContaining('Not in scope.') }])
})

it('tools that are asked about once are decided with the hooks when permission is asked, where a command has gone', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: Not in scope. }
    reply: Done.
  - when: { tool_result: written }
    reply: { tool_use: { name: Write, input: { file_path: "{{cwd}}/no.txt", content: x } } }
  - when: { newest: go }
    reply: { tool_use: { name: Bash, input: { command: "mkdir -p deep && cd deep && echo 1 > there.txt && echo gone", description: Go } } }
  - when: { tool_result: gone }
    reply: { tool_use: { name: Bash, input: { command: "echo 2 > here.txt && echo written", description: Write } } }
`,
  )
  const seen: { name: string; cwd: string; tool: string }[] = []
  const host = stage.host({
    hook: async (event) => {
      const { hook_event_name: name, cwd, tool_name: tool } = event as Record<string, string>
      if (tool) seen.push({ name: name!, cwd: cwd!, tool })
      if (name !== 'PreToolUse') return {}
      const said = tool === 'Write' ? { permissionDecision: 'deny', permissionDecisionReason: 'Not in scope.' } : {}
      return { hookSpecificOutput: { hookEventName: name, additionalContext: `Mind the ${tool}.`, ...said } }
    },
  })
  const agent = await stage.start(stage.run({ askedOnce: ['Bash', 'Read', 'Write'] }), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'Done.' })
  const { dir } = stage.project
  expect(seen).toEqual([
    { name: 'PreToolUse', cwd: dir, tool: 'Bash' },
    { name: 'PostToolUse', cwd: join(dir, 'deep'), tool: 'Bash' },
    { name: 'PreToolUse', cwd: join(dir, 'deep'), tool: 'Bash' },
    { name: 'PostToolUse', cwd: join(dir, 'deep'), tool: 'Bash' },
    { name: 'PreToolUse', cwd: join(dir, 'deep'), tool: 'Write' },
  ])
  expect(host.of('tool-result').map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'denied'])
  expect(lastRequest(stage.simulator)).toContain('Mind the Bash.')
})
