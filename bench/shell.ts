import { join } from 'node:path'
import { parseShell } from '#exec/syntax/shell.ts'
import {
  BREADTH,
  DEVELOPMENT,
  found,
  HOLDOUT,
  type ShellCase,
  scoreShell,
  shellCases,
} from '../test/corpus/shell/measure.ts'

/** npm run bench shell -- [--json] [--misses]: how well the paths a command writes are found, and what that costs. */
const folder = join(process.cwd(), 'test/corpus/shell')
const options = new Set(process.argv.slice(2))

const rows = [DEVELOPMENT, HOLDOUT, BREADTH].map((file) => {
  const cases = shellCases(folder, file)
  const score = scoreShell(cases)
  return {
    file,
    ...score,
    microseconds: cpuMicroseconds(cases, found),
    parseMicroseconds: cpuMicroseconds(cases, parseShell),
  }
})

/** CPU time per command: on a busy machine it says more than the clock. */
function cpuMicroseconds(cases: ShellCase[], work: (command: string) => unknown): number {
  const rounds = 20
  const begin = process.cpuUsage()
  for (let round = 0; round < rounds; round++) for (const { command } of cases) work(command)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / rounds / cases.length
}

if (options.has('--json'))
  console.log(JSON.stringify(rows.map(({ misses, ...row }) => ({ ...row, misses: misses.length }))))
else {
  console.log('file             commands  precision  recall  undecided rate  undecided right  µs/command (parse)')
  for (const row of rows) {
    const cells = [
      row.file.padEnd(16),
      String(row.commands).padStart(8),
      row.precision.toFixed(3).padStart(10),
      row.recall.toFixed(3).padStart(7),
      row.undecidedRate.toFixed(3).padStart(15),
      row.agreement.toFixed(3).padStart(16),
      `${row.microseconds.toFixed(0)} (${row.parseMicroseconds.toFixed(0)})`.padStart(19),
    ]
    console.log(cells.join(' '))
    if (options.has('--misses')) for (const miss of row.misses) console.log(`  ${miss}`)
  }
}
