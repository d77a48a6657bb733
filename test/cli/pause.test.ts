import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dist, grove, type Place, place, startGrove, withBinary } from './grove.ts'

withBinary()

const SESSION = '0f3a9c21-2222-3333-4444-555555555555'

/** A hook as the client runs it, answered by this process or by the daemon where one runs. */
function hook({ cwd, env }: Place, name: string, more: object = {}): unknown {
  const input = JSON.stringify({ session_id: SESSION, cwd, ...more })
  const { stdout } = spawnSync(process.execPath, [join(dist, 'grove.js'), 'hook', name], { cwd, env, input })
  return JSON.parse(String(stdout))
}

const prompt = (here: Place) => hook(here, 'user-prompt-submit', { prompt: 'Fix the token refresh in src/token.ts' })

async function sessions(here: Place): Promise<number> {
  const { stdout } = await grove(here, 'status', '--json')
  return (JSON.parse(stdout) as { counts: { sessions: number } }).counts.sessions
}

describe('grove pause', () => {
  it('switches everything off in this project, without a daemon, until grove resume', async () => {
    const here = place()
    const paused = await grove(here, 'pause')
    expect([paused.code, paused.stdout]).toEqual([
      0,
      expect.stringContaining('Grove is off for project until `grove resume`'),
    ])
    expect(prompt(here)).toEqual({})
    expect(await sessions(here)).toBe(0)
    expect((await grove(here, 'status')).stdout).toMatch(/Paused +project \(until `grove resume`\)/)
    expect((await grove(here, 'doctor')).stdout).toMatch(/paused +Grove is off for project \(until `grove resume`\)/)

    const elsewhere = { ...here, cwd: join(here.cwd, '..', 'elsewhere') }
    mkdirSync(elsewhere.cwd)
    expect((await grove(elsewhere, 'resume')).stdout).toBe('Nothing was paused here.\n')
    const on = await grove(here, 'resume')
    expect([on.code, on.stdout, on.stderr]).toEqual([0, 'Grove is back on for project.\n', ''])
    prompt(here)
    expect(await sessions(here)).toBe(1)
    expect((await grove(here, 'status')).stdout).not.toContain('Paused')
  })

  it('is heard by a daemon that runs, also where proxy and web page are apart', async () => {
    const here = place()
    const proxy = await startGrove(here, 'proxy')
    const web = await startGrove(here, 'web')
    await grove(here, 'pause', '30', '--all')
    expect(prompt(here)).toEqual({})
    const answer = await fetch(`${web.url('Web')}/api/pauses`, { headers: web.asTool() })
    expect(await answer.json()).toMatchObject({ pauses: [{ scope: { type: 'all' }, until: expect.any(Number) }] })
    expect(await sessions(here)).toBe(0)
    await grove(here, 'resume')
    prompt(here)
    await expect.poll(() => sessions(here)).toBe(1)
    for (const one of [proxy, web]) one.kill('SIGTERM')
    await Promise.all([proxy.exit, web.exit])
  })

  it('takes a session by the beginning of its id, and says when it does not know it', async () => {
    const here = place()
    prompt(here)
    expect((await grove(here, 'pause', '5', '--session', '0f3a')).stdout).toMatch(
      /off for session 0f3a9c21 until \d\d:\d\d/,
    )
    const unknown = await grove(here, 'pause', '--session', 'ffff')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('No session starts with ffff')])
    const odd = await grove(here, 'pause', 'soon')
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('Use a number above 0')])
    expect((await grove(here, 'resume')).stderr).toContain('Still off: session 0f3a9c21')
    expect((await grove(here, 'resume', '--all')).stdout).toBe('Grove is back on for session 0f3a9c21.\n')
  })

  it.each([
    [['--session', ''], 'The session is missing'],
    [['--session', '0f3a', '--all'], 'Choose only one of'],
    [['--project', '--all'], 'Choose only one of'],
  ])('pauses nothing where it is not clear what: %j', async (args, said) => {
    const here = place()
    for (const command of ['pause', 'resume']) {
      const refused = await grove(here, command, ...args)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(said)])
    }
    expect((await grove(here, 'status')).stdout).not.toContain('Paused')
  })

  it.each(['pause', 'resume'])('is not for agents: %s is refused in a shell of Claude Code', async (command) => {
    const refused = await grove(place({ CLAUDE_CODE_SESSION_ID: SESSION }), command)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('An agent cannot switch Grove')])
  })
})

describe('a project with memory.remember = false', () => {
  it('takes no import', async () => {
    const here = place()
    mkdirSync(join(here.cwd, '.grove'))
    writeFileSync(join(here.cwd, '.grove', 'config.toml'), '[memory]\nremember = false\n')
    for (const args of [['git'], ['transcripts'], ['file', '-']]) {
      const refused = await grove(here, 'import', ...args)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('memory.remember is false')])
    }
  })
})
