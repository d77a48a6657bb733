import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { chownAll } from './chown-all.ts'

/**
 * Two users of one machine: the one whom Grove belongs to, and another. Only root can be both; whoever runs this as
 * somebody else attacks as the same user, who has read none of the secrets.
 */
export const areTwo = process.getuid?.() === 0
type User = { uid?: number; gid?: number }
const OWNER: User = areTwo ? { uid: 1, gid: 1 } : {}
const STRANGER: User = areTwo ? { uid: 65534, gid: 65534 } : {}

/** A place that both users can reach, with a home and a project of the owner's and a copy of the built Grove. */
export function commonPlace(dist: string, files: Record<string, string>, env: Record<string, string> = {}) {
  const folder = mkdtempSync('/tmp/grove-security-')
  chmodSync(folder, 0o755)
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  cpSync(dist, join(folder, 'dist'), { recursive: true })
  // The repository may lie where another user cannot look.
  const sqlite = join('node_modules', '@photostructure', 'sqlite', 'prebuilds', `${process.platform}-${process.arch}`)
  const library = join(import.meta.dirname, '..', '..', sqlite)
  if (existsSync(library)) cpSync(library, join(folder, sqlite), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), content)
  }
  // As careless as people are: everybody may look in.
  mkdirSync(home, { mode: 0o755 })
  for (const one of [home, project]) chownAll(one, OWNER)
  const own = { PATH: process.env.PATH ?? '', HOME: home, GROVE_HOME: home, PORT: '0', PROXY_PORT: '0', ...env }
  const running = new Set<ChildProcess>()

  function run(user: User, program: string, args: string[], more: Record<string, string> = {}) {
    const child = spawn(program, args, { cwd: user === OWNER ? project : '/', env: { ...own, ...more }, ...user })
    running.add(child)
    return child
  }

  async function ended(child: ChildProcess) {
    const [stdout, stderr] = [text(child.stdout!), text(child.stderr!)]
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, stdout: await stdout, stderr: await stderr }
  }

  return {
    home,
    project,
    token: () => readFileSync(join(home, 'token'), 'utf8').trim(),
    /** A command of the owner's. */
    grove: (...args: string[]) => ended(run(OWNER, process.execPath, [join(folder, 'dist', 'grove.js'), ...args])),
    /** The owner's daemon; resolves to what it printed. */
    async up() {
      const child = run(OWNER, process.execPath, [join(folder, 'dist', 'grove.js'), 'up'])
      let said = ''
      const trouble = text(child.stderr!)
      for await (const piece of child.stdout!.setEncoding('utf8')) {
        said += piece
        if (said.includes('Stop it with')) break
      }
      if (!said.includes('Stop it with')) throw new Error(await trouble)
      const url = (listener: string) => new RegExp(`${listener} +(http://\\S+)`).exec(said)?.[1] ?? ''
      return { web: url('Web'), link: url('Open'), proxy: url('Proxy') }
    },
    /** Runs a script of the other user's, which prints JSON; what it is told arrives as `told`. */
    async attack<T>(script: string, told: object): Promise<T> {
      const code = `const told = ${JSON.stringify(told)}\n${script}`
      const { stdout, stderr } = await ended(run(STRANGER, process.execPath, ['--input-type=module', '-e', code]))
      if (!stdout) throw new Error(stderr)
      return JSON.parse(stdout) as T
    },
    /** The same as the owner. */
    async asOwner<T>(script: string, told: object): Promise<T> {
      const code = `const told = ${JSON.stringify(told)}\n${script}`
      const { stdout, stderr } = await ended(run(OWNER, process.execPath, ['--input-type=module', '-e', code]))
      if (!stdout) throw new Error(stderr)
      return JSON.parse(stdout) as T
    },
    async remove() {
      for (const child of running) if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
