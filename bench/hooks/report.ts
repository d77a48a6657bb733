import type { GuardRatios } from './guard.ts'
import { median, type Took } from './measure.ts'

/** One round of one event. */
export interface Ran extends Record<Way, Took> {
  event: string
  node: Took
}

export interface Answered {
  event: string
  empty: number
  http: number
  /** What the daemon used, with what it did when the answer had left. */
  cpuMs: number
}

/** The script with curl, the client in Node, and nobody to answer. */
type Way = 'command' | 'client' | 'down'

/** How often the baseline's time something takes. */
interface Times {
  cpu: number
  wall: number
}

interface Row {
  event: string
  httpMs: number
  /** To an empty Fastify POST. */
  http: number
  /** CPU time of the daemon and of what it started, work after the answer included. */
  daemonMs: number
  /** To `node -e 0`. */
  ways: Record<Way, Times>
}

export interface Summary {
  nodeMs: number
  emptyMs: number
  events: Row[]
  guard?: GuardRatios
}

const TARGETS = { http: 2, command: 0.25, client: 1.25, down: 1.8, guard: 1.5 }

/** The row over all answers alike; an agent's session has far more of the two about tools. */
const ALL = 'all of them'

/** Medians; every ratio compares numbers that were taken in turns. */
export function summarise(ran: Ran[], answered: Answered[], guard: GuardRatios | undefined): Summary {
  const names = [...new Set(answered.map(({ event }) => event))]
  const events = [...names, ALL].map((name) => {
    const here = ran.filter(({ event }) => event === name || name === ALL)
    const http = answered.filter(({ event }) => event === name || name === ALL)
    const times = (way: Way): Times => ({
      cpu: median(here.map((one) => one[way].cpuMs)) / median(here.map(({ node }) => node.cpuMs)),
      wall: median(here.map((one) => one[way].ms)) / median(here.map(({ node }) => node.ms)),
    })
    return {
      event: name,
      httpMs: median(http.map((one) => one.http)),
      http: median(http.map((one) => one.http)) / median(http.map(({ empty }) => empty)),
      daemonMs: mean(http.map(({ cpuMs }) => cpuMs)),
      ways: { command: times('command'), client: times('client'), down: times('down') },
    }
  })
  return {
    nodeMs: median(ran.map(({ node }) => node.cpuMs)),
    emptyMs: median(answered.map(({ empty }) => empty)),
    events,
    ...(guard && { guard }),
  }
}

export function printReport({ nodeMs, emptyMs, events, guard }: Summary): void {
  console.log(
    `node -e 0: ${nodeMs.toFixed(1)} ms of CPU. Empty Fastify POST: ${emptyMs.toFixed(2)} ms. One run, everything in turns.\nAs multiples of node -e 0: CPU (wall time in brackets: on a busy machine it says little).`,
  )
  if (process.env.NODE_EXTRA_CA_CERTS) {
    console.log('NODE_EXTRA_CA_CERTS is set: every start of Node reads those certificates, node -e 0 too.')
  }
  console.log()
  const heads = ['event', 'http ms', '× empty POST', 'daemon CPU ms', 'command', 'without curl', 'daemon down']
  const rows = events.map(({ event, httpMs, http, daemonMs, ways: { command, client, down } }) => [
    event,
    httpMs.toFixed(2),
    http.toFixed(2),
    daemonMs.toFixed(1),
    shown(command),
    shown(client),
    shown(down),
  ])
  const target = [
    'target',
    '',
    `≤ ${TARGETS.http}`,
    '',
    `≤ ${TARGETS.command}`,
    `≤ ${TARGETS.client}`,
    `≤ ${TARGETS.down}`,
  ]
  const widths = heads.map((head, i) => Math.max(...[heads, target, ...rows].map((row) => row[i]!.length), head.length))
  for (const row of [heads, ...rows, target]) {
    console.log(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '))
  }
  if (!guard) return
  const said = ({ http, command, down }: Record<'http' | 'command' | 'down', number>) =>
    `http ${http.toFixed(2)}, command ${command.toFixed(2)}, daemon down ${down.toFixed(2)}`
  console.log(
    `\nGuard with 5 000 intents and a 200 MB ledger, against one and none: ${said(guard)} (target ≤ ${TARGETS.guard}); against a project it has no say in: ${said(guard.unguarded)}`,
  )
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function shown({ wall, cpu }: Times): string {
  return `${cpu.toFixed(2)} (${wall.toFixed(2)})`
}
