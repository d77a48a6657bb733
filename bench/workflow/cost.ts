import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { type Scenario, ScenarioFile } from '../../src/simulator/schema.ts'
import { type Simulator, startSimulator } from '../../src/simulator/upstream.ts'
import { clientEnv, clientPath } from '../../test/support/claude.ts'
import { beginFeature, type Daemon, openHouse } from '../../test/support/feature/house.ts'
import { tempDir } from '../../test/support/project.ts'

const STEPS = 4
const CALLS = 20

/** A model that writes so many files in each step, one call after the other. */
function writing(last: (step: number) => unknown): Scenario {
  const ids = Array.from({ length: STEPS }, (_, step) => step)
  const file = (step: number, call: number) => `s${step}/n${call}.txt`
  const write = (step: number, call: number) => ({
    tool_use: { name: 'Write', input: { file_path: `{{cwd}}/${file(step, call)}`, content: 'x\n' } },
  })
  const grove = (name: string, input: object) => ({ tool_use: { name: `mcp__grove__${name}`, input } })
  const plan = ids.map((step) => ({ id: `s${step}`, title: `Step ${step}`, paths: [`s${step}/**`] }))
  return {
    ...ScenarioFile.parse({
      default: 'A summary.',
      replies: [
        { when: { tool_result: 'Recorded.' }, reply: 'Done.' },
        ...ids.flatMap((step) =>
          Array.from({ length: CALLS }, (_, call) => ({
            when: { tool_result: file(step, call) },
            reply: call + 1 < CALLS ? write(step, call + 1) : last(step),
          })),
        ),
        ...ids.map((step) => ({ when: { newest: `Implement the step s${step}` }, reply: write(step, 0) })),
        { when: { newest: 'You plan this feature' }, reply: grove('propose_plan', { steps: plan }) },
        { when: { newest: 'Write the pull request' }, reply: grove('report_pr', { title: 'T', body: 'B' }) },
        { when: { newest: 'fresh eyes' }, reply: grove('report_review', { findings: [] }) },
      ].map((entry) => ({ ...entry, repeat: 'forever' })),
    }),
    name: 'writing',
  }
}

/** When each request came, in milliseconds. */
function arrivals(simulator: Simulator): number[] {
  const times: number[] = []
  void simulator.until(() => {
    while (times.length < simulator.requests.length) times.push(performance.now())
    return false
  })
  return times
}

/** From one call of a tool to the next: the client runs it, and whoever is in between has its say. */
function betweenCalls(simulator: Simulator, times: number[]): number[] {
  const isWrite = simulator.requests.map(({ body }) => /s\d\/n\d+\.txt/.test(lastOf(body.toString('utf8'))))
  return times.flatMap((time, at) => (isWrite[at] && isWrite[at - 1] ? [time - times[at - 1]!] : []))
}

function lastOf(body: string): string {
  const messages = (JSON.parse(body || '{}') as { messages?: { role: string; content: unknown }[] }).messages ?? []
  const last = messages.findLast(({ role }) => role === 'user')?.content
  const blocks = Array.isArray(last) ? (last as { type: string }[]) : []
  return JSON.stringify(blocks.filter(({ type }) => type === 'tool_result'))
}

interface Cost {
  wallMs: number
  callMs: number[]
}

/** The same steps by hand: one `claude -p` after the other, in one conversation. */
async function bare(): Promise<Cost> {
  const simulator = await startSimulator({ scenario: writing(() => 'Done.') })
  const times = arrivals(simulator)
  const home = await tempDir('bare')
  const cwd = join(home, 'app')
  mkdirSync(cwd)
  const id = randomUUID()
  const began = performance.now()
  for (let step = 0; step < STEPS; step++) {
    const session = step === 0 ? `--session-id=${id}` : `--resume=${id}`
    const words = [
      '-p',
      `Implement the step s${step}`,
      '--output-format=stream-json',
      '--verbose',
      '--allowedTools=Write',
    ]
    const child = spawn(clientPath(), [...words, session], {
      cwd,
      env: clientEnv(home, simulator.url),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    await once(child, 'exit')
  }
  const wallMs = performance.now() - began
  await simulator.close()
  return { wallMs, callMs: betweenCalls(simulator, times) }
}

interface Driven extends Cost {
  /** How long the client waited for Grove itself, each time it asked. */
  askedMs: number[]
  cpuMs: number
  idleMb: number
  peakMb: number
  events: number
}

async function driven(binary: string): Promise<Driven> {
  const grove = (step: number) => ({
    tool_use: { name: 'mcp__grove__complete_step', input: { stepId: `s${step}`, summary: 'done' } },
  })
  const house = await openHouse({ binary, scenario: writing(grove), settings: 'recommended_reviews = 0\n' })
  try {
    const daemon = await house.start()
    const times = arrivals(house.simulator)
    const idleMb = memoryOf(daemon.pid, 'VmRSS')
    const form = { options: { recommendedReviews: 0, localReview: true } }
    const session = await beginFeature(daemon, house.project.dir, form)
    const path = `/api/sessions/${session.projectId}/${session.featureId}`
    const planned = await until(daemon, path, ({ summary }) =>
      summary.waiting.some((one) => one.kind === 'plan_approval'),
    )
    const cpu = cpuOf(daemon.pid)
    const began = performance.now()
    await daemon.ask('POST', `${path}/plan/approve`, { planHash: planned.session.planHash, signOff: true })
    const done = await until(daemon, path, ({ session: now }) => now.currentStage > 3 || now.task?.type === 'check')
    return {
      wallMs: performance.now() - began,
      callMs: betweenCalls(house.simulator, times),
      cpuMs: cpuOf(daemon.pid) - cpu,
      idleMb,
      peakMb: memoryOf(daemon.pid, 'VmHWM'),
      events: done.lastEvent - planned.lastEvent,
      askedMs: answerTimes(join(house.home, 'logs')),
    }
  } finally {
    await house.close()
  }
}

const ENTRY = /^(\S+) ([<>]) .*?"type":"control_(request|response)".*?"request_id":"([^"]+)"/

/** From a request of the client's about a call that writes to our answer, by the logs of the runs. */
function answerTimes(logs: string): number[] {
  const files = readdirSync(logs).filter((name) => name.startsWith('claude_'))
  const asked = new Map<string, number>()
  return files.flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, at, direction, kind, id] = ENTRY.exec(line) ?? []
        const time = Date.parse(at ?? '')
        if (direction === '<' && kind === 'request' && line.includes('"tool_name":"Write"')) asked.set(id!, time)
        const since = direction === '>' && kind === 'response' ? asked.get(id!) : undefined
        return since === undefined ? [] : [time - since]
      }),
  )
}

async function until(
  daemon: Daemon,
  path: string,
  holds: (seen: SessionSnapshot) => boolean,
): Promise<SessionSnapshot> {
  for (;;) {
    const { body } = await daemon.ask<{ session: SessionSnapshot }>('GET', path)
    if (body.session.session.hold) throw new Error(JSON.stringify(body.session.session.hold))
    if (holds(body.session)) return body.session
    // Seldom, since being asked is work too.
    await sleep(1000)
  }
}

/** What the system has counted for a process so far, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  return Math.round(
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024,
  )
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** What Grove adds to the same work done by a loop of `claude -p`. */
export async function compareCost(binary: string, rounds: number): Promise<void> {
  const all = { bare: [] as Cost[], driven: [] as Driven[] }
  // In turns, so that a busy moment of the machine meets both.
  for (let round = 0; round < rounds; round++) {
    all.bare.push(await bare())
    all.driven.push(await driven(binary))
  }
  const wall = (costs: Cost[]) => median(costs.map(({ wallMs }) => wallMs)) / STEPS
  const call = (costs: Cost[]) => median(costs.flatMap(({ callMs }) => callMs))
  const cpu = median(all.driven.map(({ cpuMs }) => cpuMs))
  const events = median(all.driven.map(({ events: count }) => count))
  console.log(`${STEPS} steps of ${CALLS} calls, median of ${rounds} rounds each`)
  console.log(`  a run            claude -p ${wall(all.bare).toFixed(0)} ms, Grove ${wall(all.driven).toFixed(0)} ms`)
  console.log(`  a call of a tool claude -p ${call(all.bare).toFixed(1)} ms, Grove ${call(all.driven).toFixed(1)} ms`)
  const asked = all.driven.flatMap(({ askedMs }) => askedMs)
  const own = asked.reduce((sum, ms) => sum + ms, 0) / rounds / STEPS / CALLS
  const times = asked.length / rounds / STEPS / CALLS
  console.log(
    `    of which Grove itself ${own.toFixed(1)} ms in ${times.toFixed(0)} answers; the rest is the client's asking`,
  )
  console.log(`  CPU of the daemon ${(cpu / STEPS).toFixed(0)} ms a run, ${(cpu / STEPS / CALLS).toFixed(1)} ms a call`)
  const [idle, peak] = [median(all.driven.map((one) => one.idleMb)), median(all.driven.map((one) => one.peakMb))]
  console.log(`  memory of the daemon ${idle} MB at rest, at most ${peak} MB; ${events} events`)
}
