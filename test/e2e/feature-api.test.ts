import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { type Daemon, type House, openHouse } from '../support/feature/house.ts'
import { shared } from '../support/run/shared.ts'

const run = promisify(execFile)

/** What people, and programs that mean harm, type into fields. */
const ODD = {
  'shell words': 'x; touch $HOME/owned `touch $HOME/owned` $(touch $HOME/owned) | & > "quoted" \'quoted\' \\',
  'a way up': '../../../../etc/passwd',
  'an option': '--help',
  'an option of git': '--upload-pack=touch owned',
  'right to left': '\u202eהוסף כניסה עם ססמה\u202c',
  'a picture and a joiner': '👩‍💻 ﬁx',
  'a name of a device': 'CON.lock',
  markup: '<script>alert(1)</script> & {{cwd}} %s',
  'several lines': 'one\ntwo\r\nthree',
} as const

const QUESTIONS = Object.keys(ODD).map(
  (name) => `{ question: "What about ${name}?", options: [{ label: Yes, recommended: true }], priority: 1 }`,
)

// One model for all: it asks everything at once, and is content with any answer.
const SCENARIO = `
default: "I have nothing to add."
replies:
  - when: { newest: "Decision: " }
    repeat: forever
    reply: { tool_use: { name: mcp__grove__propose_plan, input: { steps: [{ id: a, title: One, paths: ["src/**"] }] } } }
  - when: { tool_result: "Recorded." }
    repeat: forever
    reply: Done.
  - when: { newest: "You plan this feature" }
    repeat: forever
    reply: { tool_use: { name: mcp__grove__ask_decision, input: { questions: [${QUESTIONS.join(', ')}] } } }
`

let house: House
let daemon: Daemon
beforeAll(async () => {
  const binary = join((await shared('binary'))!, 'grove.js')
  // Sessions of this file need no runs but one: the limit holds the others before their first.
  house = await openHouse({
    binary,
    scenario: parseScenario(SCENARIO, 'odd.yaml'),
    settings: 'max_calls_per_hour = 1\n',
  })
  daemon = await house.start()
})
afterAll(() => house?.close())

type Made = { session: SessionSnapshot; suggestion?: string }

function form(more: object) {
  return {
    title: 'Add login',
    projectPath: house.project.dir,
    description: 'People can log in.',
    acceptanceCriteria: [{ text: 'All tests pass', checked: true, type: 'automated' }],
    options: { localReview: true },
    ...more,
  }
}

async function until<T>(what: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await what()
    if (found !== undefined) return found
    await sleep(100)
  }
}

const placeOf = ({ session }: SessionSnapshot) => `/api/sessions/${session.projectId}/${session.featureId}`

async function look(seen: SessionSnapshot): Promise<SessionSnapshot> {
  return (await daemon.ask<Made>('GET', placeOf(seen))).body.session
}

describe('whatever is typed into the form', () => {
  it('an odd answer reaches Claude as it was typed, once, also when Grove dies in between', async () => {
    const { body } = await daemon.ask<Made>('POST', '/api/sessions', form({}))
    const questions = await until(async () => {
      const seen = await look(body.session)
      return seen.questions.length > 0 ? seen.questions : undefined
    })
    const path = `${placeOf(body.session)}/questions`
    const said = (questionId: string, given: object) =>
      daemon.ask('POST', path, { answers: [{ questionId, ...given }] })
    const { id } = questions[0]!
    expect(await said(id, { value: '../Yes' })).toMatchObject({ status: 400, body: { code: 'answer_not_offered' } })
    expect(await said(id, { text: 'x'.repeat(10_001) })).toMatchObject({ status: 400 })
    expect(await said('../../session', { value: 'A' })).toMatchObject({ body: { code: 'question_not_found' } })

    const answers = questions.map(({ id: questionId, questionText }) => {
      const name = Object.keys(ODD).find((one) => questionText.includes(one)) as keyof typeof ODD
      const text = name === 'a way up' ? `${ODD[name]} ${'é'.repeat(9_900)}` : ODD[name]
      return { questionId, text }
    })
    const last = { requestId: 'the-last-answer', answers: answers.slice(-1) }
    expect(await daemon.ask('POST', path, { answers: answers.slice(0, -1) })).toMatchObject({ status: 200 })
    expect(await daemon.ask('POST', path, last)).toMatchObject({ status: 200 })
    await daemon.kill()
    daemon = await house.start()
    expect(await daemon.ask('POST', path, last)).toMatchObject({ status: 200 })
    expect(await daemon.ask('POST', path, { ...last, requestId: 'another' })).toMatchObject({
      body: { code: 'question_not_found' },
    })
    const kept = (await daemon.ask<{ questions: { answer: { text: string } | null }[] }>('GET', `${path}?all=true`))
      .body
    expect(kept.questions.map(({ answer }) => answer?.text)).toEqual(answers.map(({ text }) => text.trim()))

    const ways = { interrupted: 'resume', hourly_limit: 'override' } as Record<string, string>
    await until(async () => {
      const { session } = await look(body.session)
      const choice = ways[session.hold?.kind ?? '']
      if (choice) await daemon.ask('POST', `${placeOf(body.session)}/choice`, { choice })
      return session.currentStage === 2 ? true : undefined
    })
    const told = house.simulator.requests.map((request) => request.body.toString('utf8')).join('\n')
    for (const { text } of answers) expect(told).toContain(JSON.stringify(text.trim()).slice(1, -1))
  })

  it.each(Object.entries(ODD))('%s make a title, notes and criteria like any other', async (_, text) => {
    const { status, body } = await daemon.ask<Made>(
      'POST',
      '/api/sessions',
      form({
        title: text,
        description: text,
        technicalNotes: text,
        acceptanceCriteria: [{ text, checked: true, type: 'manual' }],
      }),
    )
    expect({ status, body }).toMatchObject({ status: 201 })
    const { session } = body.session
    expect(session).toMatchObject({ title: text, featureDescription: text, technicalNotes: text })
    await run('git', ['check-ref-format', '--branch', session.featureBranch])
    expect(session.featureId).toMatch(/^[a-z0-9][a-z0-9-]*$/)
    expect(session.folder.startsWith(`${house.home}-worktrees/`)).toBe(true)
    const held = await until(async () => {
      const seen = await look(body.session)
      return seen.session.hold ?? undefined
    })
    expect(held.kind).toBe('hourly_limit')
    expect(await house.project.git('-C', session.folder, 'branch', '--show-current')).toBe(session.featureBranch)
  })

  it.each([
    ['no title', { title: '   ' }],
    ['a title that is too long', { title: 'x'.repeat(10_000) }],
    ['a NUL in the title', { title: 'a\0b' }],
    ['a NUL in the description', { description: 'a\0b' }],
    ['a description that is too long', { description: 'x'.repeat(10_001) }],
    ['a file outside the project', { affectedFiles: ['../secret'] }],
    ['an absolute file', { affectedFiles: ['/etc/passwd'] }],
    ['a NUL in the path', { projectPath: '/tmp/a\0b' }],
    ['a relative path', { projectPath: '../app' }],
    ['an option for a path', { projectPath: '--help' }],
    ['no such folder', { projectPath: '/nowhere/at/all' }],
    ['a file for a path', { projectPath: '/etc/hostname' }],
    ['a folder that is no repository', { projectPath: '/usr' }],
    ['an endless path', { projectPath: `/${'x'.repeat(10_000)}` }],
    ['shell words for a branch', { options: { branch: 'a; touch $HOME/owned' } }],
    ['a way up for a branch', { options: { branch: '../../main' } }],
    ['an option for a branch', { options: { branch: '--help' } }],
    ['an endless branch', { options: { branch: 'x'.repeat(10_000) } }],
    ['a NUL in the branch', { options: { branch: 'a\0b' } }],
    ['an option for a base', { options: { baseBranch: '--help' } }],
    ['no such base', { options: { baseBranch: 'nowhere' } }],
    ['a field that nobody knows', { titel: 'x' }],
  ])('%s is refused with a reason and a remedy', async (_, more) => {
    const before = await daemon.ask<{ total: number }>('GET', '/api/sessions')
    const { status, body } = await daemon.ask<Made>('POST', '/api/sessions', form(more))
    expect({ status, body }).toMatchObject({ status: 400, body: { code: expect.stringMatching(/^bad_/) } })
    expect(body.message).not.toBe('')
    expect(body.suggestion).not.toBe('')
    expect((await daemon.ask<{ total: number }>('GET', '/api/sessions')).body.total).toBe(before.body.total)
  })

  it('a repository may have any name', async () => {
    const dir = join(house.folder, 'we $(touch owned); "ird" \u202eשלום', '--help')
    await mkdir(dir, { recursive: true })
    await run('git', ['clone', '--quiet', house.project.dir, dir])
    const { status, body } = await daemon.ask<Made>('POST', '/api/sessions', form({ projectPath: dir }))
    expect({ status, body }).toMatchObject({ status: 201 })
    const held = await until(async () => (await look(body.session)).session.hold ?? undefined)
    expect(held.kind).toBe('hourly_limit')
  })

  it('and nothing of it was run', async () => {
    for (const place of [house.folder, house.home, house.project.dir]) {
      expect(existsSync(join(place, 'owned'))).toBe(false)
    }
  })
})

describe('a session whose file is damaged', () => {
  it('is listed, and comes back with its file or is taken out of the way', async () => {
    const made = [] as SessionSnapshot[]
    for (const title of ['First to break', 'Second to break']) {
      const { body } = await daemon.ask<Made>('POST', '/api/sessions', form({ title }))
      made.push(body.session)
    }
    const folders = made.map(({ session }) => join(house.home, 'workflows', session.projectId, session.featureId))
    await daemon.stop()
    const whole = await Promise.all(
      folders.map(async (folder) => {
        const text = (await run('cat', [join(folder, 'session.json')])).stdout
        for (const name of ['session.json', 'session.json.bak']) await writeFile(join(folder, name), '{"version": "1')
        return text
      }),
    )
    daemon = await house.start()
    const damaged = await daemon.ask<{ sessions: object[] }>('GET', '/api/sessions/damaged')
    expect(damaged.body.sessions.map((one) => JSON.stringify(one)).sort()).toHaveLength(2)
    const mend = ({ session }: SessionSnapshot, action: string) =>
      daemon.ask('POST', `/api/sessions/damaged/${session.projectId}/${session.featureId}`, { action })
    expect(await mend(made[0]!, 'read_again')).toMatchObject({ body: { readable: false } })
    await writeFile(join(folders[0]!, 'session.json'), whole[0]!)
    expect(await mend(made[0]!, 'read_again')).toMatchObject({ status: 200, body: { readable: true } })
    expect((await look(made[0]!)).session.title).toBe('First to break')
    const aside = await mend(made[1]!, 'set_aside')
    expect(aside).toMatchObject({ body: { folder: expect.stringContaining('.second-to-break.damaged-1') } })
    expect((await daemon.ask<{ sessions: object[] }>('GET', '/api/sessions/damaged')).body.sessions).toEqual([])
  })
})
