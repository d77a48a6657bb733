import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Event, payload } from './hooks/events.ts'
import { cpuMsOf } from './hooks/measure.ts'
import { setStage } from './hooks/stage.ts'
import { HookConnection } from './load/hook-connection.ts'
import { runSlowUpstream, runStreams, type Streams } from './load/streams.ts'
import { freePort, memoryMb, startRole } from './proxy/processes.ts'

/**
 * npm run bench load -- [--seconds 60] [--sessions 50] [--tools 20] [--rate 500] [--streams 1000] [--json]: hooks from many
 * sessions that come and go, as fast as they are answered or so many a second; beside them that many streams through the
 * proxy at all times; and what the daemon needs for them: processor time, memory and descriptors. GROVE_BENCH_NODE_OPTIONS
 * are Node's options of the daemon.
 */
const { values: options, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    /** Sessions at a time. */
    sessions: { type: 'string', default: '50' },
    /** Tool calls of each. */
    tools: { type: 'string', default: '20' },
    /** Hooks a second at most. */
    rate: { type: 'string', default: 'Infinity' },
    /** Streams at a time, each half a minute long. */
    streams: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    role: { type: 'string' },
  },
  allowPositionals: true,
})
const [seconds, sessions, tools, rate, streams] = [
  Number(options.seconds),
  Number(options.sessions),
  Number(options.tools),
  Number(options.rate),
  Number(options.streams),
]

interface Sample {
  at: number
  megabytes: number
  descriptors: number
  hooks: number
  streams: Streams
}

// A role must not outlive the bench, however that ends.
if (options.role) process.once('disconnect', () => process.exit())
if (options.role === 'upstream') runSlowUpstream()
else if (options.role === 'streams') runStreams(streams, Number(positionals[0]), positionals[1] ?? '')
else await main()

async function main() {
  const script = fileURLToPath(import.meta.url)
  const [upstream, proxyPort] = [await startRole(script, 'upstream'), await freePort()]
  const stage = await setStage({
    ANTHROPIC_TARGET: `http://127.0.0.1:${upstream.port}`,
    PROXY_PORT: `${proxyPort}`,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: process.env.GROVE_BENCH_NODE_OPTIONS ?? '',
  })
  let told: Streams = { open: 0, done: 0, broken: 0, how: {} }
  const args = ['--streams', `${streams}`, `${proxyPort}`, stage.project]
  const clients = streams > 0 ? await startRole(script, 'streams', ...args) : undefined
  clients?.child.on('message', (message) => {
    told = message as Streams
  })

  const times: number[] = []
  const samples: Sample[] = []
  const begin = performance.now()
  const cpuNow = (): Cpu => ({
    daemon: cpuMsOf(stage.daemon),
    clients: ownCpuMs() + (clients ? cpuMsOf(clients.child.pid!) : 0),
    upstream: cpuMsOf(upstream.child.pid!),
  })
  const cpuBefore = cpuNow()
  const passed = () => (performance.now() - begin) / 1000
  const note = () => {
    const sample = {
      at: passed(),
      megabytes: memoryMb(stage.daemon)?.now ?? Number.NaN,
      descriptors: descriptorsOf(stage.daemon),
      hooks: times.length,
      streams: { ...told },
    }
    samples.push(sample)
    if (!options.json) console.log(asLine(sample))
  }
  const sampling = setInterval(note, (seconds * 1000) / 20)
  let turns = 0
  const tell = async (connection: HookConnection, event: Event, session: string, action: string) => {
    const wait = (turns++ / rate) * 1000 - (performance.now() - begin)
    if (wait > 0) await sleep(wait)
    const body = JSON.stringify(payload(event, session, action, stage.project))
    const start = performance.now()
    await connection.tell(event, body)
    times.push(performance.now() - start)
  }
  const oneAfterTheOther = async (seat: number) => {
    for (let n = 0; passed() < seconds; n++) {
      const session = `load-${seat}-${n}`
      const connection = new HookConnection(new URL(stage.webUrl), stage.token)
      await tell(connection, 'session-start', session, session)
      await tell(connection, 'user-prompt-submit', session, session)
      for (let tool = 0; tool < tools && passed() < seconds; tool++) {
        await tell(connection, 'pre-tool-use', session, `${session}-${tool}`)
        await tell(connection, 'post-tool-use', session, `${session}-${tool}`)
      }
      await tell(connection, 'stop', session, session)
      await tell(connection, 'session-end', session, session)
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: sessions }, (_, seat) => oneAfterTheOther(seat)))
  clearInterval(sampling)
  note()
  const took = passed()
  const cpuAfter = cpuNow()
  const cpu: Cpu = {
    daemon: cpuAfter.daemon - cpuBefore.daemon,
    clients: cpuAfter.clients - cpuBefore.clients,
    upstream: cpuAfter.upstream - cpuBefore.upstream,
  }
  const warnings = warningsIn(join(stage.up.env.GROVE_HOME!, 'logs', 'grove.log'))
  stage.close()
  report(times, samples, took, cpu, warnings)
  process.exit(0)
}

/** Processor time in milliseconds: what is measured, and what the bench itself takes from the same processors. */
interface Cpu {
  daemon: number
  clients: number
  upstream: number
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    // No such file system.
    return Number.NaN
  }
}

function asLine({ at, hooks, megabytes, descriptors, streams }: Sample): string {
  const columns = [`${at.toFixed(0)} s`, `${hooks} hooks`, `${megabytes.toFixed(0)} MB`, `${descriptors} descriptors`]
  if (options.streams !== '0') {
    columns.push(`${streams.open} streams`, `${streams.done} ended`, `${streams.broken} broken`)
    if (streams.broken > 0)
      columns.push(
        ` (${Object.entries(streams.how)
          .map(([how, count]) => `${count} ${how}`)
          .join('; ')})`,
      )
  }
  return columns.map((column) => column.padStart(16)).join('')
}

/** What the daemon complained of, and how often. */
function warningsIn(log: string): Record<string, number> {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  const counts: Record<string, number> = {}
  for (const line of lines.filter(Boolean)) {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string; code?: string } }
    const what = err ? `${msg}: ${err.code ?? err.message}` : msg
    counts[what] = (counts[what] ?? 0) + 1
  }
  return counts
}

function report(times: number[], samples: Sample[], took: number, cpu: Cpu, warnings: Record<string, number>) {
  /** Of all the processor time that this machine had. */
  const share = (ms: number) => ms / (took * 1000 * availableParallelism())
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const figures = {
    hooks: times.length,
    perSecond: times.length / took,
    /** What one processor could answer if the daemon had it for itself. */
    perCoreSecond: (times.length / cpu.daemon) * 1000,
    cpuMsPerHook: cpu.daemon / times.length,
    shares: { daemon: share(cpu.daemon), clients: share(cpu.clients), upstream: share(cpu.upstream) },
    p50: at(0.5),
    p99: at(0.99),
    warnings,
    samples,
  }
  if (options.json) console.log(JSON.stringify(figures))
  else {
    console.log(`${figures.hooks} hooks in ${took.toFixed(0)} s: ${figures.perSecond.toFixed(0)} a second`)
    console.log(
      `${figures.cpuMsPerHook.toFixed(2)} ms of processor each: ${figures.perCoreSecond.toFixed(0)} a second and core`,
    )
    const shown = Object.entries(figures.shares).map(([who, part]) => `${who} ${(part * 100).toFixed(0)} %`)
    console.log(`of ${availableParallelism()} processors: ${shown.join(', ')}; the rest was idle or others'`)
    console.log(`answered within ${figures.p50.toFixed(1)} ms (half), ${figures.p99.toFixed(1)} ms (99 %)`)
    for (const [what, count] of Object.entries(warnings)) console.log(`the daemon warned ${count} times: ${what}`)
  }
}
