import { commandsIn, corpusStage, type Outcome } from '../test/corpus/guard/stage.ts'
import { measureSpeed } from './guard-speed.ts'

/**
 * npm run bench guard -- [set…] [--list] [--data folder]: what the guard does with commands that write outside the scope (sets `outside…`), harmless ones (`harmless…`)
 * and ones with effects outside (`effects…`), asked one by one in a real work tree; those that it lets pass are really run. A set is a file of
 * the folder (test/corpus/guard) without its ending; `speed` measures the comparison on a large tree instead.
 */
const isListing = process.argv.includes('--list')
const dataAt = process.argv.indexOf('--data')
const folder = dataAt < 0 ? 'test/corpus/guard' : process.argv[dataAt + 1]!
const named = process.argv.slice(2).filter((arg, at) => !arg.startsWith('-') && !(dataAt > 0 && at + 2 === dataAt + 1))
const sets = named.length > 0 ? named : ['outside', 'effects', 'harmless']
if (named.includes('speed')) {
  await measureSpeed()
  process.exit(0)
}
const endings: (() => Promise<void>)[] = []
const stage = await corpusStage((work) => void endings.push(work))

for (const set of sets) {
  const listed = commandsIn(`${set}.txt`, folder)
  const commands = listed.map(({ command }) => command)
  // What writes in the scope is harmless only for whoever has selected it.
  const anywhere = listed.filter(({ group }) => group !== 'in scope').map(({ command }) => command)
  if (set.startsWith('outside')) await outside(set, commands)
  else if (set.startsWith('effects')) await effects(set, commands)
  else {
    await harmless(set, anywhere, undefined)
    await harmless(set, commands, 'auth')
  }
}
for (const end of endings.reverse()) await end()

async function outside(set: string, commands: readonly string[]): Promise<void> {
  const outcomes: Record<Outcome, string[]> = { denied: [], told: [], silent: [], untouched: [] }
  for (const command of commands) {
    const { outcome, said } = await stage.attempt(command, 'auth')
    outcomes[outcome].push(`${command}${outcome === 'silent' ? `   (${said})` : ''}`)
  }
  const written = outcomes.denied.length + outcomes.told.length + outcomes.silent.length
  console.log(
    `${set}, writes outside the scope: ${written}; denied before ${share(outcomes.denied.length, written)}, told ${share(outcomes.told.length, written)}, silent ${share(outcomes.silent.length, written)}; without effect here ${outcomes.untouched.length}`,
  )
  for (const kind of ['told', 'silent', 'untouched'] as const) show(kind, outcomes[kind])
}

async function effects(set: string, commands: readonly string[]): Promise<void> {
  const place = await stage.place()
  const passed: string[] = []
  for (const command of commands) if (!(await stage.ask(command, undefined, place))) passed.push(command)
  console.log(
    `${set}, effects outside, without an intent: ${commands.length}; passed ${share(passed.length, commands.length)}`,
  )
  show('passed', passed)
}

async function harmless(set: string, commands: readonly string[], intent: string | undefined): Promise<void> {
  // A session is known by its folder, and an intent that was selected stays selected.
  const place = await stage.place()
  const refused: string[] = []
  for (const command of commands) {
    const said = await stage.ask(command, intent, place)
    if (said) refused.push(`${command}   (${said.code}: ${said.message.slice(0, 100)})`)
  }
  const how = intent ? 'with an intent' : 'without one'
  console.log(`${set}, harmless, ${how}: ${commands.length}; refused ${share(refused.length, commands.length)}`)
  show('refused', refused)
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`
}

function show(title: string, lines: readonly string[]): void {
  if (isListing) for (const line of lines) console.log(`  ${title}: ${line.replaceAll('\n', '⏎')}`)
}
