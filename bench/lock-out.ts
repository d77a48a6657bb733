// npm run bench lock-out -- [--runs 3] [--client <path to claude>]… [--fault <part of a name>]
//
// How long Claude Code takes to its first answer when something is wrong with Grove, beside the same client without Grove.
// For each run of a fault the three follow each other: plain, attached by `grove init`, started by `grove claude`. Printed is the
// median of each, and what Grove added.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { clientPath } from '../test/support/claude.ts'
import { type Fault, faults } from '../test/support/lock-out/faults.ts'
import { type LockOutStage, setLockOutStage, WORDS } from '../test/support/lock-out/stage.ts'

const OLDEST = join(process.cwd(), 'node_modules', '.cache', 'clients', '2.1.197', 'claude')
const MOST_ADDED_MS = 2000

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    client: { type: 'string', multiple: true },
    fault: { type: 'string', default: '' },
  },
})
const dist = join(process.cwd(), 'dist')
// Where the native module is found, and git looks at nothing.
const installations = join(process.cwd(), 'node_modules', '.cache', `lock-out-${process.pid}`)
const clients = values.client ?? [clientPath(), ...(existsSync(OLDEST) ? [OLDEST] : [])]
const wanted = [running(), ...faults].filter(({ name }) => name.includes(values.fault))
const slow: string[] = []

for (const client of clients) {
  const version = execFileSync(client, ['--version'], { encoding: 'utf8' }).split(' ')[0]
  console.log(`\nClaude Code ${version}, milliseconds to the first answer, median of ${values.runs}\n`)
  console.log(
    `| Grove | plain | after \`grove init\` | added | \`grove claude\` | added |\n|---|---:|---:|---:|---:|---:|`,
  )
  for (const fault of wanted) {
    const [plain, hooks, launcher] = await measure(client, fault)
    const cells = [hooks, launcher].flatMap((ms) => (ms === undefined ? ['', ''] : [`${ms}`, `${ms - plain!}`]))
    console.log(`| ${fault.name} | ${plain} | ${cells.join(' | ')} |`)
    if ([hooks, launcher].some((ms) => ms !== undefined && ms - plain! > MOST_ADDED_MS)) slow.push(fault.name)
  }
}
rmSync(installations, { recursive: true, force: true })
if (slow.length > 0) console.log(`\nMore than ${MOST_ADDED_MS} ms added: ${slow.join(', ')}`)
process.exit(slow.length > 0 ? 1 : 0)

/** Nothing is wrong, and a daemon runs. */
function running(): Fault {
  return { name: 'runs', happens: async (stage) => void (await stage.up()), launcher: /^/ }
}

/** Without Grove, with its hooks, and through `grove claude` where that is there to be called. */
async function measure(client: string, fault: Fault): Promise<(number | undefined)[]> {
  const ways = ['plain', 'hooks', 'launcher'] as const
  const taken: Record<(typeof ways)[number], number[]> = { plain: [], hooks: [], launcher: [] }
  const isCalled = fault.launcher !== undefined || ['nothing', 'stopped'].includes(fault.name)
  for (let run = 0; run < Number(values.runs); run++) {
    for (const way of ways.filter((one) => one !== 'launcher' || isCalled))
      taken[way].push(await once(client, fault, way))
  }
  return ways.map((way) => median(taken[way]))
}

async function once(client: string, { happens, seen }: Fault, way: 'plain' | 'hooks' | 'launcher'): Promise<number> {
  const endings: (() => Promise<void> | void)[] = []
  const whenFinished = (work: () => Promise<void> | void) => void endings.unshift(work)
  const stage = await setLockOutStage(whenFinished, { dist, client, installations })
  try {
    if (way === 'plain') return await firstAnswer(stage, {})
    stage.grove('init')
    await happens?.(stage, whenFinished)
    const { under = [], env = {} } = seen?.(stage) ?? {}
    return await firstAnswer(stage, { env, via: [...under, ...(way === 'hooks' ? [client] : stage.through)] })
  } finally {
    for (const end of endings) await end()
  }
}

async function firstAnswer(stage: LockOutStage, how: Parameters<LockOutStage['start']>[0]): Promise<number> {
  const began = performance.now()
  const { child, done } = await stage.start(how)
  let [text, took] = ['', 0]
  child.stdout!.on('data', (chunk) => {
    text += chunk
    if (took === 0 && text.includes('"type":"assistant"')) took = performance.now() - began
  })
  const { result, stderr } = await done
  if (result?.result !== WORDS) throw new Error(`No answer: ${JSON.stringify(result)} ${stderr}`)
  return Math.round(took)
}

function median(numbers: number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
