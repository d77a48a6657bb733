import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { type Attachment, setStage } from '../support/stage.ts'
import { agent } from '../support/story.ts'
import { openTerminal, trustFolder } from '../support/terminal.ts'
import { brokenPrefixes } from '../support/traffic.ts'
import { whatCame } from '../support/what-came.ts'

// The client as a person uses it, in a terminal. It asks for much on its own account there: titles, recaps, suggestions.
// Grove follows the main thread and nothing else. GROVE_TEST_STORIES=all tells it through every attachment.

const attachments: Attachment[] = process.env.GROVE_TEST_STORIES === 'all' ? ['proxy', 'hooks', 'both'] : ['both']

const files = {
  'src/auth/token.ts': 'export const expiry = 3600\n',
  'src/styles/theme.css': ':root { --accent: red }\n',
}
const { read, write, bash } = agent

it.for(attachments)(
  'a session in a terminal is followed from the trust dialog to its end (%s)',
  async (attached, { onTestFinished }) => {
    const main = (reply: object | string) => ({ when: { has_tool: 'Read', agent: false }, reply })
    // It goes on as soon as the client itself has noted the new words; the brackets keep it from finding its own.
    const waits = bash(
      'touch at-work; until grep -qs "stylesheet in [s]rc/styles" "$HOME"/.claude/projects/*/*.jsonl; do sleep 0.1; done',
    )
    const summary = '<analysis>Stylesheets.</analysis>\n<summary>A stylesheet was written.</summary>'
    const scenario = parseScenario(
      JSON.stringify({
        replies: [
          { name: 'compact', when: { newest: { matches: '<analysis>[\\s\\S]*<summary>' } }, reply: summary },
          main(read('src/auth/token.ts')),
          main(waits),
          main(write('src/styles/new.css', '.a { color: red }')),
          main('The stylesheet is there.'),
          main(read('src/styles/theme.css')),
          main('Its accent is red.'),
        ],
        default: { text: '{"title":"Stylesheets","ok":true}' },
      }),
      'in a terminal',
    )
    const stage = await setStage(
      onTestFinished,
      scenario,
      files,
      {},
      {
        attached,
        config: '[gate]\nenabled = false\n',
        hooks: ['Stop'],
      },
    )
    const { simulator, tap, grove, project, home } = stage
    const terminal = await openTerminal(onTestFinished, {
      baseUrl: tap.url,
      home,
      cwd: project.dir,
      settings: attached === 'proxy' ? {} : grove.hookSettings,
      // The newest clients let the API judge each action by default, which a simulated one does not.
      args: ['--permission-mode=default', '--allowedTools=Bash,Read,Write'],
    })

    await trustFolder(terminal)
    await terminal.say('Fix the expiry in src/auth/token.ts. Do not touch src/styles.')
    while (!existsSync(join(project.dir, 'at-work'))) await sleep(50)
    await terminal.say('Forget that. Write a new stylesheet in src/styles instead')
    await terminal.shows('The stylesheet is there.')
    await terminal.say('/compact')
    await terminal.shows('Compacted')
    await terminal.say('Which accent does the theme in src/styles have?')
    await terminal.shows('Its accent is red.')
    await terminal.say('/exit')
    expect(await terminal.exitCode()).toBe(0)
    await stage.settled()

    const sessions = await grove.store.sessions.recent(9)
    expect(sessions).toMatchObject([{ cwd: project.dir }])
    expect(sessions[0]!.attachments.toSorted()).toEqual(attached === 'both' ? ['hooks', 'proxy'] : [attached])
    const { steps, corrections } = await whatCame(stage, sessions[0]!.id)
    expect({ steps, corrections }).toEqual({
      steps: ['src/auth/token.ts', 'Bash', 'src/styles/new.css', 'src/styles/theme.css'],
      corrections: [],
    })
    const goals = (await grove.store.tasks.ofSession(sessions[0]!.id)).map(({ goal }) => goal)
    expect(goals.filter((goal) => !/expiry|stylesheet|accent/.test(goal))).toEqual([])
    expect(goals.some((goal) => goal.includes('stylesheet'))).toBe(true)
    // What it asked on its own account went through, and is nobody's work.
    const side = simulator.requests.filter(({ method, body }) => method === 'POST' && !body.includes('"name":"Read"'))
    if (terminal.isolated) expect(side.length).toBeGreaterThan(0)
    expect(simulator.unused()).toEqual([])
    expect(simulator.problems).toEqual([])
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    expect(grove.warnings).toEqual([])
  },
)
