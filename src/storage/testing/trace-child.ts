/** Adds records to a ledger until it is killed or has added enough, and says aloud which ones it was told are there. */
import { appendRecord } from '../files/trace-jsonl.ts'

const [file = '', name = '', count = '0', largest = '0'] = process.argv.slice(2)

for (let index = 0; index < Number(count); index++) {
  const length = index % 5 === 0 ? Number(largest) : (index * 7919) % 6000
  appendRecord(file, {
    version: '0.1.0',
    id: `${name}-${index}`,
    timestamp: new Date(index).toISOString(),
    tool: { name: 'grove', version: 'x'.repeat(length) },
    files: [],
  })
  process.stdout.write(`${index}\n`)
}
