import { on } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TraceRecord } from '../../src/core/trace/record.ts'
import type { Scenario } from '../../src/simulator/schema.ts'
import { grove, type Place, place, startGrove } from '../cli/grove.ts'
import { type ClaudeOptions, type ClaudeRun, type RunningClaude, startClaude } from './claude.ts'
import { createProject } from './project.ts'
import { simulatorOf } from './story.ts'

/** The real Claude Code in a project with intents. */

export const intents = `active_intents:
  - id: INT-001
    name: Refresh tokens
    status: in_progress
    owned_scope:
      - src/auth/**
      - "!src/auth/legacy/**"
    constraints:
      - No new dependencies
    acceptance_criteria:
      - Tests pass
`
export const files = {
  '.orchestration/active_intents.yaml': intents,
  'src/auth/token.ts': 'export const ttl = 5\nexport const unit = "s"\n',
  'src/auth/legacy/old.ts': 'export const old = 1\n',
  'src/billing.ts': 'export const price = 1\n',
}

export const use = (name: string, input: object) => ({ tool_use: [{ name, input }] })
export const select = use('mcp__grove__select_active_intent', { intent_id: 'INT-001' })
export const write = (path: string, content: string) => use('Write', { file_path: `{{cwd}}/${path}`, content })
export const read = (path: string) => use('Read', { file_path: `{{cwd}}/${path}` })
export const edit = (path: string, from: string, to: string) =>
  use('Edit', { file_path: `{{cwd}}/${path}`, old_string: from, new_string: to })
export const bash = (command: string) => use('Bash', { command, description: 'Work' })
export const done = { text: 'Done.' }

/** Grove's own tools are allowed by `grove init`. */
export const ALLOWED = ['--allowedTools=NotebookEdit']

type WhenFinished = (work: () => Promise<void> | void) => void

export async function guardStage(whenFinished: WhenFinished, scenario: Scenario, more: Record<string, string> = {}) {
  const project = await createProject({ ...files, ...more })
  whenFinished(project.remove)
  const simulator = await simulatorOf(whenFinished, scenario, project.dir)
  const at: Place = { ...place({ ANTHROPIC_TARGET: simulator.url }), cwd: project.dir }
  await grove(at, 'init')

  async function start(prompt: string, options: Partial<ClaudeOptions> = {}) {
    const running = await startClaude({
      baseUrl: simulator.url,
      prompt,
      cwd: project.dir,
      home: at.env.HOME!,
      args: ALLOWED,
      env: { GROVE_HOME: at.home, MCP_CONNECTION_NONBLOCKING: '0' },
      ...options,
    })
    whenFinished(async () => {
      running.kill()
      await running.done
    })
    return running
  }

  /** Runs it to its end; `results` are what its tools answered, in order. */
  async function run(prompt: string, options: Partial<ClaudeOptions> = {}) {
    const outcome = await (await start(prompt, options)).done
    return { ...outcome, results: resultsOf(outcome) }
  }

  async function trace(): Promise<TraceRecord[]> {
    const file = join(project.dir, '.orchestration/agent_trace.jsonl')
    if (!existsSync(file)) return []
    return (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TraceRecord)
  }

  const daemon = async () => {
    const running = await startGrove(at, 'up')
    whenFinished(() => running.kill('SIGKILL'))
    return running
  }
  return {
    project,
    simulator,
    at,
    start,
    run,
    trace,
    daemon,
    text: (path: string) => readFile(join(project.dir, path), 'utf8'),
    /** Whether the model was told this. */
    seen: (words: string) => simulator.requests.some(({ body }) => body.includes(words)),
    /** Resolves when the client has asked its host. */
    async prompted({ child }: RunningClaude) {
      let text = ''
      for await (const chunk of on(child.stdout!, 'data')) {
        text += String(chunk[0])
        if (text.includes('"can_use_tool"')) return
      }
    },
    /** What waits for a person, as soon as something does. */
    async inbox(): Promise<{ id: string }[]> {
      for (;;) {
        const { stdout } = await grove(at, 'intent', 'approve', '--json')
        const { approvals } = JSON.parse(stdout) as { approvals: { id: string }[] }
        if (approvals.length > 0) return approvals
      }
    },
  }
}

export function contains(words: string): unknown {
  return expect.stringContaining(words)
}

/** What the tools answered, in order. */
export function resultsOf({ lines }: ClaudeRun): string[] {
  return lines.flatMap(({ type, message }) =>
    type === 'user' ? toolResults((message as { content?: unknown }).content) : [],
  )
}

function toolResults(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content
    .filter((block) => block.type === 'tool_result')
    .map(({ content: said }) =>
      typeof said === 'string' ? said : said.map(({ text }: { text?: string }) => text ?? '').join('\n'),
    )
}
