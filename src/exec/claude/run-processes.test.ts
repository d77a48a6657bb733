import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { markedInPs } from '../process/table.ts'
import { endProcesses } from './end-processes.ts'
import { processesOf, runningProcesses } from './run-processes.ts'

it('reads what ps prints where there is no /proc', () => {
  const output = `    1     0     0 Mon Nov 16 03:14:01 2026 ??       /sbin/launchd
  501     1   501 Mon Nov  2 10:00:00 2026 ttys001  /usr/local/bin/claude -p --tools= HOME=/Users/me GROVE_SPAWN=spawn-1 PATH=/bin
  502   501   501 Mon Nov  2 10:00:05 2026 ??       sleep 300
`
  const table = markedInPs(output, 'GROVE_SPAWN')
  expect(table[1]).toMatchObject({ pid: 501, parent: 1, hasTerminal: true, mark: 'spawn-1' })
  expect(table[1]!.bornAt).toBeLessThan(table[2]!.bornAt)
  expect(processesOf('spawn-1', table).map(({ pid }) => pid)).toEqual([501, 502])
})

it('finds and ends what a run has started, also when it ignores polite signals or left its family', async () => {
  const spawnId = randomUUID()
  const script = `trap '' TERM; (setsid sh -c "trap '' TERM; sleep 311" &) ; env -i sleep 312 & echo ready; wait`
  const child = spawn('sh', ['-c', script], { env: { PATH: process.env.PATH, GROVE_SPAWN: spawnId } })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  // Each of them takes a moment to begin.
  const found = async () => processesOf(spawnId, await runningProcesses()).length
  await expect.poll(found).toBeGreaterThanOrEqual(3)
  const ended = await endProcesses(spawnId, { graceMs: 100 })
  expect(ended).toContain(child.pid)
  expect(processesOf(spawnId, await runningProcesses())).toEqual([])
})
