import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { EVENTS, type Event, payload } from './hooks/events.ts'
import { cpuMsOf } from './hooks/measure.ts'
import { setStage } from './hooks/stage.ts'

/**
 * npm run bench load -- [--seconds 60] [--sessions 50] [--tools 20] [--json]: hooks as fast as they are answered, from many
 * sessions that come and go, and what the daemon needs for them: processor time and memory.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    /** Sessions at a time. */
    sessions: { type: 'string', default: '50' },
    /** Tool calls of each. */
    tools: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const sessions = Number(options.sessions)
const tools = Number(options.tools)

const stage = await setStage()
const agent = new Agent({ keepAlive: true, maxSockets: sessions })
const times: number[] = []
const memory: { at: number; megabytes: number; hooks: number }[] = []
const begin = performance.now()
const cpuBefore = cpuMsOf(stage.daemon)
const isOver = () => performance.now() - begin > seconds * 1000

const sampling = setInterval(note, (seconds * 1000) / 20)
await Promise.all(Array.from({ length: sessions }, (_, seat) => oneAfterTheOther(seat)))
clearInterval(sampling)
note()
const took = (performance.now() - begin) / 1000
const cpuMs = cpuMsOf(stage.daemon) - cpuBefore
stage.close()
report()
process.exit(0)

async function oneAfterTheOther(seat: number) {
  for (let n = 0; !isOver(); n++) {
    const session = `load-${seat}-${n}`
    const work = Array.from({ length: tools }, (_, tool) => `${session}-${tool}`)
    await tell('session-start', session, session)
    await tell('user-prompt-submit', session, session)
    for (const action of work) {
      if (isOver()) break
      await tell('pre-tool-use', session, action)
      await tell('post-tool-use', session, action)
    }
    await tell('stop', session, session)
    await tell('session-end', session, session)
  }
}

function tell(event: Event, session: string, action: string): Promise<void> {
  const body = JSON.stringify(payload(event, session, action, stage.project))
  const headers = { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' }
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(new URL(`/hooks/${event}`, stage.webUrl), { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        times.push(performance.now() - start)
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${event} answered ${response.statusCode}`))
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function note() {
  memory.push({
    at: (performance.now() - begin) / 1000,
    megabytes: residentMegabytes(stage.daemon),
    hooks: times.length,
  })
}

function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? Number.NaN) / 1024
}

function report() {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const figures = {
    hooks: times.length,
    perSecond: times.length / took,
    /** What one processor could answer if the daemon had it for itself. */
    perCoreSecond: (times.length / cpuMs) * 1000,
    cpuMsPerHook: cpuMs / times.length,
    p50: at(0.5),
    p99: at(0.99),
    memory,
    events: EVENTS.length,
  }
  if (options.json) console.log(JSON.stringify(figures))
  else {
    console.log(`${figures.hooks} hooks in ${took.toFixed(0)} s: ${figures.perSecond.toFixed(0)} a second`)
    console.log(
      `${figures.cpuMsPerHook.toFixed(2)} ms of processor each: ${figures.perCoreSecond.toFixed(0)} a second and core`,
    )
    console.log(`answered within ${figures.p50.toFixed(1)} ms (half), ${figures.p99.toFixed(1)} ms (99 %)`)
    for (const { at: second, megabytes, hooks } of memory)
      console.log(
        `  ${second.toFixed(0).padStart(4)} s ${String(hooks).padStart(8)} hooks ${megabytes.toFixed(0).padStart(6)} MB`,
      )
  }
}
