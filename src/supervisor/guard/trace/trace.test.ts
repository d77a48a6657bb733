import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { recordOf } from '#core/trace/record.ts'
import { traceWorld } from '#daemon/compose/trace.ts'
import { sha256 } from '#exec/file-hash.ts'
import { appendRecord } from '#storage/files/trace-jsonl.ts'
import { tempHome } from '../../../../test/support/home.ts'
import { createProject } from '../../../../test/support/project.ts'
import { traceBlame } from './blame.ts'
import { traceLog } from './log.ts'
import { traceVerify } from './verify.ts'

// Reading the trace against a real repository: whatever is done to the history, what a line says leads back to its intent.

const human = `import { issue } from './issue'

export const limit = 5
`
const agent = `export function refresh(token: string) {
  if (token === '') return undefined
  const fresh = issue(token, limit)
  return fresh.value
}
`
const second = `export function revoke(token: string) {
  return issue(token, 0).revoked === true
}
`

async function ledger(whenFinished: (work: () => Promise<void>) => void) {
  const project = await createProject({ 'src/token.ts': human, '.orchestration/active_intents.yaml': '' })
  whenFinished(project.remove)
  const home = await tempHome(whenFinished)
  const world = traceWorld(loadConfig({ env: { GROVE_HOME: home }, cwd: home }))
  const guardedProject = { root: project.dir, orchestration: join(project.dir, '.orchestration') }
  let at = 1_750_000_000_000
  /** An agent writes a file for an intent. */
  const write = async (path: string, after: string, intent: string) => {
    const file = join(project.dir, path)
    const before = await readFile(file, 'utf8').catch(() => undefined)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, after)
    at += 1000
    appendRecord(
      join(guardedProject.orchestration, 'agent_trace.jsonl'),
      recordOf(
        {
          id: crypto.randomUUID(),
          at,
          grove: { version: '1' },
          session: `session-of-${intent}`,
          model: 'claude-opus-4-8',
          tool: 'Write',
          intent,
          files: [
            {
              path,
              change: before === undefined ? 'create' : 'modify',
              ...(before !== undefined && { before }),
              after,
              mutation: { class: 'INTENT_EVOLUTION', why: 'new' },
            },
          ],
        },
        sha256,
      ),
    )
  }
  const commit = (message: string) => project.git('add', '-A').then(() => project.git('commit', '-qm', message))
  const blame = async (path: string, revision?: string) =>
    (await traceBlame(world, guardedProject, path, revision))?.map(({ origin }) => origin?.intent ?? '-').join(' ')
  const verify = async (since?: string) =>
    traceVerify(world, guardedProject, { revision: await project.git('rev-parse', 'HEAD'), ...(since && { since }) })
  return { ...project, world, guardedProject, write, commit, blame, verify }
}

describe('blame', () => {
  it('tells the intent of every line an agent wrote, and of no other', async ({ onTestFinished }) => {
    const { write, blame, world, guardedProject } = await ledger(onTestFinished)
    await write('src/token.ts', human + agent, 'INT-1')
    await write('src/token.ts', human + agent.replace("=== ''", "=== '' || limit === 0"), 'INT-2')
    expect(await blame('src/token.ts')).toBe('- - - INT-1 INT-2 INT-1 INT-1 INT-1')
    const [, , , line] = (await traceBlame(world, guardedProject, 'src/token.ts'))!
    expect(line).toMatchObject({
      line: 4,
      origin: { session: 'session-of-INT-1', model: 'anthropic/claude-opus-4-8', tool: 'Write' },
    })
    expect(await blame('src/none.ts')).toBeUndefined()
  })

  it('follows a renamed file, before and after it is committed', async ({ onTestFinished }) => {
    const { dir, write, blame, commit } = await ledger(onTestFinished)
    await write('src/token.ts', human + agent, 'INT-1')
    await commit('work')
    await rename(join(dir, 'src/token.ts'), join(dir, 'src/tokens.ts'))
    expect(await blame('src/tokens.ts')).toBe('- - - INT-1 INT-1 INT-1 INT-1 INT-1')
    await commit('rename')
    expect(await blame('src/tokens.ts', 'HEAD')).toBe('- - - INT-1 INT-1 INT-1 INT-1 INT-1')
  })

  it('follows code that was moved by hand into another file, indented', async ({ onTestFinished }) => {
    const { dir, write, blame, commit } = await ledger(onTestFinished)
    await write('src/token.ts', human + agent + second, 'INT-1')
    await commit('work')
    const moved = `class Tokens {\n${agent.replace(/^/gm, '  ')}}\n`
    await writeFile(join(dir, 'src/token.ts'), human + second)
    await writeFile(join(dir, 'src/class.ts'), moved)
    await commit('move')
    expect(await blame('src/class.ts', 'HEAD')).toBe('- INT-1 INT-1 INT-1 INT-1 INT-1 -')
    expect(await blame('src/token.ts', 'HEAD')).toBe('- - - INT-1 INT-1 INT-1')
  })

  it('survives a rebase and a squash', async ({ onTestFinished }) => {
    const { dir, git, write, blame, commit } = await ledger(onTestFinished)
    await git('checkout', '-qb', 'feature')
    await write('src/token.ts', human + agent, 'INT-1')
    await commit('one')
    await write('src/token.ts', human + agent + second, 'INT-2')
    await commit('two')
    await git('checkout', '-q', 'main')
    await writeFile(join(dir, 'src/token.ts'), `// By hand.\n${human}`)
    await commit('meanwhile')
    await git('checkout', '-q', 'feature')
    await git('rebase', '-q', 'main')
    const expected = '- - - - INT-1 INT-1 INT-1 INT-1 INT-1 INT-2 INT-2 INT-2'
    expect(await blame('src/token.ts', 'HEAD')).toBe(expected)
    await git('checkout', '-q', 'main')
    await git('merge', '-q', '--squash', 'feature')
    await commit('squashed')
    await git('branch', '-qD', 'feature')
    await git('reflog', 'expire', '--expire=now', '--all')
    await git('gc', '-q', '--prune=now')
    expect(await blame('src/token.ts', 'HEAD')).toBe(expected)
  })
})

describe('verify', () => {
  it('counts lines without intent, records that are gone, and damage', async ({ onTestFinished }) => {
    const { dir, write, commit, verify, git } = await ledger(onTestFinished)
    const start = await git('rev-parse', 'HEAD')
    await write('src/token.ts', human + agent, 'INT-1')
    await write('src/lost.ts', second, 'INT-2')
    await write('src/part.ts', agent + second, 'INT-3')
    await rm(join(dir, 'src/lost.ts'))
    await writeFile(join(dir, 'src/part.ts'), `${agent}byHand(limit, 7)\nbyHand(limit, 8)\n`)
    await commit('work')
    const found = await verify()
    expect(found.lines).toEqual({ total: 14, traced: 10 })
    expect(found.untraced).toEqual([
      {
        path: 'src/part.ts',
        lines: 2,
        ranges: [{ start: 6, end: 7 }],
      },
      {
        path: 'src/token.ts',
        lines: 2,
        ranges: [
          { start: 1, end: 1 },
          { start: 3, end: 3 },
        ],
      },
    ])
    expect(found.records).toMatchObject({ total: 3, whole: 1, partly: 1, goneCount: 1, gone: [{ intent: 'INT-2' }] })
    expect(found.ledger).toEqual({ lines: 3, damaged: [], broken: [], cutOff: false })

    const later = await verify(start)
    expect(later.lines).toEqual({ total: 12, traced: 10 })
    expect(later.untraced.map(({ path }) => path)).toEqual(['src/part.ts'])

    await writeFile(join(dir, '.orchestration/agent_trace.jsonl'), '{"half":', { flag: 'a' })
    expect((await verify()).ledger.damaged).toMatchObject([{ line: 4 }])
  })
})

describe('the log', () => {
  it('shows the newest first, page by page, and finds by intent, session and file', async ({ onTestFinished }) => {
    const { write, world, guardedProject } = await ledger(onTestFinished)
    for (let i = 0; i < 7; i++) await write(`src/f${i % 2}.ts`, `export const value = ${i}\n`, `INT-${i % 3}`)
    const page = await traceLog(world, guardedProject, { limit: 3 })
    expect(page.records.map(({ intent }) => intent)).toEqual(['INT-0', 'INT-2', 'INT-1'])
    const next = await traceLog(world, guardedProject, { limit: 10, before: page.next! })
    expect(next.records).toHaveLength(4)
    expect(next.next).toBeUndefined()
    const of = async (query: object) => (await traceLog(world, guardedProject, { limit: 10, ...query })).records.length
    expect(await of({ intent: 'INT-0' })).toBe(3)
    expect(await of({ session: 'session-of-INT-1', path: 'src/f0.ts' })).toBe(1)
    expect(await of({ path: 'src/f1.ts' })).toBe(3)
    expect(await of({ path: 'src/f9.ts' })).toBe(0)
  })
})
