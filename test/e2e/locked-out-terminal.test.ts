import { rmSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { dist, withBinary } from '../cli/grove.ts'
import { clientPath } from '../support/claude.ts'
import { faults } from '../support/lock-out/faults.ts'
import { installationsOf, setLockOutStage, WORDS } from '../support/lock-out/stage.ts'
import { openTerminal, trustFolder } from '../support/terminal.ts'

// What locked-out.test.ts tries headless, as a person sees it: the client answers in its terminal, and one line there says
// what is off and how to fix it.

withBinary()
afterAll(() => rmSync(installationsOf(dist), { recursive: true, force: true }))

const seen: [fault: string, line: string | undefined, by: 'hooks' | 'grove claude'][] = [
  ['stopped', undefined, 'hooks'],
  ['standalone runner damaged', 'names the fix', 'hooks'],
  ['Grove removed by npm', 'taken out of your settings', 'hooks'],
  ['config.toml is garbage', 'does not use the settings of a file, but their defaults', 'hooks'],
  ['Node gone', 'because its Node is gone', 'hooks'],
  ['home read-only', 'cannot write to its home folder', 'hooks'],
  ['disk full', 'the disk is full', 'hooks'],
  ['port taken', 'so Claude Code runs without the proxy', 'grove claude'],
]
// Where nobody may mount, there is no disk to fill.
const possible = seen.filter(([name]) => faults.some((fault) => fault.name === name))

it.for(possible)('a person in a terminal is answered: %s', async ([name, line, by], { onTestFinished }) => {
  const stage = await setLockOutStage(onTestFinished, { dist })
  const { happens, seen: how } = faults.find((fault) => fault.name === name)!
  expect(stage.grove('init').code).toBe(0)
  await happens?.(stage, onTestFinished)
  const { env = {}, under = [] } = how?.(stage) ?? {}
  // Set for the client alone: the terminal needs its own.
  const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`)
  const terminal = await openTerminal(onTestFinished, {
    baseUrl: stage.simulator.url,
    home: stage.env.HOME!,
    cwd: stage.cwd,
    // Named here, the port is taken in the client's own network too.
    settings: name === 'port taken' ? { env: { TAKEN: `http://127.0.0.1:${stage.port}` } } : {},
    args: ['--permission-mode=default'],
    env: stage.env,
    program: [...under, 'env', ...variables, ...(by === 'hooks' ? [clientPath()] : stage.through)],
  })
  await trustFolder(terminal)
  await terminal.say('Are you there?')
  await terminal.shows(WORDS)
  if (line) expect(terminal.seen()).toContain(line.replaceAll(' ', ''))
  else expect(terminal.seen()).not.toContain('Grovedoesnot')
  await terminal.say('/exit')
  expect(await terminal.exitCode()).toBe(0)
})
