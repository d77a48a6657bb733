import { join } from 'node:path'
import { classifyMutation } from '#exec/syntax/parse.ts'
import { BREADTH, DEVELOPMENT, HOLDOUT, mutationCases, scoreMutations } from '../test/corpus/mutation/measure.ts'

/** npm run bench mutation -- [--json] [--misses]: how often the mutation class is right, and what computing it costs. */
const folder = join(process.cwd(), 'test/corpus/mutation')
const options = new Set(process.argv.slice(2))

const cold = performance.now()
await classifyMutation('export const a = 1', 'export const a = 2', 'a.ts')
const firstMilliseconds = performance.now() - cold

const rows = []
for (const file of [DEVELOPMENT, HOLDOUT, BREADTH]) {
  const cases = mutationCases(folder, file)
  const score = await scoreMutations(cases)
  const begin = process.cpuUsage()
  const rounds = 3
  for (let round = 0; round < rounds; round++) {
    for (const { before, after, path } of cases) await classifyMutation(before, after, path)
  }
  const { user, system } = process.cpuUsage(begin)
  // CPU time: on a busy machine it says more than the clock.
  rows.push({ file, ...score, microseconds: (user + system) / rounds / cases.length })
}

if (options.has('--json'))
  console.log(
    JSON.stringify({ firstMilliseconds, rows: rows.map(({ misses, ...row }) => ({ ...row, misses: misses.length })) }),
  )
else {
  console.log(`first answer, parser and grammar loaded: ${firstMilliseconds.toFixed(0)} ms`)
  console.log('file            pairs  accuracy  refactor  evolution  µs/pair')
  for (const row of rows) {
    const cells = [
      row.file.padEnd(15),
      String(row.pairs).padStart(5),
      row.accuracy.toFixed(3).padStart(9),
      (row.byClass.AST_REFACTOR ?? 0).toFixed(3).padStart(9),
      (row.byClass.INTENT_EVOLUTION ?? 0).toFixed(3).padStart(10),
      row.microseconds.toFixed(0).padStart(8),
    ]
    console.log(cells.join(' '))
    const languages = Object.entries(row.byLanguage).map(([name, { right, pairs }]) => `${name} ${right}/${pairs}`)
    console.log(`  ${languages.join(', ')}`)
    if (options.has('--misses')) for (const miss of row.misses) console.log(`  ${miss}`)
  }
}
