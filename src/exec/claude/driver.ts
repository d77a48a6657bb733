import type { AgentDriver, AgentHost, AgentProcess, AgentRun } from '#core/ports/agent-driver.ts'
import { run as runProgram } from '../spawn.ts'
import { AgentFailed, ClaudeProcess } from './agent-process.ts'
import { settingsText } from './command-line.ts'
import { childEnvironment } from './environment.ts'
import { SpawnRecords } from './spawn-records.ts'
import { PATIENCE, type Patience } from './stop-ladder.ts'

export interface ClaudeDriverOptions {
  /** Name or path of the client. */
  bin: string
  /** Our own environment, of which a run gets what it needs. */
  env: Record<string, string | undefined>
  /** Names of further variables that runs may see. */
  pass?: readonly string[]
  /** Where the client sends its requests: our proxy. Absent: where it does by itself. */
  baseUrl?: string
  /** Folder with the records of started processes; it must outlive this process. */
  recordsDir: string
  patience?: Partial<Patience>
}

/**
 * Tools that a run may be given; none of them reaches other hosts. An unknown name is refused here: the client accepts
 * any, and a wrong one would only show by what it lets through.
 */
const KNOWN_TOOLS = new Set([
  ...['Read', 'Glob', 'Grep', 'Task', 'Agent', 'Write', 'Edit', 'NotebookEdit', 'Bash'],
  ...['AskUserQuestion', 'ExitPlanMode'],
])

/** The oldest client that every story of the driver was tried with. */
const OLDEST = [2, 1, 197]

/** Drives the `claude` command of this machine. */
export class ClaudeDriver implements AgentDriver {
  readonly #options: ClaudeDriverOptions
  readonly #records: SpawnRecords

  constructor(options: ClaudeDriverOptions) {
    this.#options = options
    this.#records = new SpawnRecords(options.recordsDir)
  }

  async start(run: AgentRun, host: AgentHost): Promise<AgentProcess> {
    const { bin, patience } = this.#options
    // Checked because it names a file and goes into the command line.
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(run.claude.id))
      throw new AgentFailed('A Claude id is a UUID.')
    const unknown = run.tools.filter((tool) => !KNOWN_TOOLS.has(tool))
    if (unknown.length > 0) throw new AgentFailed(`No run may have the tool ${unknown.join(', ')}.`)
    const lock = await this.#records.acquire(run.spawnId, run.claude.id)
    try {
      const env = childEnvironment(this.#options.env, { ...this.#options, spawnId: run.spawnId })
      const started = await ClaudeProcess.start(run, host, {
        bin,
        env,
        settingsFile: lock.settings(settingsText(run, this.#options.baseUrl)),
        patience: { ...PATIENCE, ...patience },
        spawned: (pid) => lock.started(pid),
      })
      void started.ended.finally(() => lock.release())
      return started
    } catch (error) {
      lock.release()
      throw error
    }
  }

  endOrphans(): Promise<string[]> {
    return this.#records.endOrphans()
  }

  async client(): Promise<{ version: string; supported: boolean } | undefined> {
    const env = childEnvironment(this.#options.env, { spawnId: 'version' })
    const ran = await runProgram(this.#options.bin, ['--version'], { env, timeoutMs: 20_000 }).catch(() => undefined)
    const version = /(?<!\d)\d+\.\d+\.\d+/.exec(ran?.stdout ?? '')?.[0]
    return version === undefined ? undefined : { version, supported: isAtLeast(version, OLDEST) }
  }
}

function isAtLeast(version: string, oldest: number[]): boolean {
  const parts = version.split('.').map(Number)
  const differs = oldest.findIndex((part, index) => parts[index] !== part)
  return differs < 0 || parts[differs]! > oldest[differs]!
}
