import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentsIn } from '../../src/server/agents.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { type Attachment, type Stage, setStage } from '../support/stage.ts'
import { agent, story } from '../support/story.ts'
import { brokenPrefixes } from '../support/traffic.ts'
import { type WhatCame, whatCame } from '../support/what-came.ts'

// The real client works; Grove knows its goal, notices when it leaves it, and says so once, at the right place. Every
// story is told three times: through the proxy, with hooks alone, and with both, and comes to the same each time.

const files = {
  'src/auth/token.ts': 'export function refreshToken(expiry: number) {\n  return expiry < Date.now() / 1000\n}\n',
  'src/auth/session.ts':
    "import { refreshToken } from './token'\nexport const alive = (e: number) => !refreshToken(e)\n",
  'src/styles/theme.css': ':root { --accent: red }\n',
  'src/styles/buttons.css': '.button { color: red }\n',
  'src/billing/invoice.ts': 'export const invoice = (total: number) => ({ total })\n',
  'src/settings.ts': 'export const settings = { mode: "light" }\n',
}
const goal = 'Fix the token refresh in src/auth/token.ts: the expiry is compared in seconds instead of milliseconds'
const { read, edit, write, bash } = agent

const onGoal = [
  read('src/auth/token.ts'),
  edit('src/auth/token.ts', 'Date.now() / 1000', 'Date.now()'),
  read('src/auth/session.ts'),
]
const fixed = "I've fixed the token refresh: the expiry is in milliseconds now."
const restyled = [
  read('src/styles/theme.css'),
  write('src/styles/theme.css', ':root { --accent: blue }\n'),
  read('src/styles/buttons.css'),
  write('src/styles/buttons.css', '.button { color: blue }\n'),
]
const back = edit('src/auth/token.ts', 'return expiry', 'return  expiry')
const sheets = Array.from({ length: 6 }, (_, i) => write(`src/styles/new${i}.css`, `.a${i} { color: red }`))

function filesOf(replies: { tool_use: { input: object }[] }[]): string[] {
  return replies.map(({ tool_use: [use] }) => (use!.input as { file_path: string }).file_path.replace('{{cwd}}/', ''))
}

interface Told {
  name: string
  /** What the user says; each after the first in the session taken up again. */
  says: string[]
  replies: (object | string)[]
  expected: WhatCame
}

const stories: Told[] = [
  {
    name: 'on goal: every action is a step, nothing is injected, and the finished work becomes a memory',
    says: [goal],
    replies: [...onGoal, bash('git status'), fixed],
    expected: {
      tasks: ['main completed'],
      steps: [...filesOf(onGoal), 'Bash'],
      corrections: [],
      recovered: 0,
      memories: [['src/auth/token.ts']],
    },
  },
  {
    name: 'drifting without a limit: a correction each time, no more, and the agent comes back by itself',
    says: [goal],
    replies: [...onGoal, ...restyled, back, fixed],
    expected: {
      tasks: ['main completed'],
      steps: [...filesOf(onGoal), ...filesOf(restyled), 'src/auth/token.ts'],
      corrections: ['correct', 'correct'],
      recovered: 0,
      memories: [['src/auth/token.ts', 'src/styles/theme.css', 'src/styles/buttons.css', 'had-drift']],
    },
  },
  {
    name: 'drifting: what is rejected is no step, and the agent comes back when it is told to',
    says: [`${goal}. Do not touch src/styles.`],
    replies: [...onGoal, sheets[0]!, bash('git status'), sheets[1]!, back, fixed],
    expected: {
      tasks: ['main completed'],
      steps: [...filesOf(onGoal), 'Bash', 'src/auth/token.ts'],
      corrections: ['intervene', 'halt'],
      recovered: 1,
      memories: [['src/auth/token.ts', 'had-drift', 'needs-review']],
    },
  },
  {
    name: 'the user changes the goal: what was drift before is the work now',
    says: [`${goal}. Do not touch src/styles.`, 'Forget that. Write two new stylesheets in src/styles'],
    replies: [...onGoal, 'The cause is clear.', sheets[0]!, sheets[1]!, 'Both are there.'],
    expected: {
      tasks: ['main completed', 'main completed'],
      steps: [...filesOf(onGoal), 'src/styles/new0.css', 'src/styles/new1.css'],
      corrections: [],
      recovered: 0,
      memories: [['src/auth/token.ts'], ['src/styles/new0.css', 'src/styles/new1.css']],
    },
  },
  {
    name: 'subtask and return: the end of the one is not the end of the other',
    says: ['Add a dark mode to src/settings.ts', 'First extract the colours into src/colours.ts', 'Go on'],
    replies: [
      read('src/settings.ts'),
      edit('src/settings.ts', 'light', 'light or dark'),
      'This is not done yet: the colours are in the way, and I have to stop here for now.',
      write('src/colours.ts', 'export const dark = "#000"\n'),
      "I've extracted the colours.",
      edit('src/settings.ts', 'light or dark', 'dark'),
      'Task complete.',
    ],
    expected: {
      tasks: ['main completed', 'subtask completed'],
      steps: ['src/settings.ts', 'src/settings.ts', 'src/colours.ts', 'src/settings.ts'],
      corrections: [],
      recovered: 0,
      memories: [['src/colours.ts'], ['src/settings.ts']],
    },
  },
  {
    name: 'the client compacts in between: the task and what was learned go on',
    says: [goal, '/compact', 'Go on'],
    replies: [
      ...onGoal,
      'The cause is clear.',
      '<analysis>Seconds.</analysis>\n<summary>The refresh compares seconds.</summary>',
      read('src/auth/token.ts'),
      back,
      fixed,
    ],
    expected: {
      tasks: ['main completed'],
      steps: [...filesOf(onGoal), 'src/auth/token.ts', 'src/auth/token.ts'],
      corrections: [],
      recovered: 0,
      memories: [['src/auth/token.ts']],
    },
  },
]

const attachments: Attachment[] = ['proxy', 'hooks', 'both']
const quiet = { config: '[gate]\nenabled = false\n', hooks: ['Stop'] as const }

describe.concurrent('Claude Code under supervision', () => {
  it.for(stories.flatMap((told) => attachments.map((attached) => [attached, told.name, told] as const)))(
    '%s: %s',
    async ([attached, , { says, replies, expected }], { onTestFinished }) => {
      const stage = await setStage(onTestFinished, story(...replies), files, {}, { attached, ...quiet })
      const sessionId = await tell(stage, says)
      expect(await whatCame(stage, sessionId)).toEqual(expected)
      await nothingIsWrong(stage, sessionId, attached)
    },
  )

  it.for(attachments)(
    '%s: drifting on and on: where hooks are attached the agent is really stopped, and let go when it returns',
    async (attached, { onTestFinished }) => {
      const notes = write('src/auth/notes.md', 'seconds')
      const replies = [read('src/auth/token.ts'), ...sheets, onGoal[1]!, notes, 'The refresh works.']
      const stage = await setStage(onTestFinished, story(...replies), files, {}, { attached, ...quiet })
      const sessionId = await tell(stage, [`${goal}. Do not touch src/styles.`])
      const { simulator, project, grove } = stage

      const written = readdirSync(join(project.dir, 'src/styles'))
      const denied = simulator.requests.some(({ body }) => body.includes('recovery_required'))
      expect(denied).toBe(attached !== 'proxy')
      expect(written).toEqual(expect.arrayContaining(['new0.css', 'new1.css', 'new2.css']))
      // With both, the fourth may be seen by the proxy before its hook asks. What comes after it is never written.
      for (const name of ['new4.css', 'new5.css']) expect(written.includes(name)).toBe(attached === 'proxy')
      expect(readFileSync(join(project.dir, 'src/auth/notes.md'), 'utf8')).toBe('seconds')
      const { corrections, recovered, steps } = await whatCame(stage, sessionId)
      expect(corrections.slice(0, 4)).toEqual(['intervene', 'halt', 'halt', 'halt'])
      expect(recovered).toBe(1)
      expect(steps).toEqual(['src/auth/token.ts', 'src/auth/token.ts', 'src/auth/notes.md'])
      const modes = grove.events.flatMap((event) => (event.type === 'drift' ? [event.mode] : []))
      expect(modes.slice(0, 4)).toEqual(['drifted', 'drifted', 'drifted', 'forced'])
      await nothingIsWrong(stage, sessionId, attached)
    },
  )

  it.for(attachments)(
    '%s: drifting although nobody named a limit: corrected again and again, never stopped, and marked for review',
    async (attached, { onTestFinished }) => {
      const pages = Array.from({ length: 6 }, (_, i) => write(`marketing/page${i}.html`, `<h1>Spring sale ${i}</h1>`))
      const replies = [...onGoal, ...pages, back, fixed]
      const stage = await setStage(onTestFinished, story(...replies), files, {}, { attached, ...quiet })
      const sessionId = await tell(stage, [goal])
      const { simulator, project } = stage
      expect(simulator.requests.some(({ body }) => body.includes('recovery_required'))).toBe(false)
      expect(readdirSync(join(project.dir, 'marketing'))).toHaveLength(6)
      const { corrections, memories, steps } = await whatCame(stage, sessionId)
      expect(corrections.filter((level) => level === 'correct').length).toBeGreaterThan(2)
      expect(corrections.filter((level) => level !== 'correct' && level !== 'nudge')).toEqual([])
      expect(steps).toEqual([...filesOf(onGoal), ...filesOf(pages), 'src/auth/token.ts'])
      expect(memories[0]!.slice(-2)).toEqual(['had-drift', 'needs-review'])
      await nothingIsWrong(stage, sessionId, attached)
    },
  )

  it.for(attachments)(
    '%s: eight agents at once on one project are kept apart',
    async (attached, { onTestFinished }) => {
      const parts = Array.from({ length: 8 }, (_, i) => `src/part${i}.ts`)
      const replies = parts.map((part) => ({
        when: { last_user: part },
        reply: write(part, 'export const n = 1'),
      }))
      const rest = { reply: 'Written.', repeat: 'forever' }
      const scenario = parseScenario(JSON.stringify({ replies: [...replies, rest] }), 'eight')
      const stage = await setStage(onTestFinished, scenario, files, {}, { attached, ...quiet })
      const { grove, simulator, tap } = stage
      const runs = await Promise.all(parts.map((part) => stage.run(`Create ${part} with one number`)))
      await stage.settled()

      expect(simulator.problems).toEqual([])
      expect(brokenPrefixes(tap, simulator)).toEqual([])
      for (const [i, { sessionId }] of runs.entries()) {
        expect(await grove.store.tasks.ofSession(sessionId!)).toMatchObject([
          { goal: expect.stringContaining(parts[i]!) },
        ])
        const steps = grove.events.filter((event) => event.type === 'step' && event.sessionId === sessionId)
        expect(steps).toMatchObject([{ files: [parts[i]] }])
      }
      const sessions = await grove.store.sessions.recent(20)
      expect(sessions).toHaveLength(8)
      expect(new Set(sessions.map(({ projectId }) => projectId)).size).toBe(1)
      expect(grove.warnings).toEqual([])
    },
  )
})

/** One prompt after the other, in one session. */
async function tell({ run, settled }: Stage, says: string[]): Promise<string> {
  let sessionId: string | undefined
  for (const prompt of says) {
    const outcome = await run(prompt, sessionId === undefined ? {} : { args: ['--resume', sessionId] })
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' })
    sessionId ??= outcome.sessionId!
    await settled()
  }
  return sessionId!
}

const MARKS = /Grove, a reminder\.|Grove: (?:this does not look|this goes against|you have left|stop\.)/g

/** What holds in every story: the API is content, the cache is kept, and each thing was counted and said once. */
async function nothingIsWrong({ grove, simulator, tap }: Stage, sessionId: string, attached: Attachment) {
  const { store, events } = grove
  expect(simulator.problems).toEqual([])
  expect(brokenPrefixes(tap, simulator)).toEqual([])
  expect(grove.warnings).toEqual([])
  const { session, injections } = (await agentsIn(store, Date.now).detail(sessionId))!
  expect(session.attachments.toSorted()).toEqual(attached === 'both' ? ['hooks', 'proxy'] : [attached])

  const steps = events.flatMap((event) => (event.type === 'step' ? [event.stepId] : []))
  expect(new Set(steps).size).toBe(steps.length)
  // Everything that was put before the model is on record with its reason and size, and what is on record is there.
  const seen = simulator.requests.map(({ body }) => body.toString().match(MARKS)?.length ?? 0)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(injections).toHaveLength(seen.at(-1)!)
  for (const { kind, why, tokens, text } of injections) {
    expect({ kind, why }).toEqual({ kind: 'correction', why: expect.stringMatching(/^\w+: .*\.$/) })
    expect(tokens).toBeGreaterThan(0)
    expect(tokens).toBeLessThan(500)
    expect(simulator.requests.at(-1)!.body.toString()).toContain(JSON.stringify(text).slice(1, -1))
  }
}
