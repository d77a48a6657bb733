import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '#exec/spawn.ts'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { answer, inbox } from '../approvals/approvals.ts'
import { addIntent } from '../intents/change-intents.ts'

const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'] }),
  '.gitignore': '.claude/\n',
  'src/auth/token.ts': 'export const ttl = 5\n',
  'README.md': '# Readme\n',
}
const hooks = '{ "hooks": { "PreToolUse": [] }, "permissions": { "allow": [] } }\n'

async function shell(whenFinished: Parameters<typeof guarded>[0], settings?: { settings: string }) {
  const stage = await guarded(whenFinished, files, settings)
  await stage.select('auth')
  await stage.put('.claude/settings.local.json', hooks)
  const sh = (command: string) => stage.bash(command, () => run('bash', ['-c', command], { cwd: stage.dir }))
  return { ...stage, sh }
}

describe('what decides whether the guard is asked', () => {
  it('is told when a command changed it, and put back before anything else is written', async ({ onTestFinished }) => {
    const { bash, put, mayWrite, sh, text } = await shell(onTestFinished)
    const told = await bash('make', () => put('.claude/settings.local.json', '{ "disableAllHooks": true }\n'))
    expect(told).toContain('.claude/settings.local.json')
    expect(await mayWrite('src/auth/token.ts')).toBe('scope_violation')
    expect(await sh('echo x > src/auth/token.ts')).toBe('scope_violation')
    expect(await sh('cat README.md')).toBe('fine')
    const back = /- \.claude\/settings\.local\.json: (.+)/.exec(told)![1]!
    expect(await sh(back)).toBe('fine')
    expect(await text('.claude/settings.local.json')).toBe(hooks)
    expect(await mayWrite('src/auth/token.ts')).toBe('allowed')
  })

  it('stays as it is when a person says so', async ({ onTestFinished }) => {
    const { bash, put, mayWrite, world } = await shell(onTestFinished)
    await bash('make', () => put('.orchestration/active_intents.yaml', intentsYaml({ auth: ['**'] })))
    expect(await mayWrite('src/auth/token.ts')).toBe('scope_violation')
    await bash('echo x > src/auth/token.ts', async () => {})
    const [asked, ...others] = await inbox(world)
    expect(others).toEqual([])
    expect(asked?.what).toContain('.orchestration/active_intents.yaml')
    expect(asked?.detail).toMatch(/^-.*src\/auth\/\*\*[\s\S]*^\+.*\*\*[\s\S]*^Back with: cp -- /m)
    await answer(world, asked!.id, { approve: true, in: 'browser' })
    expect(await mayWrite('src/auth/token.ts')).toBe('allowed')
  })

  it('may be changed by people meanwhile: by an answer to a prompt, and by Grove’s own commands', async ({
    onTestFinished,
  }) => {
    const { bash, put, world, guardedProject } = await shell(onTestFinished)
    const allowed = hooks.replace('[] }\n', '["Bash(ls)"] }\n')
    const intent = { name: 'More', status: 'open', ownedScope: ['lib/**'], constraints: [], acceptanceCriteria: [] }
    expect(await bash('make', () => put('.claude/settings.local.json', allowed))).toBe('fine')
    expect(await bash('make', () => addIntent(world, guardedProject, { ...intent, dependencies: [] }))).toBe('fine')
  })
})

describe('a call that runs while a person is still being asked, because its hook was ended', () => {
  const waiting = { settings: '[guard]\ntemporary = []\nask_in = "inbox"\n' }
  const pending = { tool_name: 'Write', tool_use_id: 'toolu_w' }

  it('has to be put back before anything else is written', async ({ onTestFinished }) => {
    const { hook, dir, put, mayWrite, sh, text, world } = await shell(onTestFinished, waiting)
    await writeFile(join(dir, '.orchestration/.intentignore'), 'auth\n')
    const path = join(dir, 'src/auth/token.ts')
    const input = { file_path: path, content: 'export const ttl = 60\n' }
    const asked = hook({ hook_event_name: 'PreToolUse', ...pending, tool_input: input })
    await expect.poll(async () => (await inbox(world)).length).toBe(1)
    await put('src/auth/token.ts', input.content)
    const tool_response = { type: 'update', content: input.content, originalFile: files['src/auth/token.ts'] }
    const said = await hook({ hook_event_name: 'PostToolUse', ...pending, tool_input: input, tool_response })
    expect(said.context).toContain('This call was not approved')
    await answer(world, (await inbox(world))[0]!.id, { approve: false, in: 'browser' })
    await asked
    await rm(join(dir, '.orchestration/.intentignore'))
    expect(await mayWrite('src/auth/other.ts')).toBe('scope_violation')
    const back = /- src\/auth\/token\.ts: (.+)/.exec(said.context!)![1]!
    expect(await sh(back)).toBe('fine')
    expect(await text('src/auth/token.ts')).toBe(files['src/auth/token.ts'])
    expect(await mayWrite('src/auth/other.ts')).toBe('allowed')
  })

  it('is told of a command too, wherever it wrote', async ({ onTestFinished }) => {
    const { hook, dir, put, world } = await shell(onTestFinished, waiting)
    await writeFile(join(dir, '.orchestration/.intentignore'), 'auth\n')
    const call = { tool_name: 'Bash', tool_use_id: 'toolu_b', tool_input: { command: 'echo x > src/auth/token.ts' } }
    const asked = hook({ hook_event_name: 'PreToolUse', ...call })
    await expect.poll(async () => (await inbox(world)).length).toBe(1)
    await put('src/auth/token.ts', 'x\n')
    const said = await hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} })
    expect(said.context).toContain('src/auth/token.ts')
    await answer(world, (await inbox(world))[0]!.id, { approve: false, in: 'browser' })
    await asked
  })
})
