import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Scenario } from '../../src/simulator/schema.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { grove, type Place, place, startGrove } from '../cli/grove.ts'
import { type ClaudeRun, type RunningClaude, startClaude } from './claude.ts'
import { createProject } from './project.ts'
import { simulatorOf } from './story.ts'
import { openTerminal, type Terminal, trustFolder } from './terminal.ts'

/** A project with tickets, the real client, and Grove's home, for stories of the learning gate. */

export const lesson = {
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail:
    'The seed script in db/seed.ts inserts into tables that only `npm run migrate` creates, and fails without a word.',
  scope: 'project',
  confidence: 'high',
  criteria_met: ['behavior_changing'],
  tags: ['database', 'seed'],
  context_files: ['db/seed.ts'],
}
export const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'Run it' } })
export const close = bash('cd . && bd close app-7 --reason "done; really"')
export const reflects = { name: 'mcp__grove__reflect', input: { candidates: [lesson] } }
export const skips = { name: 'mcp__grove__skip', input: { reason: 'only a version bump' } }
/** Asked in headless runs, too, so that what an agent does then can be tried without a terminal. */
export const headless = { '.grove/config.toml': '[gate]\nheadless = true\n' }

/** There the client also asks for titles and the like, in between. */
export function inTerminal(...replies: object[]): Scenario {
  const main = replies.map((reply) => ({ when: { has_tool: 'Read', agent: false }, reply }))
  return parseScenario(JSON.stringify({ replies: main, default: { text: '{"title":"Seeds","ok":true}' } }), 'story')
}

type WhenFinished = (work: () => Promise<void> | void) => void

const ticket = {
  id: 'app-7',
  title: 'Make the seed script idempotent',
  description: 'Running it twice must not fail.',
  status: 'in_progress',
  updated_at: '2026-01-01T00:00:00Z',
}
const bd = `#!/bin/sh
[ "$1" = close ] || exit 1
echo "Closed $2"
`

export async function setStage(whenFinished: WhenFinished, scenario: Scenario, files: Record<string, string> = {}) {
  const project = await createProject({
    'db/seed.ts': 'export {}\n',
    '.beads/issues.jsonl': `${JSON.stringify(ticket)}\n`,
    ...files,
  })
  whenFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  const bin = join(at.env.HOME!, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'bd'), bd)
  await chmod(join(bin, 'bd'), 0o755)

  const env = {
    GROVE_HOME: at.home,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
  }

  async function playing(played: Scenario) {
    const simulator = await simulatorOf(whenFinished, played, project.dir)
    const start = (prompt: string, more: Record<string, string> = {}, args: string[] = []): Promise<RunningClaude> =>
      startClaude({
        args: ['--allowedTools=Bash(cd:*),Bash(bd:*)', ...args],
        allowed: [],
        baseUrl: simulator.url,
        prompt,
        cwd: project.dir,
        home: at.env.HOME!,
        env: { ...env, ...more },
        timeoutMs: 100_000,
      })
    return {
      simulator,
      requests: () => simulator.requests.filter(({ method }) => method === 'POST').map(({ body }) => unescaped(body)),
      run: async (prompt: string, more: Record<string, string> = {}, args: string[] = []): Promise<ClaudeRun> =>
        (await start(prompt, more, args)).done,
      start,
      /** The client before a person who has said that they trust the folder, and has typed the prompt. */
      async terminal(prompt: string): Promise<Terminal> {
        const terminal = await openTerminal(whenFinished, {
          ...{ baseUrl: simulator.url, home: at.env.HOME!, cwd: project.dir, env },
          args: ['--permission-mode=default', '--allowedTools=Bash(cd:*),Bash(bd:*),Write'],
        })
        await trustFolder(terminal)
        await terminal.say(prompt)
        return terminal
      },
    }
  }

  return {
    ...(await playing(scenario)),
    next: playing,
    project,
    at,
    async daemon() {
      const running = await startGrove(at, 'up')
      whenFinished(() => running.kill('SIGKILL'))
      return running
    },
    async attach(transport: string, ...options: string[]) {
      const { code, stderr } = await grove(at, 'init', '--transport', transport, ...options)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    },
    /** What hook processes without a daemon have complained about. */
    warnings: () => readFile(join(at.home, 'logs', 'hooks.log'), 'utf8').catch(() => ''),
    learnings: () => readFile(join(project.dir, '.grove', 'learnings.md'), 'utf8'),
    stats: async () =>
      (await readFile(await statsFile(at.home), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

/** The log of the one project that a home knows. */
async function statsFile(home: string): Promise<string> {
  const [project] = await readdir(join(home, 'projects'))
  return join(home, 'projects', project!, 'stats.log')
}

/** A request as text, its JSON strings readable. */
function unescaped(body: Buffer): string {
  return body.toString('utf8').replaceAll('\\"', '"').replaceAll('\\n', '\n')
}
