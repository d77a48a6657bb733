import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { SLOTS } from '../../src/supervisor/state-slots.ts'
import { type Attachment, type Stage, setStage } from '../support/stage.ts'
import { agent, story } from '../support/story.ts'
import { result, typed } from '../support/tell.ts'
import { brokenPrefixes } from '../support/traffic.ts'
import { whatCame } from '../support/what-came.ts'

// What newer clients do by themselves and older ones when they are asked to: look for tools, let helpers work on when the
// turn is over, hear the user while they work. Whatever the way, goal and limits stay the user's.

const files = {
  'src/auth/token.ts': 'export function refreshToken(expiry: number) {\n  return expiry < Date.now() / 1000\n}\n',
  'src/styles/theme.css': ':root { --accent: red }\n',
}
const goal =
  'Fix the token refresh in src/auth/token.ts: the expiry is compared in seconds instead of milliseconds. Do not touch src/styles.'
const fixed = "I've fixed the token refresh: the expiry is in milliseconds now."
const { read, edit, write, bash } = agent
const fix = edit('src/auth/token.ts', 'Date.now() / 1000', 'Date.now()')
const sheet = write('src/styles/new.css', '.a { color: red }')

const attachments: Attachment[] = ['proxy', 'hooks', 'both']
const quiet = { config: '[gate]\nenabled = false\n', hooks: ['Stop'] as const }

describe.concurrent('Claude Code', () => {
  it.for(attachments)(
    '%s: looks for a tool, and what the client says when it is loaded is no instruction',
    async (attached, { onTestFinished }) => {
      const search = { tool_use: [{ name: 'ToolSearch', input: { query: 'select:WebFetch', max_results: 3 } }] }
      const replies = [read('src/auth/token.ts'), search, sheet, fix, fixed]
      const stage = await setStage(onTestFinished, story(...replies), files, {}, { attached, ...quiet })
      const { simulator, tap, grove } = stage
      const outcome = await stage.run(goal, {
        args: ['--allowedTools=Edit,Read,Write,ToolSearch'],
        // Older clients search for tools only when they are told to.
        env: { ENABLE_TOOL_SEARCH: 'true' },
      })
      await stage.settled()

      expect(outcome).toMatchObject({ exitCode: 0, stderr: '', result: { result: fixed } })
      expect(simulator.requests.some(({ body }) => body.includes('tool_reference'))).toBe(true)
      const tasks = await grove.store.tasks.ofSession(outcome.sessionId!)
      expect(tasks).toMatchObject([{ goal: expect.stringContaining('token refresh'), promptCount: 1 }])
      expect(await whatCame(stage, outcome.sessionId!)).toEqual({
        tasks: ['main completed'],
        steps: ['src/auth/token.ts', 'ToolSearch', 'src/auth/token.ts'],
        corrections: ['intervene'],
        recovered: 1,
        memories: [['src/auth/token.ts', 'had-drift', 'needs-review']],
      })
      expect(simulator.problems).toEqual([])
      expect(brokenPrefixes(tap, simulator)).toEqual([])
      expect(grove.warnings).toEqual([])
    },
  )

  it.for(attachments)(
    '%s: lets a helper work on when its turn is over: the task stays open, and what the helper does counts',
    async (attached, { onTestFinished }) => {
      const launch = {
        tool_use: [
          {
            name: 'Agent',
            input: {
              description: 'Write a clock',
              prompt: 'Write a clock in src/auth/clock.ts',
              subagent_type: 'general-purpose',
              run_in_background: true,
            },
          },
        ],
      }
      const main = (reply: object | string) => ({ when: { agent: false }, reply })
      const helper = (reply: object | string) => ({ when: { agent: true }, reply })
      const scenario = parseScenario(
        JSON.stringify({
          replies: [
            main(read('src/auth/token.ts')),
            main(launch),
            main(bash('until [ -e started ]; do sleep 0.1; done')),
            main(`${fixed} A helper looks after the rest.`),
            helper(bash('touch started; until [ -e go ]; do sleep 0.1; done')),
            helper(write('src/auth/clock.ts', 'export const now = () => Date.now()\n')),
            helper(sheet),
            helper('The clock is written.'),
            main(fix),
            main(`${fixed} The helper is done as well.`),
          ],
        }),
        'a helper in the background',
      )
      const stage = await setStage(onTestFinished, scenario, files, {}, { attached, ...quiet })
      const { simulator, tap, grove, project } = stage
      const running = await stage.start(goal)
      const sessionId = await closed(stage, 'A helper looks after the rest.')
      expect(await whatCame(stage, sessionId)).toMatchObject({ tasks: ['main active'], memories: [] })
      await writeFile(join(project.dir, 'go'), '')
      const outcome = await running.done
      await stage.settled()

      expect(outcome).toMatchObject({ exitCode: 0, stderr: '', result: { result: contains('as well') } })
      const { steps, ...came } = await whatCame(stage, outcome.sessionId!)
      expect(came).toEqual({
        tasks: ['main completed'],
        corrections: ['intervene'],
        recovered: 1,
        memories: [['started', 'src/auth/clock.ts', 'src/auth/token.ts', 'had-drift', 'needs-review']],
      })
      // The order of the two commands is the machine's; what the helper wrote where it must not is no step.
      const [token, clock] = ['src/auth/token.ts', 'src/auth/clock.ts']
      expect(steps.toSorted()).toEqual(['Agent', 'Bash', 'Bash', clock, token, token])
      const tasksOfSession = await grove.store.tasks.ofSession(outcome.sessionId!)
      expect(tasksOfSession).toMatchObject([{ promptCount: 1 }])
      // It is told which limit was left: the helper where it has hooks, the main thread in any case.
      const told = simulator.requests.filter(({ body }) => body.includes('the user said: “Do not touch src/styles'))
      const hears = new Set(told.map(({ rawHeaders }) => rawHeaders.includes('x-claude-code-agent-id')))
      expect(hears).toEqual(new Set(attached === 'proxy' ? [false] : [true, false]))
      expect(simulator.problems).toEqual([])
      expect(brokenPrefixes(tap, simulator)).toEqual([])
      expect(grove.warnings).toEqual([])
    },
  )

  it.for(attachments)(
    '%s: hears what is typed while it works, and Grove moves the goal with it',
    async (attached, { onTestFinished }) => {
      // It goes on as soon as the client itself has noted the new words; the brackets keep it from finding its own.
      const waits = bash(
        'touch at-work; until grep -qs "stylesheet in [s]rc/styles" "$HOME"/.claude/projects/*/*.jsonl; do sleep 0.1; done',
      )
      const replies = [
        read('src/auth/token.ts'),
        waits,
        sheet,
        read('src/styles/theme.css'),
        'The stylesheet is there.',
      ]
      const stage = await setStage(onTestFinished, story(...replies), files, {}, { attached, ...quiet })
      const { simulator, tap, grove, project } = stage
      const running = await stage.start('', {
        args: ['--input-format=stream-json'],
        input: typed(goal),
        keepInput: true,
      })
      while (!existsSync(join(project.dir, 'at-work'))) await sleep(50)
      const words = 'Forget that. Write a new stylesheet in src/styles instead'
      running.child.stdin!.write(typed(words))
      await result(running)
      running.child.stdin!.end()
      const outcome = await running.done
      await stage.settled()

      expect(outcome).toMatchObject({ exitCode: 0, stderr: '', result: { result: 'The stylesheet is there.' } })
      // It was heard in the running turn, before the agent went on.
      const asked = simulator.requests.filter(({ method }) => method === 'POST')
      expect(asked[2]!.body.toString()).toContain(words)
      expect(await whatCame(stage, outcome.sessionId!)).toMatchObject({ corrections: [], recovered: 0 })
      const current = (await grove.store.tasks.ofSession(outcome.sessionId!)).at(-1)
      expect(current?.goal).toContain('stylesheet')
      expect(current?.constraints).toEqual([])
      expect(simulator.problems).toEqual([])
      expect(brokenPrefixes(tap, simulator)).toEqual([])
      expect(grove.warnings).toEqual([])
    },
  )
})

function contains(words: string): unknown {
  return expect.stringContaining(words)
}

/** The session whose turn ended with these words, as soon as Grove has noted that it did. */
async function closed({ grove: { store } }: Stage, words: string): Promise<string> {
  for (;;) {
    for (const { id } of await store.sessions.recent(9)) {
      const state = await store.states.get(SLOTS.session, id)
      if (state?.transcript.lastWords?.includes(words)) return id
    }
    await sleep(50)
  }
}
