import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkForwarding } from './check.ts'
import type { Batch, BatchResult } from './load.ts'
import { type Mode, PACES } from './payload.ts'
import { cpuSeconds, hasNginx, memoryMb, type Started, startGrove, startNginx, startRole } from './processes.ts'

/** `beside` is another build of Grove, to compare two of them in one run. */
export type Name = 'direct' | 'nginx' | 'pipe' | 'grove' | 'beside'

export interface Plan {
  connections: number[]
  requests: number
  warmUp: number
  rounds: number
  /** Whether to measure memory as well. */
  memory: boolean
  modes: readonly Mode[]
  names: readonly Name[]
  /** The built `grove.js` of each Grove. */
  programs: Partial<Record<Name, string>>
  /** The folder that the agent sessions say they work in. */
  project: string
}

/** One measured batch of requests through one contestant. */
export interface Measured {
  name: Name
  mode: Mode
  connections: number
  requests: number
  seconds: number
  cpuSeconds: number | undefined
  firstByteMs: number
  /** That 95 % did not exceed. */
  firstByte95Ms: number
  totalMs: number
}

export interface Runs {
  batches: Measured[]
  memory: Partial<Record<Name, Memory>>
  nginx: boolean
}

/** Of a process that has just been started and then held 256 open streams. */
export interface Memory {
  peakMb: number
  perStreamKb: number
}

const OPEN_STREAMS = 256
const WARM_UP_TURNS = 3
const AFTERWARDS_MS = 200
/** With one conversation, tools take their time. */
const MOST_WITH_TOOLS = 200

interface Contestant {
  name: Name
  port: number
  started?: Started
}

/** Runs every contestant over every mode and load, taking turns, so that a noisy machine disturbs all alike. */
export async function measure(script: string, plan: Plan): Promise<Runs> {
  const upstream = await startRole(script, 'upstream', plan.project)
  const load = await startRole(script, 'load', plan.project)
  const nginx = hasNginx()
  const names = plan.names.filter((name) => name !== 'nginx' || nginx)
  const start = (name: Name) => startContestant(script, name, upstream.port, plan)
  try {
    const batches = await withContestants(names, start, (contestants) => measureBatches(load, contestants, plan))
    const memory: Runs['memory'] = {}
    for (const name of names.filter((one) => one !== 'direct' && plan.memory)) {
      const measured = await withContestants([name], start, ([contestant]) => measureMemory(load, contestant!))
      if (measured) memory[name] = measured
    }
    return { batches, memory, nginx }
  } finally {
    await Promise.all([load.stop(), upstream.stop()])
  }
}

async function startContestant(
  script: string,
  name: Name,
  upstreamPort: number,
  { programs, project }: Plan,
): Promise<Contestant> {
  if (name === 'direct') return { name, port: upstreamPort }
  const program = programs[name]
  const started = program
    ? await startGrove(program, upstreamPort, project)
    : name === 'nginx'
      ? await startNginx(upstreamPort)
      : await startRole(script, name, `http://127.0.0.1:${upstreamPort}`)
  return { name, port: started.port, started }
}

async function withContestants<T>(
  names: readonly Name[],
  start: (name: Name) => Promise<Contestant>,
  work: (contestants: Contestant[]) => Promise<T>,
): Promise<T> {
  const contestants: Contestant[] = []
  try {
    for (const name of names) contestants.push(await start(name))
    return await work(contestants)
  } finally {
    await Promise.all(contestants.map(({ started }) => started?.stop()))
  }
}

async function measureBatches(load: Started, contestants: Contestant[], plan: Plan): Promise<Measured[]> {
  const batches: Measured[] = []
  for (const contestant of contestants) {
    await warmUp(load, contestant, plan)
    await checkForwarding(contestant.port, plan.project, plan.programs[contestant.name] !== undefined)
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const mode of plan.modes) {
      for (const connections of plan.connections) {
        for (const contestant of rotated(contestants, round + connections)) {
          batches.push(await measureBatch(load, contestant, mode, connections, plan.requests))
        }
      }
    }
  }
  return batches
}

function rotated<T>(list: T[], by: number): T[] {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

/**
 * A daemon's steady state. More than one turn through the modes, because what the compiler learnt in one of them is in
 * part wrong for the next.
 */
async function warmUp(load: Started, { port }: Contestant, { modes, warmUp }: Plan): Promise<void> {
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
    for (const mode of modes) await ask(load, { port, mode, connections: 16, requests: PACES[mode] ? 16 : warmUp })
  }
}

async function measureBatch(
  load: Started,
  { name, port, started }: Contestant,
  mode: Mode,
  connections: number,
  wanted: number,
): Promise<Measured> {
  const requests = howMany(mode, connections, wanted)
  // New connections open their sessions first, and what is still to be recorded belongs to those.
  await ask(load, { port, mode, connections, requests: 0 })
  await sleep(AFTERWARDS_MS)
  const before = started && cpuSeconds(started.pid)
  const result = await ask(load, { port, mode, connections, requests })
  // Recording is part of the cost, though no client waits for it.
  await sleep(AFTERWARDS_MS)
  const after = started && cpuSeconds(started.pid)
  return {
    name,
    mode,
    connections,
    requests,
    seconds: result.seconds,
    cpuSeconds: before === undefined || after === undefined ? undefined : after - before,
    firstByteMs: median(result.firstByteMs),
    firstByte95Ms: quantile(result.firstByteMs, 0.95),
    totalMs: median(result.totalMs),
  }
}

/** A paced answer takes about a second by itself, so one per connection is enough; alone, a few in a row. */
function howMany(mode: Mode, connections: number, wanted: number): number {
  if (PACES[mode]) return connections === 1 ? 4 : connections
  if (mode === 'results' && connections === 1) return Math.min(wanted, MOST_WITH_TOOLS)
  return Math.max(wanted, connections * 2)
}

async function measureMemory(load: Started, { port, started }: Contestant): Promise<Memory | undefined> {
  await ask(load, { port, mode: 'burst', connections: 1, requests: 50 })
  const idle = started && memoryMb(started.pid)
  if (!started || !idle) return undefined
  await ask(load, { port, mode: 'hold', connections: OPEN_STREAMS, requests: OPEN_STREAMS })
  await sleep(500)
  const held = memoryMb(started.pid)
  load.child.send('close')
  await ask(load, { port, mode: 'paced', connections: OPEN_STREAMS, requests: OPEN_STREAMS })
  const peak = memoryMb(started.pid)?.peak
  if (!held || peak === undefined) return undefined
  return { peakMb: peak, perStreamKb: Math.max(0, ((held.now - idle.now) * 1024) / OPEN_STREAMS) }
}

async function ask(load: Started, batch: Batch): Promise<BatchResult> {
  const answered = once(load.child, 'message') as Promise<[{ result?: BatchResult; error?: string }]>
  load.child.send(batch)
  const [{ result, error }] = await answered
  if (!result) throw new Error(`${batch.mode} with ${batch.connections} connections: ${error}`)
  return result
}

function median(values: number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}
