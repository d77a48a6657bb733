import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { dist, grove, place, startGrove, withBinary } from './grove.ts'

withBinary()

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))

describe('start-up', () => {
  /** Node's own coverage names every script that was loaded. */
  async function loadedBy(...args: string[]): Promise<{ files: string[]; stdout: string; code: number | null }> {
    const coverage = mkdtempSync(join(tmpdir(), 'grove-loaded-'))
    const { stdout, code } = await grove(place({ NODE_V8_COVERAGE: coverage }), ...args)
    const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')))
    const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
    const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
    return { files: [...new Set(files)].filter((file) => file.startsWith(realpathSync(dist))), stdout, code }
  }

  const size = (files: string[]) => files.reduce((sum, file) => sum + readFileSync(file).length, 0)

  it('of --version loads next to nothing', async () => {
    const { files, stdout } = await loadedBy('--version')
    expect(stdout).toBe(`${version}\n`)
    expect(files).toContain(join(realpathSync(dist), 'grove.js'))
    expect(size(files)).toBeLessThan(8_000)
  })

  it('of a hook loads next to nothing but the hook, and never stops the agent', async () => {
    const { files, code } = await loadedBy('hook', 'session-start')
    expect(code).toBe(0)
    expect(files).not.toEqual([])
    expect(size(files.filter((file) => !file.includes('hook')))).toBeLessThan(8_000)
  })

  it('of help loads neither the daemon nor a database', async () => {
    const { files } = await loadedBy('up', '--help')
    expect(files).not.toEqual([])
    const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    expect(text).not.toMatch(/node_modules\/(fastify|kysely|pg|undici|pino)\//)
  })
})

describe('a folder that was removed under the terminal', () => {
  it('keeps nobody from what needs no folder', () => {
    const { cwd, env } = place()
    const here = (command: string) => {
      mkdirSync(join(cwd, 'gone'), { recursive: true })
      const script = `cd gone && rmdir ../gone && exec "$0" "$1" ${command}`
      const options = { cwd, env, encoding: 'utf8' as const, input: '{"session_id":"s1","hook_event_name":"Stop"}' }
      const { status, stdout, stderr } = spawnSync(
        'sh',
        ['-c', script, process.execPath, join(dist, 'grove.js')],
        options,
      )
      return { status, stdout, stderr: stderr.replace(/^sh: .*getcwd.*\n/gm, '') }
    }
    expect(here('status')).toMatchObject({ status: 0, stdout: expect.stringContaining('Daemon'), stderr: '' })
    expect(here('hook stop')).toMatchObject({ status: 0, stdout: '{}\n', stderr: '' })
  })
})

describe('help', () => {
  it('names every command with what it does', async () => {
    const { stdout, code } = await grove(place(), '--help')
    expect(code).toBe(0)
    for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`${name} .*${summary.slice(0, 20)}`))
  })

  it('is six lines to type for somebody who types nothing, with the way to the rest', async () => {
    const { stdout, code } = await grove(place())
    const typed = [...stdout.matchAll(/^ {2}grove (\w+)/gm)].map(([, name]) => name!)
    expect([code, typed]).toEqual([0, ['demo', 'init', 'claude', 'open', 'doctor', 'unregister']])
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(typed))
    expect(stdout).toContain('`grove --help` lists every command.')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('goes as deep as the words do', async () => {
    const asked = await grove(place(), 'help', 'feature', 'new')
    expect(asked.stdout).toContain('Usage: grove feature new [options]')
    expect(asked).toEqual(await grove(place(), 'feature', 'new', '--help'))
  })

  it.each(commands.map(({ name, examples }) => ({ name, examples })))(
    'of $name has options and examples',
    async ({ name, examples }) => {
      for (const args of [
        [name, '--help'],
        ['help', name],
      ]) {
        const { stdout, code } = await grove(place(), ...args)
        expect(code).toBe(0)
        expect(stdout).toContain('Options:')
        for (const line of examples.flatMap(([lines]) => lines.split('\n'))) expect(stdout).toContain(line)
      }
    },
  )
})

describe('a slip of the fingers', () => {
  it.each([
    [['stats'], /unknown command 'stats'[\s\S]*Did you mean status\?[\s\S]*grove --help/],
    [['status', '--jsn'], /unknown option '--jsn'[\s\S]*Did you mean --json\?[\s\S]*grove status --help/],
    [['status', 'now'], /too many arguments/],
    [['stats', '--help'], /unknown command 'stats'[\s\S]*Did you mean status\?/],
    [['help', 'stats'], /unknown command 'stats'/],
    [['uninstal'], /unknown command 'uninstal'[\s\S]*Did you mean grove unregister\?/],
    [['intent', 'shw', 'INT-1'], /unknown command 'intent shw'[\s\S]*Did you mean show\?[\s\S]*grove intent --help/],
    [['team', 'xyzzy'], /unknown command 'team xyzzy'[\s\S]*Available: status, join/],
    [['memories', 'list', 'all'], /too many arguments/],
    [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish/],
    [['completion'], /missing required argument/],
    [['import'], /choose what to import: git, transcripts, or a file/],
    [['search', 'x', '--limit', '0'], /Use a whole number of at least 1/],
    [['pause', 'soon'], /Use a number above 0 and up to 525600/],
    [['demo', '--speed', '0'], /Use a number above 0\./],
    [['up', '--port', 'many'], /An option is wrong:[\s\S]*option --port: port\n {4}expected a port number/],
  ])('%j is explained, with exit code 2 and nothing on stdout', async (args, message) => {
    const { code, stdout, stderr } = await grove(place(), ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})

describe('a broken configuration', () => {
  it('is explained in one line by file, line, key, expected and found, and stops nobody', async () => {
    const here = place({ PORT: 'many' })
    mkdirSync(here.home)
    writeFileSync(join(here.home, 'config.toml'), '[proxy]\nport = "eighty"\ntargt = "x"\n')
    const { code, stdout, stderr } = await grove(here, 'status')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing is stored yet')])
    expect(stderr).toMatch(
      /^warning: a setting is not used: .*config\.toml:3: proxy\.targt: unknown .* mean proxy\.target\? \(and 2 more: `grove doctor`\)\n$/,
    )
    const doctor = await grove(here, 'doctor')
    expect(doctor.stdout).toMatch(/environment PORT: port: expected a port number from 0 to 65535 .*, found "many"$/m)
    expect(doctor.stdout).toMatch(/config\.toml:2: proxy\.port: expected a port number .*, found "eighty"$/m)
  })

  it('is said to an agent that reflects or skips, and keeps it from nothing', async () => {
    const here = place()
    mkdirSync(join(here.cwd, '.grove'))
    writeFileSync(join(here.cwd, '.grove', 'config.toml'), '[gate]\nenabled = "maybe"\n')
    const hook = (name: string, more: object) =>
      spawnSync(process.execPath, [join(dist, 'grove.js'), 'hook', name], {
        env: here.env,
        input: JSON.stringify({ session_id: 's1', cwd: here.cwd, ...more }),
      })
    hook('session-start', { hook_event_name: 'SessionStart', source: 'startup' })
    for (const args of [
      ['observe', 'the order matters'],
      ['skip', 'only a version bump'],
    ]) {
      const { code, stdout, stderr } = await grove(here, ...args)
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^(Noted|Saved)/)])
      expect(stderr).toMatch(/^warning: a setting is not used: .*config\.toml:2: gate\.enabled: expected .*\n$/)
    }
    expect(readFileSync(join(here.home, 'logs', 'hooks.log'), 'utf8')).toContain('config.toml:2: gate.enabled')
  })

  it('is shown in its place when the TOML itself is broken', async () => {
    const here = place()
    mkdirSync(here.home)
    writeFileSync(join(here.home, 'config.toml'), 'port = 4000\n[proxy\n')
    const daemon = await startGrove(here, 'up')
    expect(daemon.stderr).toMatch(/^warning: the settings of a file are not used: .*config\.toml:2: not valid TOML/)
    expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
    daemon.kill('SIGTERM')
    expect((await daemon.exit).code).toBe(0)
  })

  it('is said once by a command that reads the settings of its project too', async () => {
    const here = place()
    mkdirSync(here.home)
    writeFileSync(join(here.home, 'config.toml'), 'prot = 1\nhots = 2\n')
    const { code, stderr } = await grove(here, 'intent', 'add', 'Parser', '--scope', 'src/**')
    expect([code, stderr.match(/^warning: a setting is not used/gm)?.length]).toEqual([0, 1])
  })

  it('also comes from the command line', async () => {
    const { code, stderr } = await grove(place(), 'up', '--proxy-target', 'nowhere')
    expect(code).toBe(2)
    expect(stderr).toContain(
      'option --proxy-target: proxy.target\n    expected a URL such as "https://api.anthropic.com", without user name or query, found "nowhere"',
    )
  })
})

describe('completion', () => {
  const complete = (script: string, line: string) => {
    const test = `${script}\nCOMP_WORDS=(${line.endsWith(' ') ? `${line} ''` : line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _grove; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', test], { encoding: 'utf8' }).trim().split('\n')
  }

  it('for bash parses and completes commands, options and choices', async () => {
    const { stdout } = await grove(place(), 'completion', 'bash')
    expect(spawnSync('bash', ['-n'], { input: stdout }).status).toBe(0)
    expect(complete(stdout, 'grove pro')).toEqual(['proxy-status', 'proxy'])
    expect(complete(stdout, 'grove status --')).toEqual(['--json', '--help'])
    expect(complete(stdout, 'grove completion ')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
    expect(complete(stdout, 'grove up --proxy-')).toEqual(['--proxy-host', '--proxy-port', '--proxy-target'])
    expect(complete(stdout, 'grove init --transport ')).toEqual(['auto', 'http', 'command'])
    expect(complete(stdout, 'grove up --port ')).toEqual([''])
    expect(complete(stdout, 'grove memories list --l')).toEqual(['--limit'])
    expect(complete(stdout, 'grove intent list --l')).toEqual([''])
  })

  it.each(['zsh', 'fish'])('for %s names every command and option, and parses where there is one', async (shell) => {
    const here = place()
    const { stdout, code } = await grove(here, 'completion', shell)
    expect(code).toBe(0)
    const file = join(here.cwd, 'completion')
    writeFileSync(file, stdout)
    const parsed = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    const isMissing = (parsed.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
    expect(isMissing || parsed.stderr).toBe(isMissing || '')
    for (const { name, summary } of commands) {
      expect(stdout).toContain(name)
      expect(stdout).toContain(summary.split(':')[0])
    }
    expect(stdout).toContain('proxy-target')
  })
})

it('a reader that leaves early is no error', async () => {
  const here = place()
  const command = `"${process.execPath}" "${join(dist, 'grove.js')}" doctor | head -n 1`
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: here.cwd, env: here.env, encoding: 'utf8' })
  expect(stdout).toMatch(/^fail +target/)
  expect(stderr).toBe('')
})
