import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startSimulator } from '../../src/simulator/upstream.ts'
import { dist, grove, type Place, place, withBinary } from '../cli/grove.ts'
import { runClaude } from '../support/claude.ts'
import { beginFeature, openHouse } from '../support/feature/house.ts'
import { completeSmall, SMALL_FORM, SMALL_MODEL } from '../support/feature/small-feature.ts'
import { leftRunning } from '../support/feature/verdict.ts'
import { freePort } from '../support/free-port.ts'
import { story } from '../support/story.ts'

// A small disk of its own under the home of a real daemon, filled to the last byte or read-only: the daemon goes on, or starts,
// and takes up its work when there is room. Where nobody may mount, the tests of log and store stand for it.

withBinary()

const UNSHARE = [['-m'], ['-rm']].find((args) => spawnSync('unshare', [...args, 'true']).status === 0)
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** An API that has one answer. */
async function plainApi(): Promise<string> {
  const api = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"type":"message"}'))
  }).listen(0, '127.0.0.1')
  ends.push(() => api.close())
  await once(api, 'listening')
  return `http://127.0.0.1:${(api.address() as AddressInfo).port}`
}

/** The daemon in a mount namespace with a disk, prepared by `prepare`, at $disk; `inside` is its home as seen from here. */
async function daemonOnSmallDisk(
  prepare: string,
  { target, below = '', env: more = {} }: { target?: string; below?: string; env?: Record<string, string> } = {},
) {
  const [port, proxyPort] = [await freePort(), await freePort()]
  const {
    home: disk,
    cwd,
    env,
  } = place({ PORT: `${port}`, PROXY_PORT: `${proxyPort}`, ANTHROPIC_TARGET: target ?? (await plainApi()), ...more })
  const home = join(disk, below)
  env.GROVE_HOME = home
  mkdirSync(disk)
  const script = `disk=${disk}; mount -t tmpfs -o size=4m tmpfs "$disk" && ${prepare} exec "$0" "$@"`
  const args = [...UNSHARE!, 'sh', '-c', script, process.execPath, join(dist, 'grove.js'), 'up']
  const child = spawn('unshare', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  ends.push(() => child.kill('SIGKILL'))
  let told = ''
  child.stderr.on('data', (chunk) => {
    told += chunk
  })
  const ask = (at: number, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${at}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).then(
      (response) => response.status,
      () => undefined,
    )
  const inside = `/proc/${child.pid}/root${home}`
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  return {
    inside,
    cwd,
    url: `http://127.0.0.1:${proxyPort}`,
    told: () => told,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    web: () => ask(port, '/health'),
    proxy: () => ask(proxyPort, '/v1/messages', { model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
    /** Tells of a prompt; what the hook is answered with. */
    async prompt(sessionId: string) {
      const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'Repair src/a.ts', session_id: sessionId, cwd }
      const body = JSON.stringify(prompt)
      return (await fetch(`http://127.0.0.1:${port}/hooks/user-prompt-submit`, { method: 'POST', headers, body }))
        .status
    },
    agents: async () => (await fetch(`http://127.0.0.1:${port}/api/agents`, { headers })).text(),
    /** The token must be read while there is one. */
    knowToken() {
      headers.authorization = `Bearer ${readFileSync(join(inside, 'token'), 'utf8').trim()}`
    },
  }
}

/** Commands with a small disk of their own at $disk, and `code` after each. */
function onSmallDisk(disk: string, { cwd, env }: Pick<Place, 'cwd' | 'env'>, size: string, script: string) {
  mkdirSync(disk, { recursive: true })
  const whole = `grove() { "$node" "$grove" "$@"; echo "code $?"; }; mount -t tmpfs -o size=${size} tmpfs "$disk" && ${script}`
  const variables = { ...env, disk, node: process.execPath, grove: join(dist, 'grove.js') }
  return spawnSync('unshare', [...UNSHARE!, 'sh', '-c', whole], { cwd, env: variables, encoding: 'utf8' })
}

const manyMemories = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const goal = `Round the tax of part ${n}, which was wrong by ${n % 97}`
    return `${JSON.stringify({ id: `m${n}`, createdAt: 1.7e12 + n, goal, files: [`src/${n}.ts`], reasoningTrace: [goal] })}\n`
  }).join('')

/** Everything that is left, in ever smaller pieces. */
function fillUp(folder: string) {
  for (const size of [65_536, 4096, 1]) {
    const piece = Buffer.alloc(size)
    try {
      for (;;) appendFileSync(join(folder, 'filling'), piece)
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
  }
}

if (UNSHARE) {
  describe('a disk without room', () => {
    it('stops no running daemon, which keeps what it is told when there is room again', async () => {
      const daemon = await daemonOnSmallDisk('')
      await expect.poll(daemon.web).toBe(200)
      daemon.knowToken()
      fillUp(daemon.inside)
      expect(await daemon.prompt('without-room')).toBe(200)
      for (let i = 0; i < 5; i++) expect(await daemon.proxy()).toBe(200)
      expect(await daemon.web()).toBe(200)
      expect(daemon.isAlive()).toBe(true)
      rmSync(join(daemon.inside, 'filling'))
      writeFileSync(join(daemon.inside, 'room'), 'x'.repeat(1000))
      expect(await daemon.proxy()).toBe(200)
      const kept = async () => {
        expect(await daemon.prompt('with-room')).toBe(200)
        return daemon.agents()
      }
      await expect.poll(kept).toContain('with-room')
    })

    it('ends an import of memories or of commits in words, and the same command completes it when there is room', () => {
      const at = place({})
      const git = (...args: string[]) => spawnSync('git', args, { cwd: at.cwd, env: at.env })
      git('init', '-q', '--initial-branch=main')
      const commit = (n: number) =>
        `commit refs/heads/main\ncommitter a <a> ${1.7e9 + n} +0000\ndata <<E\nfix: round the tax of part ${n}\n\nBecause it was wrong by ${n}.\nE\nM 644 inline src/${n}.ts\ndata 2\nx\n`
      const history = Array.from({ length: 3000 }, (_, n) => commit(n)).join('')
      spawnSync('git', ['fast-import', '--quiet'], { cwd: at.cwd, env: at.env, input: history })
      writeFileSync(join(at.cwd, 'm.jsonl'), manyMemories(20_000))
      for (const [what, count] of [
        ['file m.jsonl', 20_000],
        ['git', 3000],
      ] as const) {
        const home = join(at.home, `${count}`)
        const more = 'mount -o remount,size=200m "$disk"'
        const script = `grove import ${what} && ${more} && grove import ${what} && grove export | wc -l`
        const { stdout, stderr } = onSmallDisk(home, { ...at, env: { ...at.env, GROVE_HOME: home } }, '2m', script)
        expect(stderr, what).toMatch(/disk.* is full/)
        expect(stderr).not.toMatch(/should not happen|at .*\.js:\d/)
        expect(stdout.match(/code \d/g)).toEqual(['code 1', 'code 0'])
        // The last line is the code of the export.
        expect(Number(stdout.trim().split('\n').at(-1)) - 1, what).toBe(count)
      }
    })

    it('ends an export in words, which leaves the one of before as it was', async () => {
      const at = place({})
      writeFileSync(join(at.cwd, 'm.jsonl'), manyMemories(2000))
      expect((await grove(at, 'import', 'm.jsonl')).code).toBe(0)
      const disk = join(at.cwd, 'small')
      const script =
        'echo before >"$disk/old" && grove export "$disk/old" && grove export "$disk/new" && grove export >/dev/full; ls -A "$disk"; cat "$disk/old"'
      const { stdout, stderr } = onSmallDisk(disk, at, '64k', script)
      expect(stderr.match(/the disk is full/g)).toHaveLength(2)
      expect(stderr).toContain('the output cannot be written')
      expect(stderr).not.toMatch(/\.tmp|should not happen/)
      expect(stdout).toBe('code 1\ncode 1\nold\nbefore\n')
    })

    it('stops no daemon whose log is to be set aside, and the log goes on afterwards', async () => {
      const nearlyFull = 'mkdir "$disk/logs" && yes {} | head -c 1048000 >"$disk/logs/grove.log" &&'
      const env = { LOG_LEVEL: 'debug', LOG_MAX_SIZE_MB: '1', LOG_MAX_FILES: '2' }
      const daemon = await daemonOnSmallDisk(nearlyFull, { env })
      await expect.poll(daemon.web).toBe(200)
      daemon.knowToken()
      const logs = join(daemon.inside, 'logs')
      fillUp(daemon.inside)
      for (let i = 0; i < 40; i++) expect(await daemon.prompt(`full-${i}`)).toBe(200)
      expect(await daemon.proxy()).toBe(200)
      rmSync(join(daemon.inside, 'filling'))
      const goesOn = async () => {
        expect(await daemon.prompt(`room-${Math.random()}`)).toBe(200)
        return readdirSync(logs).length > 1 && readFileSync(join(logs, 'grove.log'), 'utf8')
      }
      await expect.poll(goesOn).toContain('lines are missing before this one')
      expect(readdirSync(logs).sort()).toEqual(['grove.log', 'grove.log.1'])
    })

    it('is said by `grove init`, which then has attached nothing', () => {
      const { home, cwd, env } = place({})
      mkdirSync(home)
      const fill = '{ cat /dev/zero >"$GROVE_HOME/filling" 2>/dev/null; true; }'
      const script = `mount -t tmpfs -o size=256k tmpfs "$GROVE_HOME" && ${fill} && "$0" "$@"; code=$?; ls -A "$GROVE_HOME"; exit $code`
      const args = [...UNSHARE!, 'sh', '-c', script, process.execPath, join(dist, 'grove.js'), 'init', '--project']
      const { status, stdout, stderr } = spawnSync('unshare', args, { cwd, env, encoding: 'utf8' })
      expect(stderr).toContain('the disk is full')
      expect(stderr).toContain('Free some space')
      expect(status).toBe(1)
      expect(stdout.trim()).toBe('filling')
      expect(existsSync(join(cwd, '.claude'))).toBe(false)
    })

    // The first disk has room for some files and not for others, the second for no more files at all.
    it.each([
      ['with little room', 'size=128k'],
      ['that can have no more files', 'size=4m,nr_inodes=6'],
    ])('%s is said too where only a part of it fits', (_, size) => {
      const { home, cwd, env } = place({})
      mkdirSync(home)
      const script = `mount -t tmpfs -o ${size} tmpfs "$GROVE_HOME" && "$0" "$@"; code=$?; ls -A "$GROVE_HOME"/bin >&2; exit $code`
      const args = [...UNSHARE!, 'sh', '-c', script, process.execPath, join(dist, 'grove.js'), 'init', '--project']
      const { status, stderr } = spawnSync('unshare', args, { cwd, env, encoding: 'utf8' })
      expect(stderr).toMatch(/Grove cannot (?:use|write) .*home.*: the disk is full/)
      expect(stderr).not.toContain('a bug in Grove')
      expect(stderr).not.toContain('.tmp')
      expect(status).toBe(1)
      expect(existsSync(join(cwd, '.claude'))).toBe(false)
    })

    it('lets a daemon start that only forwards, until there is room', async () => {
      const daemon = await daemonOnSmallDisk('{ cat /dev/zero >"$disk/filling" 2>/dev/null; true; } &&')
      await expect.poll(daemon.proxy).toBe(200)
      expect(await daemon.web()).toBeUndefined()
      expect(daemon.told()).toContain('requests are only forwarded until its home can be written')
      rmSync(join(daemon.inside, 'filling'))
      await expect.poll(daemon.web).toBe(200)
      expect(await daemon.proxy()).toBe(200)
    })
  })

  describe('files that may not become large', () => {
    it('are said by `grove init`, which leaves nothing half', () => {
      const { home, cwd, env } = place({})
      const init = (blocks: number) => {
        const script = `ulimit -f ${blocks}; exec "$0" "$@"`
        const args = ['-c', script, process.execPath, join(dist, 'grove.js'), 'init', '--project']
        return spawnSync('bash', args, { cwd, env, encoding: 'utf8' })
      }
      for (const blocks of [0, 8, 64]) {
        const { status, stderr } = init(blocks)
        expect(stderr).toMatch(/Grove cannot (?:use|write) .*home.*: .*files may not become that large/)
        expect(status).toBe(1)
      }
      const left = readdirSync(home, { recursive: true, encoding: 'utf8' })
      expect(left.filter((name) => /writable|tmp|detach/.test(name))).toEqual([])
      expect(existsSync(join(cwd, '.claude'))).toBe(false)
    })
  })

  describe('a home that vanishes under a running daemon', () => {
    it('gets token and socket back, and hooks are answered as before', async () => {
      const daemon = await daemonOnSmallDisk('', { below: 'home' })
      await expect.poll(daemon.web).toBe(200)
      daemon.knowToken()
      const token = readFileSync(join(daemon.inside, 'token'), 'utf8')
      rmSync(daemon.inside, { recursive: true })
      expect(await daemon.prompt('in-between')).toBe(200)
      const back = () => ['token', 'grove.sock'].map((name) => existsSync(join(daemon.inside, name)))
      await expect.poll(back).toEqual([true, true])
      expect(readFileSync(join(daemon.inside, 'token'), 'utf8')).toBe(token)
      expect(await daemon.prompt('afterwards')).toBe(200)
      await expect.poll(daemon.agents).toContain('afterwards')
    })
  })

  /** The background job makes the disk writable when this file is there. */
  const READ_ONLY =
    'mount -o remount,ro "$disk" && { until [ -e "$HOME/mended" ]; do sleep 0.1; done; mount -o remount,rw "$disk"; } & sleep 0.2;'

  describe.each([
    ['a read-only home', ''],
    ['a home that is gone from a read-only disk', 'home'],
  ])('%s', (_, below) => {
    it('lets a daemon start that forwards the real client, and work when it can be written', async () => {
      const simulator = await startSimulator({
        scenario: story({ text: 'ready' }, { text: 'Done.' }, { text: 'Done.' }),
      })
      ends.push(() => void simulator.close())
      const daemon = await daemonOnSmallDisk(READ_ONLY, { target: simulator.url, below })
      const work = () => runClaude({ baseUrl: daemon.url, prompt: 'Say when you are done', cwd: daemon.cwd })
      await expect.poll(daemon.proxy).toBe(200)
      expect(daemon.told()).toMatch(/requests are only forwarded.*the disk is read-only/)
      expect(await work()).toMatchObject({ exitCode: 0, result: { result: 'Done.' } })
      expect(await daemon.web()).toBeUndefined()

      writeFileSync(join(daemon.cwd, '..', 'mended'), '')
      await expect.poll(daemon.web).toBe(200)
      expect(daemon.told()).toContain('can be written again; Grove is running')
      daemon.knowToken()
      const { exitCode, sessionId } = await work()
      expect(exitCode).toBe(0)
      await expect.poll(daemon.agents).toContain(sessionId)
    })
  })

  describe('a disk that fills up under a feature session', () => {
    it('stops neither the daemon nor the session, which is completed when there is room', {
      timeout: 900_000,
    }, async () => {
      // The settings stand in the home before the disk lies over it.
      const script =
        'kept=$(cat "$GROVE_HOME/config.toml"); mount -t tmpfs -o size=5m tmpfs "$GROVE_HOME" && echo "$kept" >"$GROVE_HOME/config.toml" && exec "$0" "$@"'
      const house = await openHouse({
        binary: join(dist, 'grove.js'),
        scenario: SMALL_MODEL,
        via: ['unshare', ...UNSHARE!, 'sh', '-c', script],
      })
      try {
        const daemon = await house.start()
        const session = await beginFeature(daemon, house.project.dir, SMALL_FORM)
        const inside = `/proc/${daemon.pid}/root${house.home}`
        // Full for a while in every phase: whatever a person or the client does meanwhile may fail, and may be done again.
        let phases = 0
        let isOver = false
        const filling = (async () => {
          while (!isOver) {
            fillUp(inside)
            phases++
            await sleep(1500)
            rmSync(join(inside, 'filling'))
            await sleep(2500)
          }
        })()
        const holds: string[] = []
        const seen = await completeSmall(
          () => daemon,
          session,
          (kind) => holds.push(kind),
        )
        isOver = true
        await filling
        expect(seen.session.status).toBe('completed')
        expect(seen.plan?.steps.every(({ status }) => status === 'completed')).toBe(true)
        expect(phases).toBeGreaterThan(2)
        expect(daemon.output()).not.toMatch(/should not happen|a bug in Grove/)
        await daemon.stop()
        expect(await leftRunning(house)).toEqual([])
      } finally {
        await house.close()
      }
    })
  })
}
