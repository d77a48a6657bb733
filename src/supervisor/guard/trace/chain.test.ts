import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { traceBlame } from './blame.ts'
import { traceVerify } from './verify.ts'

const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'], billing: ['src/billing/**'] }),
  'src/auth/token.ts': 'export const ttl = 5\n',
  'src/billing/price.ts': 'export const price = 1\n',
}

async function ledger(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, files)
  await stage.select('auth')
  await stage.select('billing', { session: 's2' })
  const trace = await stage.opened.trace()
  const file = join(stage.dir, '.orchestration/agent_trace.jsonl')
  const verify = async () => {
    const revision = await stage.git('rev-parse', 'HEAD')
    const { ledger: found } = await traceVerify(trace, stage.guardedProject, { revision })
    return [...found.broken.map(({ line, problem }) => `${line} ${problem}`), ...(found.cutOff ? ['cut off'] : [])]
  }
  return {
    ...stage,
    verify,
    lines: async () => (await readFile(file, 'utf8')).trimEnd().split('\n'),
    setLines: (lines: string[]) => writeFile(file, lines.map((line) => `${line}\n`).join('')),
    sessionsIn: async (path: string) =>
      (await traceBlame(trace, stage.guardedProject, path))!.map(({ origin }) => origin?.session),
  }
}

describe('the chain of records', () => {
  it('tells what was changed, taken out or moved', async ({ onTestFinished }) => {
    const { write, verify, lines, setLines } = await ledger(onTestFinished)
    for (const n of [1, 2, 3, 4]) {
      await write(`src/auth/a${n}.ts`, `export const value${n} = ${n}\n`)
      await write(`src/billing/b${n}.ts`, `export const value${n} = ${n}\n`, { session: 's2' })
    }
    const sound = await lines()
    expect(sound).toHaveLength(8)
    expect(await verify()).toEqual([])
    await setLines(sound.with(2, sound[2]!.replace('"session":"s1"', '"session":"s9"')))
    expect(await verify()).toEqual(['3 changed'])
    await setLines(sound.toSpliced(3, 1))
    expect(await verify()).toEqual(['4 missing'])
    await setLines([...sound.slice(0, 2), sound[3]!, sound[2]!, ...sound.slice(4)])
    expect(await verify()).toEqual(['3 moved'])
    await setLines(sound.slice(0, 6))
    expect(await verify()).toEqual(['cut off'])
    await setLines(sound)
    expect(await verify()).toEqual([])
  })

  it('survives two branches that both wrote, and their merge keeps every author', async ({ onTestFinished }) => {
    const { write, git, verify, sessionsIn, lines } = await ledger(onTestFinished)
    await write('src/auth/first.ts', 'export const first = 1\n')
    await git('add', '-A')
    await git('commit', '-qm', 'first')
    await git('switch', '-qc', 'other')
    await write('src/billing/theirs.ts', 'export const theirs = 1\nexport const more = 2\n', { session: 's2' })
    await git('add', '-A')
    await git('commit', '-qm', 'theirs')
    await git('switch', '-q', '-')
    expect(await verify()).toEqual([])
    await write('src/auth/ours.ts', 'export const ours = 1\nexport const more = 3\n')
    await git('add', '-A')
    await git('commit', '-qm', 'ours')
    await git('merge', '-q', '--no-edit', 'other')
    expect(await lines()).toHaveLength(3)
    expect(await verify()).toEqual([])
    expect(await sessionsIn('src/auth/ours.ts')).toEqual(['s1', 's1'])
    expect(await sessionsIn('src/billing/theirs.ts')).toEqual(['s2', 's2'])
    await write('src/auth/after.ts', 'export const after = 1\n')
    expect(await verify()).toEqual([])
  })
})
