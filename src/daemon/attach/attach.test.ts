import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { tempHome } from '../../../test/support/home.ts'
import { type AttachNeeds, attachToClaude } from './attach.ts'
import { detachFromClaude } from './detach.ts'
import { pointClients } from './point-clients.ts'

const theirs = '{\n    "model": "opus",   "permissions": {"allow": []}\n}\n'

describe('attaching to Claude Code', () => {
  it('takes a settings file without a single byte for an empty one, and leaves it so', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished, { settings: '' })
    expect((await user.attach()).hooks).toHaveLength(11)
    await user.detach()
    expect(await readFile(user.settings, 'utf8')).toBe('')
  })

  it('adds hooks, variables and the MCP server to what the user has, and takes them out to the byte', async ({
    onTestFinished,
  }) => {
    const user = await setStage(onTestFinished, { settings: theirs, configuration: '{"numStartups": 7}' })
    const report = await user.attach()
    expect(report).toMatchObject({ settings: user.settings, notes: [] })
    expect(report.hooks).toHaveLength(11)
    expect(await user.read(user.settings)).toMatchObject({
      model: 'opus',
      permissions: {
        allow: [
          'mcp__grove',
          ...['reflect', 'skip', 'observe'].map((name) => `Bash(${join(user.home, 'bin', 'grove')} ${name}:*)`),
        ],
      },
      hooks: {
        Stop: [{ hooks: [{ type: 'command', command: join(user.home, 'bin', 'grove-hook'), args: ['stop'] }] }],
      },
      env: {
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080',
        ENABLE_TOOL_SEARCH: 'true',
        ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4-5',
        CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
      },
    })
    expect(await user.read(user.configuration)).toMatchObject({
      numStartups: 7,
      // Tools that newer clients would load on demand only.
      mcpServers: { grove: { args: [join(user.dist, 'grove.js'), 'mcp'], alwaysLoad: true } },
    })
    expect((await stat(join(user.home, 'bin', 'grove-hook'))).mode & 0o111).not.toBe(0)

    expect(await user.detach()).toEqual([user.settings, user.configuration])
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
    expect(await readFile(user.configuration, 'utf8')).toBe('{"numStartups": 7}')
    expect(existsSync(join(user.home, 'bin', 'grove-hook'))).toBe(false)
  })

  it('offers a memory server that Claude Code knows as a place for learnings', async ({ onTestFinished }) => {
    const mcpServers = {
      files: { command: 'npx', args: ['server-filesystem'] },
      brain: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
    }
    const user = await setStage(onTestFinished, { configuration: JSON.stringify({ mcpServers }) })
    const { notes } = await user.attach()
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain('command = ["npx","-y","@modelcontextprotocol/server-memory"]')
  })

  it('offers one that was added for a single project, with where it keeps its memory and without its secrets', async ({
    onTestFinished,
  }) => {
    const env = { MEMORY_FILE_PATH: '/data/memory.jsonl', API_KEY: 'not-for-the-screen' }
    const memory = { type: 'stdio', command: 'mcp-server-memory', args: [], env }
    const projects = { '/app': { mcpServers: { memory } }, '/api': { mcpServers: { memory } } }
    const user = await setStage(onTestFinished, { configuration: JSON.stringify({ projects }) })
    const { notes } = await user.attach()
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain('env = ["MEMORY_FILE_PATH=/data/memory.jsonl","API_KEY=<its value>"]')
    expect(notes[0]).not.toContain('not-for-the-screen')
  })

  it('leaves nothing behind where there was nothing', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished)
    await user.attach()
    await user.attach({ transport: 'command' })
    await user.detach()
    expect(readdirSync(user.folder).sort()).toEqual(['dist', 'grove'])
    expect(await user.detach()).toEqual([])
  })

  it('keeps one copy of the settings as they were before the first time', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    await user.attach()
    await user.attach({ transport: 'command' })
    const copies = readdirSync(join(user.home, 'attached')).filter((name) => name.endsWith('.before'))
    expect(copies).toHaveLength(1)
    expect(await readFile(join(user.home, 'attached', copies[0]!), 'utf8')).toBe(theirs)
  })

  it('eight times at once is the same as once', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    await Promise.all(Array.from({ length: 8 }, () => user.attach()))
    const { hooks } = (await user.read(user.settings)) as { hooks: Record<string, unknown[]> }
    expect(Object.values(hooks).map((groups) => groups.length)).toEqual(Array.from({ length: 11 }, () => 1))
    await user.detach()
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
    expect(existsSync(user.configuration)).toBe(false)
  })

  it('touches nothing when a file is broken, and says where', async ({ onTestFinished }) => {
    const broken = '{\n  "model": "opus",\n}\n'
    const user = await setStage(onTestFinished, { settings: broken })
    await expect(user.attach()).rejects.toThrow(/settings\.json:3:1/)
    expect(await readFile(user.settings, 'utf8')).toBe(broken)
    expect(existsSync(user.configuration)).toBe(false)
    expect(existsSync(join(user.home, 'attached'))).toBe(false)

    const other = await setStage(onTestFinished, { settings: theirs, configuration: '{"a":' })
    await expect(other.attach()).rejects.toThrow(/\.claude\.json:1:6/)
    expect(await readFile(other.settings, 'utf8')).toBe(theirs)
  })

  it('only looks when it is asked to', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    expect((await user.attach({ dryRun: true })).hooks).toContain('PreToolUse')
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
    expect(existsSync(user.home)).toBe(false)
  })

  it("puts no token into a project, and leaves the repository's own settings alone", async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished)
    const project = join(user.folder, 'project')
    await mkdir(project)
    await user.attach({ project })
    const local = await readFile(join(project, '.claude', 'settings.local.json'), 'utf8')
    expect(local).not.toContain('Authorization')
    expect(JSON.parse(local).hooks).toHaveProperty('PostToolUse')
    expect(await user.read(user.configuration)).toMatchObject({
      projects: { [project]: { mcpServers: { grove: { type: 'stdio' } } } },
    })
    await user.detach()
    expect(readdirSync(project)).toEqual([])
    expect(existsSync(user.configuration)).toBe(false)
  })

  it('makes a file private while a token stands in it', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    await chmod(user.settings, 0o644)
    await user.attach({ transport: 'http' })
    expect((await stat(user.settings)).mode & 0o777).toBe(0o600)
    await user.detach()
    expect((await stat(user.settings)).mode & 0o777).toBe(0o644)
  })

  it('goes through a link to where the settings really are', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished)
    const dotfiles = join(user.folder, 'dotfiles.json')
    await writeFile(dotfiles, theirs)
    await mkdir(dirname(user.settings))
    await symlink(dotfiles, user.settings)
    await user.attach()
    expect(await readFile(dotfiles, 'utf8')).toContain('grove-hook')
    await user.detach()
    expect(await readFile(dotfiles, 'utf8')).toBe(theirs)
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
  })

  it('does not take a gateway away from the user, and says how to have both', async ({ onTestFinished }) => {
    const settings = '{"env":{"ANTHROPIC_BASE_URL":"https://gateway.example"}}'
    const user = await setStage(onTestFinished, { settings })
    const { env, notes } = await user.attach()
    expect(env).toEqual({})
    expect(notes.join()).toContain('target = "https://gateway.example"')

    const both = await setStage(onTestFinished, { settings, env: { ANTHROPIC_TARGET: 'https://gateway.example' } })
    expect((await both.attach()).env).toMatchObject({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080' })
    await both.detach()
    expect(await readFile(both.settings, 'utf8')).toBe(settings)
  })

  it('does not decide again what the user has decided', async ({ onTestFinished }) => {
    const env = { ENABLE_TOOL_SEARCH: 'false', ANTHROPIC_SMALL_FAST_MODEL: 'tiny' }
    const user = await setStage(onTestFinished, { env })
    expect((await user.attach()).env).toEqual({
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080',
      CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
    })
    expect((await user.attach({ proxy: false })).env).toEqual({})
  })

  it('waits while the client writes its configuration, and clears away a lock it has left behind', async ({
    onTestFinished,
  }) => {
    const user = await setStage(onTestFinished)
    await mkdir(`${user.configuration}.lock`)
    await utimes(`${user.configuration}.lock`, 0, 0)
    await user.attach()
    expect(existsSync(`${user.configuration}.lock`)).toBe(false)
    expect(existsSync(user.configuration)).toBe(true)
  })

  it('points the settings past the proxy and back, and is still taken out to the byte', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    await user.attach()
    const baseUrl = async () => (await user.read(user.settings)) as { env: { ANTHROPIC_BASE_URL: string } }
    expect(await user.point('past')).toEqual([user.settings])
    expect((await baseUrl()).env.ANTHROPIC_BASE_URL).toBe('https://api.anthropic.com')
    expect(await user.point('past')).toEqual([])
    expect(await user.point({ proxy: 'http://127.0.0.1:9090' })).toEqual([user.settings])
    expect((await baseUrl()).env.ANTHROPIC_BASE_URL).toBe('http://127.0.0.1:9090')
    await user.point('past')
    await user.detach()
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
  })

  it('goes past a proxy that does not run yet, until it runs', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    expect((await user.attach({ proxy: 'once it runs' })).env).toHaveProperty('ANTHROPIC_BASE_URL')
    const baseUrl = async () => (await user.read(user.settings)) as { env: { ANTHROPIC_BASE_URL: string } }
    expect((await baseUrl()).env.ANTHROPIC_BASE_URL).toBe('https://api.anthropic.com')
    expect(await user.point({ proxy: 'http://127.0.0.1:9090' })).toEqual([user.settings])
    expect((await baseUrl()).env.ANTHROPIC_BASE_URL).toBe('http://127.0.0.1:9090')
    await user.detach()
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
  })

  it('is taken out of the settings although its own files cannot be removed, and says so', async ({
    onTestFinished,
  }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    await user.attach()
    const script = join(user.home, 'bin', 'grove-hook')
    await rm(script)
    await mkdir(script)
    await expect(user.detach()).rejects.toThrow(
      /^Grove is detached from Claude Code, but its files .* cannot be removed/,
    )
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
  })

  it('leaves a base URL alone that the user has set since, and settings that were never pointed at the proxy', async ({
    onTestFinished,
  }) => {
    const user = await setStage(onTestFinished)
    await user.attach()
    const own = (await readFile(user.settings, 'utf8')).replace('http://127.0.0.1:8080', 'https://gateway.example')
    await writeFile(user.settings, own)
    expect(await user.point('past')).toEqual([])
    expect(await readFile(user.settings, 'utf8')).toBe(own)
    const other = await setStage(onTestFinished)
    await other.attach({ proxy: false })
    expect(await other.point({ proxy: 'http://127.0.0.1:9090' })).toEqual([])
  })

  it('adds a status line where it is asked for, keeps it when it is run again, and takes it out', async ({
    onTestFinished,
  }) => {
    const user = await setStage(onTestFinished, { settings: theirs })
    await user.attach()
    expect(await user.read(user.settings)).not.toHaveProperty('statusLine')
    const command = `${join(user.home, 'bin', 'grove')} statusline`
    for (const statusLine of [true, false]) {
      await user.attach({ statusLine })
      expect(await user.read(user.settings)).toMatchObject({ statusLine: { type: 'command', command } })
    }
    await user.detach()
    expect(await readFile(user.settings, 'utf8')).toBe(theirs)
  })

  it("leaves another tool's status line alone, in this file and in the one that it would hide", async ({
    onTestFinished,
  }) => {
    const statusLine = { type: 'command', command: 'ccstatus --grove statusline --wide' }
    const user = await setStage(onTestFinished, { settings: JSON.stringify({ statusLine }) })
    const project = join(user.folder, 'project')
    for (const where of [{}, { project }]) {
      const { notes } = await user.attach({ statusLine: true, ...where })
      expect(notes.join()).toContain('You have a status line, which stays as it is.')
    }
    expect(await user.read(user.settings)).toMatchObject({ statusLine })
    expect(await user.read(join(project, '.claude', 'settings.local.json'))).not.toHaveProperty('statusLine')
  })

  it('needs an installation that has a hook client', async ({ onTestFinished }) => {
    const user = await setStage(onTestFinished)
    await expect(user.attach({ dist: user.folder })).rejects.toThrow('no hook client')
  })
})

interface Before {
  settings?: string
  configuration?: string
  env?: Record<string, string>
}

/** A user with a configuration folder of their own for Claude Code, and an installed Grove. */
async function setStage(whenFinished: (work: () => Promise<void>) => void, before: Before = {}) {
  const folder = await tempHome(whenFinished)
  const env = { HOME: folder, GROVE_HOME: join(folder, 'grove'), ...before.env }
  const dist = join(folder, 'dist')
  await mkdir(dist)
  for (const name of ['hook.cjs', 'detach.cjs']) await writeFile(join(dist, name), '')
  const settings = join(folder, '.claude', 'settings.json')
  const configuration = join(folder, '.claude.json')
  if (before.settings !== undefined) {
    await mkdir(dirname(settings))
    await writeFile(settings, before.settings)
  }
  if (before.configuration !== undefined) await writeFile(configuration, before.configuration)
  const config = loadConfig({ env, cwd: folder })
  const usual: AttachNeeds = { config, env, transport: 'auto', proxy: 'now', dist, dryRun: false }
  return {
    folder,
    home: config.home,
    dist,
    settings,
    configuration,
    attach: (wanted: Partial<AttachNeeds> = {}) => attachToClaude({ ...usual, ...wanted }),
    point: (to: Parameters<typeof pointClients>[2]) => pointClients(config, env, to),
    detach: () => detachFromClaude({ config, env }),
    read: async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')),
  }
}
