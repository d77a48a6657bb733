import { describe, expect, it } from 'vitest'
import { run } from '#exec/spawn.ts'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { SLOTS } from '../../state-slots.ts'

const before = `export function price(n: number) {
  const tax = n * 0.2
  const total = n + tax
  return Math.round(total)
}
`
const rest = 'export const unit = "EUR"\nexport const digits = 2\n'
const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'], billing: ['src/billing/**'] }),
  'src/auth/token.ts': 'export const ttl = 5\nexport const unit = "s"\n',
  'src/billing/price.ts': `${before}${rest}`,
  'src/billing/other.ts': 'export const other = 1\n',
}
const other = { session: 's2' }

async function both(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, files)
  await stage.select('auth')
  await stage.select('billing', other)
  const sh = (command: string, who = {}) =>
    stage.bash(command, () => run('bash', ['-c', command], { cwd: stage.dir }), who)
  const claimed = async () =>
    (await stage.trace()).map(({ files: all, metadata }) => [
      metadata!['dev.grove']!.session,
      ...all.flatMap(({ path, conversations }) =>
        conversations.flatMap(({ ranges }) => ranges.map((one) => `${path}:${one.start_line}-${one.end_line}`)),
      ),
    ])
  return { ...stage, sh, claimed }
}

describe('agents and people who work at the same time', () => {
  it('a file is free for others as soon as a command has run', async ({ onTestFinished }) => {
    const { sh, select, mayWrite } = await both(onTestFinished)
    expect(await sh('echo "export const ttl = 6" > src/auth/token.ts')).toBe('fine')
    await select('auth', other)
    expect(await mayWrite('src/auth/token.ts', other)).toBe('allowed')
  })

  it('a stray write is the writer’s, though another agent’s reading command is open', async ({ onTestFinished }) => {
    const { bash, put, trace } = await both(onTestFinished)
    let told = ''
    await bash(
      'cat src/billing/price.ts',
      async () => {
        told = await bash('npm test', () => put('src/billing/price.ts', 'stray\n'))
      },
      other,
    )
    expect(told).toContain('src/billing/price.ts')
    expect(await trace()).toMatchObject([{ metadata: { 'dev.grove': { session: 's1', scope_violation: true } } }])
  })

  it('a stray write is not held against a third agent whose command says that it does not write it', async ({
    onTestFinished,
  }) => {
    const { bash, put } = await both(onTestFinished)
    const third = { session: 's3' }
    const told = { open: '', closed: '' }
    // One ends while the one that strays still runs, the other afterwards.
    told.closed = await bash(
      'cat README.md',
      async () => {
        await bash('npm test', async () => {
          told.open = await bash('ls', () => put('src/billing/price.ts', 'stray\n'), third)
        })
      },
      third,
    )
    expect(told).toEqual({ open: 'fine', closed: 'fine' })
  })

  it('nor against one whose command ends just before the stray write is on record', async ({ onTestFinished }) => {
    const { bash, put, world } = await both(onTestFinished)
    let third: Promise<string> | undefined
    let end = () => {}
    await new Promise<void>((runs) => {
      const lasts = () => {
        runs()
        return new Promise<void>((resolve) => {
          end = resolve
        })
      }
      third = bash('ls', lasts, { session: 's3' })
    })
    const { put: store } = world.states
    world.states.put = async (slot, ...rest) => {
      if ((slot as object) === SLOTS.guardViolation) {
        world.states.put = store
        end()
        await third
      }
      return store.call(world.states, slot, ...rest)
    }
    expect(await bash('npm test', () => put('src/billing/price.ts', 'stray\n'))).toContain('src/billing/price.ts')
    expect(await third).toBe('fine')
  })

  it('what a person edits while a command runs that says what it writes stays theirs', async ({ onTestFinished }) => {
    const { bash, put, claimed } = await both(onTestFinished)
    await bash('sed -i s/5/6/ src/auth/token.ts', async () => {
      await put('src/auth/token.ts', 'export const ttl = 6\nexport const unit = "s"\n')
      await put('src/auth/by-hand.ts', 'export const byHand = true\n')
    })
    expect(await claimed()).toEqual([['s1', 'src/auth/token.ts:1-1']])
  })

  it('a file that is moved and edited in one command keeps the authors of what it kept', async ({ onTestFinished }) => {
    const { sh, claimed } = await both(onTestFinished)
    const command = 'mv src/billing/price.ts src/billing/cost.ts && sed -i s/0.2/0.19/ src/billing/cost.ts'
    expect(await sh(command, other)).toBe('fine')
    expect(await claimed()).toEqual([['s2', 'src/billing/cost.ts:2-2']])
  })

  it('a function that is moved into another file keeps its author', async ({ onTestFinished }) => {
    const { bash, put, claimed } = await both(onTestFinished)
    const work = async () => {
      await put('src/billing/price.ts', rest)
      await put('src/billing/other.ts', `export const other = 1\n${before}export const added = 2\n`)
    }
    expect(await bash('npm run refactor', work, other)).toBe('fine')
    expect(await claimed()).toEqual([['s2', 'src/billing/other.ts:7-7']])
  })
})
