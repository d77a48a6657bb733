import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dist, grove, type Place, place, withBinary } from './grove.ts'

withBinary()

const THEIRS = '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n'

/** A user with settings of their own, in a project under git. */
function user(): Place & { folder: string; settings: string } {
  const here = place({ PROXY_PORT: '48081' })
  const folder = here.env.HOME!
  const settings = join(folder, '.claude', 'settings.json')
  mkdirSync(join(folder, '.claude'))
  writeFileSync(settings, THEIRS)
  spawnSync('git', ['init', '-q'], { cwd: here.cwd })
  return { ...here, folder, settings }
}

/** What every file of a folder holds, Grove's own home and git's left out. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true }) as string[]
  return new Map(
    names
      .filter((name) => !/^home(\/|$)|(^|\/)\.git(\/|$)/.test(name) && statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

interface Settings {
  env?: object
  hooks?: object
  permissions?: { allow?: string[] }
}

describe('the dry run of grove init', () => {
  it.each([[[]], [['--proxy']], [['--project']], [['--statusline']]])(
    'changes nothing, and names everything that init %j then changes',
    async (flags) => {
      const { folder, settings, ...here } = user()
      const before = filesIn(folder)
      const { stdout: named } = await grove(here, 'init', ...flags, '--dry-run')
      expect(filesIn(folder)).toEqual(before)

      expect((await grove(here, 'init', ...flags)).code).toBe(0)
      const changed = [...filesIn(folder)].filter(([name, text]) => before.get(name) !== text)
      expect(changed.length).toBeGreaterThan(0)
      for (const [name, text] of changed) {
        expect(named).toContain(name.startsWith('project/') ? relative('project', name) : name)
        if (!/settings(\.local)?\.json$/.test(name)) continue
        const { env = {}, hooks = {}, permissions } = JSON.parse(text) as Settings
        const allowed = permissions?.allow?.filter((rule) => rule !== 'Bash(ls:*)') ?? []
        for (const word of [...Object.keys(env), ...Object.keys(hooks), ...allowed])
          expect(named).toContain(word.replace(folder, '~'))
      }

      expect((await grove(here, 'unregister')).code).toBe(0)
      expect(readFileSync(settings, 'utf8')).toBe(THEIRS)
      expect(filesIn(folder)).toEqual(before)
    },
  )

  it('says of --import what would come of it, and reads nothing', async () => {
    const { folder, ...here } = user()
    const before = filesIn(folder)
    const { code, stdout } = await grove(here, 'init', '--import', '--dry-run')
    expect([code, stdout]).toEqual([0, expect.stringContaining('build memories from the git history')])
    expect(filesIn(folder)).toEqual(before)
  })
})

describe('what grove init and unregister say', () => {
  it('names settings that keep hooks from running', async () => {
    const { settings, ...here } = user()
    writeFileSync(settings, '{ "disableAllHooks": true }\n')
    expect((await grove(here, 'init')).stderr).toContain('~/.claude/settings.json turns all hooks off')
  })

  it('lets the doctor say that the plugin beside them tells every event twice, and how to end that', async () => {
    const { settings, ...here } = user()
    writeFileSync(settings, '{ "enabledPlugins": { "grove@grove": true } }\n')
    expect((await grove(here, 'doctor')).stdout).toContain('of the plugin, which ~/.claude/settings.json switches on')
    await grove(here, 'init')
    const { stdout } = await grove(here, 'doctor')
    expect(stdout).toContain('every event is reported twice')
    expect(stdout).toContain('claude plugin disable grove@grove')
  })

  it('tells what stays attached, and what belongs to this machine alone', async () => {
    const here = user()
    await grove(here, 'init')
    expect((await grove(here, 'init', '--project')).stdout).toContain('Do not commit .claude/settings.local.json')
    const { stdout } = await grove(here, 'unregister', '--project')
    expect(stdout).toContain('It is still attached through ~/.claude/settings.json')
    expect((await grove(here, 'unregister')).stdout).not.toContain('stays attached')
  })
})

describe('a project that wants nothing remembered and nothing injected', () => {
  it('is told nothing, and leaves no word of a session that is over', async () => {
    const here = user()
    mkdirSync(join(here.cwd, '.grove'))
    writeFileSync(join(here.cwd, '.grove', 'config.toml'), '[memory]\nremember = false\ninject = false\n')
    const hook = (name: string, more: object) => {
      const input = JSON.stringify({ session_id: 's1', cwd: here.cwd, ...more })
      const told = spawnSync(process.execPath, [join(dist, 'grove.js'), 'hook', name], { ...here, input })
      return JSON.parse(String(told.stdout)) as object
    }
    const file_path = join(here.cwd, 'voucher.ts')
    writeFileSync(file_path, 'const quokka = 1\n')
    const call = { tool_name: 'Write', tool_input: { file_path, content: 'const quokka = 1\n' }, tool_use_id: 't1' }
    const answers = [
      hook('session-start', { source: 'startup' }),
      hook('user-prompt-submit', { prompt: 'Let vouchers expire, the umbrellafish way' }),
      hook('pre-tool-use', call),
      hook('post-tool-use', { ...call, tool_response: {} }),
      hook('stop', { last_assistant_message: 'Done: umbrellafish vouchers expire.' }),
      hook('session-end', { reason: 'other' }),
    ]
    expect(answers.filter((answer) => JSON.stringify(answer).includes('additionalContext'))).toEqual([])
    const { stdout: status } = await grove(here, 'status')
    expect(status).toMatch(/^Memory +here nothing is stored, and nothing is shown to agents$/m)
    const kept = [...readdirSync(here.home, { recursive: true })]
      .map((name) => join(here.home, String(name)))
      .filter((name) => statSync(name).isFile() && /umbrellafish|quokka/.test(readFileSync(name, 'latin1')))
    expect(kept).toEqual([])
  })
})

describe('grove stop, restart and logs', () => {
  it('are of use whether it runs or not', async () => {
    const here = place()
    expect(await grove(here, 'logs')).toMatchObject({ code: 0 })
    expect(await grove(here, 'stop')).toMatchObject({ code: 0, stdout: expect.stringContaining('not running') })
    expect(await grove(here, 'restart')).toMatchObject({ code: 0 })
    const first = await pid(here)
    expect(await grove(here, 'restart')).toMatchObject({ code: 0 })
    expect(await pid(here)).not.toBe(first)

    const shown = await grove(here, 'logs', '-n', '3')
    expect(shown.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(3)
    const lines = (await grove(here, 'logs', '--json', '-n', '2')).stdout.trimEnd().split('\n')
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg')
    expect(await grove(here, 'logs', '-n', 'many')).toMatchObject({ code: 2, stdout: '' })

    expect(await grove(here, 'stop')).toMatchObject({ code: 0, stdout: expect.stringContaining('Grove has stopped') })
    expect(await pid(here)).toBeUndefined()
  })
})

async function pid(here: Place): Promise<number | undefined> {
  const { daemon } = JSON.parse((await grove(here, 'status', '--json')).stdout) as {
    daemon: { proxy?: { pid: number } }
  }
  return daemon.proxy?.pid
}
