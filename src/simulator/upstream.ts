import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deliver, type SentResponse } from './deliver.ts'
import type { ReceivedRequest } from './facts.ts'
import { playScenario } from './play.ts'
import type { Scenario } from './schema.ts'

export interface SimulatorOptions {
  scenario: Scenario
  /** 0, the default, takes any free port. */
  port?: number
  host?: string
  /** Values for `{{name}}` in the scenario, over its own `vars`. */
  vars?: Record<string, string>
  /** Check each model call against the rules of the API. On by default. */
  validate?: boolean
  /** Keep every request and answer. On by default; a bench that sends thousands turns it off. */
  record?: boolean
}

/** A Messages API that follows a script, and remembers what it was asked and what it said. */
export interface Simulator {
  url: string
  port: number
  requests: ReceivedRequest[]
  /** `sent[i]` answers `requests[i]`. */
  sent: SentResponse[]
  /** Requests that broke an expectation, a rule of the API, or fitted no reply. */
  problems: string[]
  /** Replies of the script that were not asked for yet. */
  unused(): string[]
  /** Resolves as soon as the condition holds; it is asked again whenever something arrives, is written or ends. */
  until(condition: () => boolean): Promise<void>
  close(): Promise<void>
}

/** Starts a simulated Messages API on a loopback port. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { host = '127.0.0.1', validate = true, record = true } = options
  const { scenario } = options
  const play = playScenario(scenario, { ...scenario.vars, ...options.vars }, validate)
  const requests: ReceivedRequest[] = []
  const sent: SentResponse[] = []
  const changes = new EventEmitter().setMaxListeners(0)
  const changed = () => void changes.emit('change')
  let arrived = 0

  const server = createServer(async (incoming, response) => {
    const body = await readBody(incoming)
    if (!body) return
    const request = received(incoming, arrived++, body)
    const log: SentResponse = { index: request.index, status: 0, headers: [], body: Buffer.alloc(0), ended: 'open' }
    if (record) {
      requests.push(request)
      sent.push(log)
    }
    changed()
    response.sendDate = false // Written by us instead, so that `sent` knows every header.
    const { answer, how } = play.answer(request)
    try {
      await deliver(answer, how, response, log, changed)
    } catch (error) {
      play.problems.push(`request ${request.index}: the simulator failed: ${error}`)
      response.destroy()
    }
  })
  // A proxy keeps its connections; closing idle ones would race with its next request.
  server.keepAliveTimeout = 120_000
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://${host}:${port}`,
    port,
    requests,
    sent,
    problems: play.problems,
    unused: play.unused,
    async until(condition) {
      while (!condition()) await once(changes, 'change')
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Nothing when the client went away before it had said everything. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch {
    return undefined // An unfinished request cannot be answered; the sender knows that it left.
  }
  return Buffer.concat(chunks)
}

function received(incoming: IncomingMessage, index: number, body: Buffer): ReceivedRequest {
  return { index, method: incoming.method!, url: incoming.url!, rawHeaders: incoming.rawHeaders, body }
}
