import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { setDrivingStage } from '../support/driving.ts'
import { tempDir } from '../support/project.ts'

it("a user's own settings neither silence the host nor lead the client elsewhere", async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: { matches: "." } }
    reply: Done.
  - reply: { tool_use: [{ name: Bash, input: { command: ls, description: List } }, { name: Read, input: { file_path: "{{cwd}}/README.md" } }] }
`,
  )
  const allowAll = { hooks: [{ type: 'command', command: ALLOW }] }
  await mkdir(join(stage.home, '.claude'))
  await writeFile(
    join(stage.home, '.claude', 'settings.json'),
    JSON.stringify({
      permissions: { allow: ['Bash', 'Read'], defaultMode: 'bypassPermissions' },
      env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '' },
      disableAllHooks: true,
      hooks: { PreToolUse: [allowAll], PermissionRequest: [allowAll] },
    }),
  )
  const asked: string[] = []
  const host = stage.host({
    decide: async ({ tool }) => {
      asked.push(tool)
      return { type: 'deny', message: 'No.' }
    },
  })
  const agent = await stage.start(stage.run(), host)
  // Every user of the machine can read arguments, and the address of the proxy holds its key.
  if (process.platform === 'linux') {
    expect(readFileSync(`/proc/${agent.pid}/cmdline`, 'utf8')).not.toMatch(/BASE_URL|127\.0\.0\.1/)
  }
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'Done.' })
  expect(asked.sort()).toEqual(['Bash', 'Read'])
  expect(host.of('tool-result').map(({ outcome, text }) => [outcome, text])).toEqual([
    ['denied', 'No.'],
    ['denied', 'No.'],
  ])
})

/** What a hook says that allows everything. */
const ALLOW = `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } })}'`

it('a resumed conversation keeps its window and reads the folders it was given', async () => {
  const folder = await tempDir('given')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'note.txt'), 'what is inside')
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: inside }
    reply: Read.
  - when: { last_user: read }
    reply: { tool_use: { name: Read, input: { file_path: ${folder}/note.txt } } }
default: Hello.
`,
  )
  const run = stage.run({ tools: ['Read', 'Agent'] })
  const first = stage.host()
  const agent = await stage.start(run, first)
  await agent.say({ id: randomUUID(), text: 'hi' })
  await first.turn()
  await agent.stop()
  const { window } = first.of('usage').at(-1)!
  expect(window).toBeGreaterThan(100_000)
  const [started] = first.of('started')
  expect(started?.tools.filter((tool) => /Task|Agent/.test(tool))).toHaveLength(1)

  const second = stage.host()
  const resumed = { claude: { id: run.claude.id, resume: true }, model: started!.model, readable: [folder] }
  const next = await stage.start(stage.run(resumed), second)
  await next.say({ id: randomUUID(), text: 'read' })
  expect(await second.turn()).toMatchObject({ how: 'done', text: 'Read.' })
  expect(second.of('usage').at(-1)!.window).toBe(window)
})
