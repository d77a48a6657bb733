import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  AgentEvent,
  AgentHost,
  AgentProcess,
  AgentRun,
  ToolDecision,
  TurnEnd,
} from '../../src/core/ports/agent-driver.ts'
import { ClaudeDriver, type ClaudeDriverOptions } from '../../src/exec/claude/driver.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { type Simulator, startSimulator } from '../../src/simulator/upstream.ts'
import { clientEnv, clientPath } from './claude.ts'
import { createProject, type Project, tempDir } from './project.ts'

/** A host that notes what it is told and answers as the test says. */
export interface NotingHost extends AgentHost {
  events: AgentEvent[]
  /** Resolves to the next end of a turn that no earlier call has taken. */
  turn(): Promise<TurnEnd>
  /** Resolves as soon as such an event has come. */
  until<Type extends AgentEvent['type']>(
    type: Type,
    holds?: (event: Extract<AgentEvent, { type: Type }>) => boolean,
  ): Promise<Extract<AgentEvent, { type: Type }>>
  of<Type extends AgentEvent['type']>(type: Type): Extract<AgentEvent, { type: Type }>[]
}

/** The real client, driven, with the simulator as its model. */
export interface DrivingStage {
  simulator: Simulator
  project: Project
  home: string
  driver: ClaudeDriver
  /** What the driver was made with. */
  options: ClaudeDriverOptions
  /** Another driver with the same records, as a later Grove has it. */
  another(options?: Partial<ClaudeDriverOptions>): ClaudeDriver
  run(changes?: Partial<AgentRun>): AgentRun
  host(changes?: Partial<AgentHost>): NotingHost
  start(run: AgentRun, host: AgentHost): Promise<AgentProcess>
}

type WhenFinished = (work: () => Promise<void> | void) => void

/** Sets the stage. The scenario is YAML. */
export async function setDrivingStage(
  whenFinished: WhenFinished,
  scenario: string,
  files: Record<string, string> = { 'README.md': '# Project\n' },
): Promise<DrivingStage> {
  const project = await createProject(files)
  whenFinished(project.remove)
  const home = await tempDir('home')
  whenFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const simulator = await startSimulator({ scenario: parseScenario(scenario, 'driving.yaml') })
  whenFinished(simulator.close)
  const options = {
    bin: clientPath(),
    env: clientEnv(home, 'http://127.0.0.1:9'),
    baseUrl: simulator.url,
    recordsDir: join(home, 'spawns'),
  }
  const driver = new ClaudeDriver(options)
  return {
    simulator,
    project,
    home,
    driver,
    options,
    another: (changes) => new ClaudeDriver({ ...options, ...changes }),
    run: (changes) => ({
      spawnId: randomUUID(),
      claude: { id: randomUUID(), resume: false },
      cwd: project.dir,
      readable: [],
      tools: ['Bash', 'Read', 'Write', 'AskUserQuestion'],
      mode: 'default',
      limitMs: 60_000,
      subagentLimitMs: 60_000,
      logFile: join(home, 'spawn.log'),
      ...changes,
    }),
    host: notingHost,
    async start(run, host) {
      const running = await driver.start(run, host)
      whenFinished(async () => void (await running.stop()))
      return running
    },
  }
}

/** Allows everything, and offers no tools of its own, unless told otherwise. */
export function notingHost(changes: Partial<AgentHost> = {}): NotingHost {
  const events: AgentEvent[] = []
  const changed = new EventEmitter().setMaxListeners(0)
  let taken = 0
  const until: NotingHost['until'] = async (type, holds = () => true) => {
    for (;;) {
      const found = events.find((event) => event.type === type && holds(event as never))
      if (found) return found as never
      await once(changed, 'event')
    }
  }
  return {
    events,
    decide: async (): Promise<ToolDecision> => ({ type: 'allow' }),
    tools: [],
    callTool: async ({ name }) => ({ text: `There is no ${name}.`, isError: true }),
    ...changes,
    async on(event) {
      await changes.on?.(event)
      events.push(event)
      changed.emit('event')
    },
    until,
    of: (type) => events.filter((event) => event.type === type) as never,
    async turn() {
      const index = taken++
      for (;;) {
        const turns = events.filter((event) => event.type === 'turn')
        if (turns[index]) return turns[index].end
        await once(changed, 'event')
      }
    },
  }
}

/** What the newest request of the client says, without the client's own reminders. */
export function lastRequest({ requests }: Simulator): string {
  const calls = requests.filter(({ method, url }) => method === 'POST' && url.startsWith('/v1/messages?'))
  return calls.at(-1)?.body.toString() ?? ''
}
