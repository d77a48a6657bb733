import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './stage.ts'
import { PROMPTS } from './story/sessions.ts'

/** Starts agents and commands on a stage, and ends them. */
export interface Players {
  /** What the history of the shop knows becomes memory. */
  importHistory(): Promise<void>
  /** An agent session from its prompt to its end. */
  session(prompt: keyof typeof PROMPTS): Promise<void>
  end(): Promise<void>
}

interface Needs {
  stage: Stage
  /** Where agents send their requests: Grove's proxy. */
  baseUrl: string
  program: string
  /** Hears what the terminals of the agents show, line by line. */
  onTerminal?: (line: string) => void
}

const FOLDERS = { total: 'shop', capture: 'payments', refunds: 'payments' } as const

export function players({ stage, baseUrl, program, onTerminal }: Needs): Players {
  const running = new Set<ChildProcess>()
  let isOver = false
  async function run(command: string, args: string[], cwd: string, heard?: (line: string) => void): Promise<void> {
    if (isOver) throw new Error('The demo is over.')
    const child = spawn(command, args, {
      cwd,
      env: { ...stage.env, ANTHROPIC_BASE_URL: baseUrl },
      stdio: ['ignore', heard ? 'pipe' : 'ignore', 'pipe'],
      // A group of its own, with everything that it starts.
      detached: true,
    })
    running.add(child)
    if (heard) createInterface(child.stdout!).on('line', heard)
    let complaint = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      complaint += chunk
    })
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    running.delete(child)
    if (code !== 0 && signal === null) throw new Error(complaint.trim().split('\n').at(-1))
  }
  return {
    importHistory: () => run(process.execPath, [program, 'import', 'git'], stage.shop),
    async session(prompt) {
      const args = [
        `--prompt=${PROMPTS[prompt]}`,
        `--session-id=${randomUUID()}`,
        `--grove-home=${stage.groveHome}`,
        `--grove-program=${program}`,
      ]
      await run(stage.agent, args, stage[FOLDERS[prompt]], onTerminal)
    },
    async end() {
      isOver = true
      await Promise.all([...running].map(({ pid }) => endGroup(pid!)))
    },
  }
}

const LOOK_AGAIN_MS = 20

/** Its MCP server ends a moment after the agent, and must not write into a folder that is being removed. */
async function endGroup(pid: number): Promise<void> {
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; isSent(pid, signal); signal = 0) await sleep(LOOK_AGAIN_MS)
}

function isSent(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false // The process group is empty.
  }
}
