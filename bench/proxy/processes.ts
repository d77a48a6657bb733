import { type ChildProcess, execFileSync, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backgroundEnvironment } from '../../src/daemon/process/background-environment.ts'
import { MEMORY } from './payload.ts'

/** A process the bench started, and how to end it. */
export interface Started {
  pid: number
  port: number
  child: ChildProcess
  stop(): Promise<void>
}

/** Starts this same bench in another role and waits until it listens. */
export async function startRole(script: string, role: string, ...args: string[]): Promise<Started> {
  const child = fork(script, ['--role', role, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [message] = (await once(child, 'message')) as [{ port?: number } | string]
  const port = typeof message === 'object' ? (message.port ?? 0) : 0
  return { pid: child.pid!, port, child, stop: () => stop(child) }
}

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0
}

/** nginx as one would set it up for streaming: bodies in memory, nothing held back, connections kept. */
export async function startNginx(upstreamPort: number): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'grove-bench-nginx-'))
  const port = await freePort()
  const config = `
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log crit;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  client_body_buffer_size 1m;
  client_max_body_size 32m;
  keepalive_requests 1000000;
  keepalive_timeout 120s;
  tcp_nodelay on;
  upstream api { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://api;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 600s;
    }
  }
}`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  return started(child, port, folder)
}

/**
 * The daemon as `grove claude` starts it in the background: its own home, store and supervisor, and a memory that bears on what the
 * sessions ask, so that every request gets something put in. BENCH_PROF=<folder> writes a CPU profile there.
 */
export async function startGrove(program: string, upstreamPort: number, project: string): Promise<Started> {
  const home = mkdtempSync(join(tmpdir(), 'grove-bench-home-'))
  const [port, webPort] = [await freePort(), await freePort()]
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GROVE_HOME: home,
    ANTHROPIC_TARGET: `http://127.0.0.1:${upstreamPort}`,
    PROXY_PORT: String(port),
    PORT: String(webPort),
  }
  const memories = join(home, 'memories.jsonl')
  writeFileSync(memories, `${JSON.stringify(MEMORY)}\n`)
  execFileSync(process.execPath, [program, 'import', 'file', '--here', memories], { env, cwd: project })
  const folder = process.env.BENCH_PROF
  const profiling = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : []
  const child = spawn(process.execPath, [...profiling, program, 'up'], {
    env: backgroundEnvironment(env, home) as NodeJS.ProcessEnv,
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return started(child, port, home)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const socket = connect(port, '127.0.0.1')
    const up = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (up) return
    await sleep(50)
  }
  throw new Error(`nothing came up on port ${port}`)
}

/** CPU seconds a process and its children have used, to the nanosecond where the system tells; undefined elsewhere. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    return tree(pid).reduce((sum, one) => sum + onCpu(one), 0)
  } catch {
    return undefined // no /proc here
  }
}

/** Resident memory of a process and its children in MB: now, and at its highest. */
export function memoryMb(pid: number): { now: number; peak: number } | undefined {
  try {
    const read = (one: number, field: string) =>
      Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0) / 1024
    const all = tree(pid)
    return {
      now: all.reduce((sum, one) => sum + read(one, 'VmRSS'), 0),
      peak: all.reduce((sum, one) => sum + read(one, 'VmHWM'), 0),
    }
  } catch {
    return undefined // no /proc here
  }
}

function tree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children ? children.split(' ').flatMap((child) => tree(Number(child))) : [])]
}

function onCpu(pid: number): number {
  let nanoseconds = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  }
  return nanoseconds / 1e9
}

/** Resolves once it listens; stopping it removes its folder. */
async function started(child: ChildProcess, port: number, folder: string): Promise<Started> {
  await listening(port)
  return {
    pid: child.pid!,
    port,
    child,
    async stop() {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
