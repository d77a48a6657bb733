import { commandsIn, corpusStage, type Outcome } from '../test/corpus/guard/stage.ts'

/**
 * npm run bench guard -- [outside] [harmless] [effects] [--list]: what the guard does with commands that write outside the scope, harmless ones and
 * ones with effects outside, asked one by one in a real work tree; those that it lets pass are really run.
 */
const isListing = process.argv.includes('--list')
const sets = process.argv.slice(2).filter((arg) => !arg.startsWith('-'))
const isAsked = (set: string) => sets.length === 0 || sets.includes(set)
const endings: (() => Promise<void>)[] = []
const stage = await corpusStage((work) => void endings.push(work))

const place = await stage.place()
const outcomes: Record<Outcome, string[]> = { denied: [], told: [], silent: [], untouched: [] }
for (const { command } of isAsked('outside') ? commandsIn('outside.txt') : []) {
  const { outcome, said } = await stage.attempt(command, 'auth')
  outcomes[outcome].push(`${command}${outcome === 'silent' ? `   (${said})` : ''}`)
}
const written = outcomes.denied.length + outcomes.told.length + outcomes.silent.length
const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
if (isAsked('outside'))
  console.log(
    `writes outside the scope: ${written}; denied before ${share(outcomes.denied.length, written)}, told ${share(outcomes.told.length, written)}, silent ${share(outcomes.silent.length, written)}; without effect here ${outcomes.untouched.length}`,
  )
if (isListing) for (const kind of ['told', 'silent', 'untouched'] as const) show(kind, outcomes[kind])

const effects = isAsked('effects') ? commandsIn('effects.txt') : []
const passed: string[] = []
for (const { command } of effects) {
  const said = await stage.ask(command, undefined, place)
  if (!said) passed.push(command)
}
if (effects.length > 0)
  console.log(`effects outside, without an intent: ${effects.length}; passed ${share(passed.length, effects.length)}`)
if (isListing) show('passed', passed)

for (const intent of isAsked('harmless') ? [undefined, 'auth'] : []) {
  const harmless = commandsIn('harmless.txt')
  const refused: string[] = []
  for (const { command } of harmless) {
    const said = await stage.ask(command, intent, place)
    if (said) refused.push(`${command}   (${said.code}: ${said.message.slice(0, 100)})`)
  }
  const how = intent ? 'with an intent' : 'without one'
  console.log(`harmless, ${how}: ${harmless.length}; refused ${share(refused.length, harmless.length)}`)
  if (isListing) show('refused', refused)
}

for (const end of endings.reverse()) await end()

function show(title: string, lines: readonly string[]): void {
  for (const line of lines) console.log(`  ${title}: ${line.replaceAll('\n', '⏎')}`)
}
