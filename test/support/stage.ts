import { rm } from 'node:fs/promises'
import type { Scenario } from '../../src/simulator/schema.ts'
import { loadScenario } from '../../src/simulator/testing/script.ts'
import { type Simulator, startSimulator } from '../../src/simulator/upstream.ts'
import { type ClaudeOptions, type ClaudeRun, type RunningClaude, startClaude } from './claude.ts'
import { type Grove, type GroveOptions, startGrove } from './grove.ts'
import { createProject, type Project, tempDir } from './project.ts'
import { startWireTap, type WireTap } from './wire-tap.ts'

/** Everything one story with the real client needs: client → tap → Grove → simulator, and a project to work in. */
export interface Stage {
  simulator: Simulator
  grove: Grove
  tap: WireTap
  project: Project
  home: string
  start(prompt: string, options?: Partial<ClaudeOptions>): Promise<RunningClaude>
  run(prompt: string, options?: Partial<ClaudeOptions>): Promise<ClaudeRun>
  /** Resolves when Grove has noted everything that was said so far. */
  settled(): Promise<void>
}

/** How the client is attached to Grove. */
export type Attachment = 'proxy' | 'hooks' | 'both'

export interface StageOptions extends Pick<GroveOptions, 'config' | 'hooks'> {
  attached?: Attachment
}

/** How a test says what is to be done when it is over; the last said is done first. */
type WhenFinished = (work: () => Promise<void> | void) => void

/** Sets the stage, and clears it away when the test is finished, however it ended. */
export async function setStage(
  whenFinished: WhenFinished,
  scenario: string | Scenario,
  files: Record<string, string>,
  env: Record<string, string> = {},
  { attached = 'proxy', ...options }: StageOptions = {},
): Promise<Stage> {
  await turn(whenFinished)
  const project = await createProject(files)
  whenFinished(project.remove)
  const home = await tempDir('home')
  whenFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const simulator = await startSimulator({ scenario: typeof scenario === 'string' ? loadScenario(scenario) : scenario })
  whenFinished(simulator.close)
  const grove = await startGrove({ target: simulator.url, env, ...options })
  whenFinished(grove.close)
  const tap = await startWireTap(attached === 'hooks' ? simulator.url : grove.url)
  whenFinished(tap.close)

  async function start(prompt: string, options: Partial<ClaudeOptions> = {}) {
    const settings = attached === 'proxy' ? {} : { settings: grove.hookSettings }
    const running = await startClaude({ baseUrl: tap.url, prompt, cwd: project.dir, home, ...settings, ...options })
    whenFinished(async () => {
      running.kill()
      await running.done
    })
    return running
  }

  const run: Stage['run'] = async (prompt, options) => (await start(prompt, options)).done
  const settled = async () => {
    const asked = simulator.requests.filter(isModelCall).length
    if (attached !== 'hooks') await grove.until(() => grove.turns.length >= asked)
    await grove.supervisor.idle()
  }
  return { simulator, grove, tap, project, home, start, run, settled }
}

/** Of the client's own; a judge's calls do not pass through the proxy. */
function isModelCall({ method, url, rawHeaders }: Simulator['requests'][number]): boolean {
  return method === 'POST' && url.startsWith('/v1/messages?') && !rawHeaders.includes('x-grove-judge')
}

// Each client wants a core and 300 MB; more than two at once only make each other slow.
let free = 2
const waiting: (() => void)[] = []

async function turn(whenFinished: WhenFinished) {
  if (free > 0) free -= 1
  else await new Promise<void>((go) => waiting.push(go))
  whenFinished(() => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  })
}
