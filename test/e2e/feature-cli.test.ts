import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { baseRef } from '../../src/exec/repository/hidden-refs.ts'
import type { SessionSnapshot, SessionSummary } from '../../src/protocol/api/sessions.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { type Daemon, type House, openHouse } from '../support/feature/house.ts'
import { shared } from '../support/run/shared.ts'

const run = promisify(execFile)

// It proposes a plan, finds nothing in it, and writes the plan anew when it is asked to.
const SCENARIO = `
default: "I have nothing to add."
replies:
  - when: { tool_result: "Recorded." }
    repeat: forever
    reply: Done.
  - when: { last_user: "Review this plan" }
    repeat: forever
    reply: { tool_use: { name: mcp__grove__report_review, input: { findings: [] } } }
  - when: { newest: "Call it a chain" }
    repeat: forever
    reply: { tool_use: { name: mcp__grove__propose_plan, input: { steps: [{ id: a, title: A chain, paths: ["src/**"] }] } } }
  - when: { last_user: "You plan this feature" }
    repeat: forever
    reply: { tool_use: { name: mcp__grove__propose_plan, input: { steps: [{ id: a, title: A family, paths: ["src/**"] }] } } }
`

let house: House
let daemon: Daemon
let binary: string
beforeAll(async () => {
  binary = join((await shared('binary'))!, 'grove.js')
  house = await openHouse({ binary, scenario: parseScenario(SCENARIO, 'words.yaml') })
  daemon = await house.start()
})
afterAll(() => house?.close())

const grove = (...args: string[]) => command('feature', ...args)

async function command(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: house.folder, GROVE_HOME: house.home, PORT: new URL(daemon.url).port }
  const { stdout } = await run(process.execPath, [binary, ...args], { cwd: house.project.dir, env })
  return stdout
}

const shown = async () => JSON.parse(await grove('show', 'add-login', '--json')) as SessionSnapshot
const listed = async (filter: string) =>
  (JSON.parse(await grove('list', '--filter', filter, '--json')) as { sessions: SessionSummary[] }).sessions

async function until(holds: (snapshot: SessionSnapshot) => boolean): Promise<void> {
  await expect.poll(async () => holds(await shown()), { interval: 300, timeout: 100_000 }).toBe(true)
}

const titles = ({ plan }: SessionSnapshot) => plan?.steps.map(({ title }) => title) ?? []

describe('a feature in the terminal, as in the page', () => {
  it('is asked for changes of its plan, read, spoken to, and moved in the list', async () => {
    await grove('new', '--title', 'Add login', '--description', 'People can log in.', '--local')
    await until((seen) => titles(seen).includes('A family') && !seen.summary.executing)
    await grove('comment', 'add-login', 'Call', 'it', 'a', 'chain', '--step', 'a')
    await until((seen) => titles(seen).includes('A chain') && !seen.summary.executing)
    expect(await grove('output', 'add-login', '--view', 'raw')).toContain('propose_plan')
    expect(await grove('changes', 'add-login')).toContain('Nothing has changed yet.')
    await grove('message', 'add-login', 'Keep', 'it', 'small')
    await grove('pause', 'add-login')
    await grove('archive', 'add-login')
    expect(await listed('archived')).toHaveLength(1)
    await grove('unarchive', 'add-login')
    await grove('delete', 'add-login')
    expect(await listed('all')).toHaveLength(0)
    await grove('undelete', 'add-login')
    expect(await listed('all')).toHaveLength(1)
  })

  it('is read whole: versions of the plan, what they changed, events, words in the output, evidence', async () => {
    expect(await grove('plan', 'add-login')).toMatch(/^Version 2\n\n## [\s\S]*\n## a: A chain\n/)
    expect(await grove('plan', 'add-login', '1')).toContain('A family')
    expect(await grove('plan', 'add-login', '--changes')).toContain('title: A family → A chain')
    expect(JSON.parse(await grove('plan', 'add-login', '--versions', '--json')).versions).toHaveLength(2)
    expect(await grove('events', 'add-login')).toContain('plan commented')
    expect(await grove('output', 'add-login', '--search', 'propose_plan')).toContain('propose_plan')
    expect(await grove('output', 'add-login', '--search', 'unheard of')).toContain('No line has these words.')
    expect(await grove('evidence', 'add-login')).toContain('All tests pass')
    expect(await grove('todos', 'add-login')).toContain('There are no such comments.')
    expect(await grove('answer', 'add-login', '--all')).toContain('There are no open questions.')
    await expect(grove('decide', 'add-login', 'nothing', 'so')).rejects.toMatchObject({
      stderr: expect.stringContaining('grove feature todos add-login'),
    })
  })

  it('shows what lies about in a project: TODO comments, and branches without a feature', async () => {
    await writeFile(join(house.project.dir, 'left.ts'), '// TODO: rotate the key\n')
    expect(await grove('existing-todos')).toContain('left.ts:1  TODO: rotate the key')
    await expect(grove('existing-todos', 'no/such/folder')).rejects.toMatchObject({ code: 1 })
    // A branch of Grove’s whose feature is gone with its files.
    await house.project.git('branch', 'feature/of-nobody')
    await house.project.git('update-ref', baseRef('feature/of-nobody'), 'HEAD')
    expect(await grove('branches')).toContain('branch -D feature/of-nobody')
    expect(JSON.parse(await grove('branches', '--json')).branches).toHaveLength(1)
  })

  it('gets a review in the person’s own name, which goes to Claude when they send it', async () => {
    await grove('resume', 'add-login')
    await expect(grove('review', 'add-login', 'fine')).rejects.toMatchObject({
      stderr: expect.stringContaining('grove team name'),
    })
    await command('team', 'name', 'Owner')
    await expect(grove('review', 'add-login', 'so')).rejects.toMatchObject({ code: 2 })
    await grove('review', 'add-login', 'changes', 'Keep', 'it', 'small', '--step', 'a')
    expect(await grove('reviews', 'add-login')).toContain('Owner wants changes of version 2.\n  step a: Keep it small')
    await expect(grove('send-review', 'add-login', 'ada')).rejects.toMatchObject({
      stderr: expect.stringContaining('Choose one of: Owner'),
    })
    await grove('send-review', 'add-login', 'Owner')
    expect(await grove('reviews', 'add-login')).toContain('sent to Claude')
  })

  it('stands in the inbox with the line that answers it', async () => {
    await grove('new', '--title', 'Another one', '--description', 'It waits.', '--local')
    const line = 'grove feature approve another-one'
    await expect.poll(() => command('inbox'), { interval: 300, timeout: 100_000 }).toContain(line)
    const { waiting } = JSON.parse(await command('inbox', '--json'))
    expect(waiting).toContainEqual(expect.objectContaining({ featureId: 'another-one', kind: 'plan_approval' }))
  })

  it('says what is missing where something cannot be done', async () => {
    await grove('new', '--title', 'Second', '--description', 'Another one.', '--local')
    await expect(grove('ask-review', 'second', 'somebody')).rejects.toMatchObject({
      stderr: expect.stringContaining('no teammate somebody'),
    })
    await expect(grove('restore', 'second', 'nothing')).rejects.toMatchObject({ code: 1 })
    await expect(grove('output', 'second', '--lines', 'many')).rejects.toMatchObject({ code: 2 })
    await expect(grove('new', '--title', 'T'.repeat(300), '--description', 'One.')).rejects.toMatchObject({
      stderr: expect.stringMatching(/^error: The title may have at most 200 characters\n\n/),
    })
    await expect(grove('approve', 'second', '--change', 'Call it so')).rejects.toMatchObject({ code: 1 })
  })

  it('has the people of the page: a name, an invitation, and who was let in', async () => {
    expect(await command('team', 'name', 'Owner', 'here')).toContain('You are Owner here.')
    expect(await command('team', 'invite')).toContain('?token=')
    expect(JSON.parse(await command('team', 'people', '--json'))).toMatchObject({ me: { name: 'Owner here' } })
    expect((await command('team', 'people')).trim()).toBe('You are Owner here.')
    await expect(command('team', 'remove', 'nobody')).rejects.toMatchObject({
      stderr: expect.stringContaining('no teammate nobody'),
    })
  })
})
