import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TraceRecord } from '../../src/core/trace/record.ts'
import type { Scenario } from '../../src/simulator/schema.ts'
import { grove, type Place, place, startGrove, withBinary } from '../cli/grove.ts'
import { type ClaudeOptions, startClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { simulatorOf, story } from '../support/story.ts'

// The real Claude Code in a project with intents. What it may write is decided before it writes, whatever way it takes,
// whether the daemon runs or not, and every line it writes is traced to its intent.

withBinary()

const intents = `active_intents:
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
const files = {
  '.orchestration/active_intents.yaml': intents,
  'src/auth/token.ts': 'export const ttl = 5\nexport const unit = "s"\n',
  'src/auth/legacy/old.ts': 'export const old = 1\n',
  'src/billing.ts': 'export const price = 1\n',
}

const use = (name: string, input: object) => ({ tool_use: [{ name, input }] })
const select = use('mcp__grove__select_active_intent', { intent_id: 'INT-001' })
const write = (path: string, content: string) => use('Write', { file_path: `{{cwd}}/${path}`, content })
const read = (path: string) => use('Read', { file_path: `{{cwd}}/${path}` })
const edit = (path: string, from: string, to: string) =>
  use('Edit', { file_path: `{{cwd}}/${path}`, old_string: from, new_string: to })
const bash = (command: string) => use('Bash', { command, description: 'Work' })
const done = { text: 'Done.' }

describe.concurrent('Claude Code in a project with intents', () => {
  it('sees the JSON error when it writes without an intent, selects one, writes in scope and is traced', async ({
    onTestFinished,
  }) => {
    const stage = await setStage(
      onTestFinished,
      story(
        write('src/auth/new.ts', 'export const a = 1\n'),
        select,
        write('src/auth/new.ts', 'export const a = 1\n'),
        read('src/auth/token.ts'),
        edit('src/auth/token.ts', 'ttl = 5', 'ttl = 60'),
        write('src/billing.ts', 'export const price = 2\n'),
        write('src/auth/legacy/new.ts', 'x'),
        done,
      ),
    )
    const { results } = await stage.run('Refresh the tokens')

    expect(JSON.parse(results[0]!)).toMatchObject({
      status: 'error',
      code: 'intent_required',
      suggestion: expect.stringContaining('INT-001 (Refresh tokens)'),
    })
    expect(results[1]).toContain('<intent_context>')
    expect(results[1]).toContain('- No new dependencies')
    expect(results[2]).toContain('created successfully')
    expect(results[4]).toContain('updated successfully')
    expect(JSON.parse(results[5]!)).toMatchObject({
      code: 'scope_violation',
      message: expect.stringContaining('src/billing.ts'),
    })
    expect(JSON.parse(results[6]!)).toMatchObject({ code: 'scope_violation' })
    expect(await readFile(join(stage.project.dir, 'src/billing.ts'), 'utf8')).toBe(files['src/billing.ts'])

    const [created, edited, ...more] = await stage.trace()
    expect(more).toEqual([])
    expect(created).toMatchObject({
      version: '0.1.0',
      vcs: { type: 'git', revision: await stage.project.git('rev-parse', 'HEAD') },
      files: [{ path: 'src/auth/new.ts', conversations: [{ ranges: [{ start_line: 1, end_line: 1 }] }] }],
    })
    expect(edited).toMatchObject({
      files: [
        {
          path: 'src/auth/token.ts',
          conversations: [
            {
              contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-8' },
              ranges: [{ start_line: 1, end_line: 1, content_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
              related: [{ type: 'specification', url: 'urn:grove:intent:INT-001' }],
            },
          ],
        },
      ],
      metadata: { 'dev.grove': { intent: 'INT-001', tool: 'Edit', mutation_class: 'INTENT_EVOLUTION' } },
    })
  })
})

type WhenFinished = (work: () => Promise<void> | void) => void

async function setStage(whenFinished: WhenFinished, scenario: Scenario, more: Record<string, string> = {}) {
  const project = await createProject({ ...files, ...more })
  whenFinished(project.remove)
  const simulator = await simulatorOf(whenFinished, scenario, project.dir)
  const at: Place = { ...place({ ANTHROPIC_TARGET: simulator.url }), cwd: project.dir }
  await grove(at, 'init', '--no-proxy', '--transport', 'command')

  async function start(prompt: string, options: Partial<ClaudeOptions> = {}) {
    const running = await startClaude({
      baseUrl: simulator.url,
      prompt,
      cwd: project.dir,
      home: at.env.HOME!,
      args: ['--allowedTools=mcp__grove,NotebookEdit'],
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
    const results = outcome.lines.flatMap(({ type, message }) =>
      type === 'user' ? toolResults((message as { content?: unknown }).content) : [],
    )
    return { ...outcome, results }
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
  return { project, simulator, at, start, run, trace, daemon }
}

function toolResults(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content
    .filter((block) => block.type === 'tool_result')
    .map(({ content: said }) =>
      typeof said === 'string' ? said : said.map(({ text }: { text?: string }) => text ?? '').join('\n'),
    )
}
void bash
void mkdir
void writeFile
