import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventRecord } from '../../src/protocol/workflow/events.ts'
import { WorkflowStore } from '../../src/storage/files/workflow-store.ts'
import { emptyFiles } from '../../src/workflow/new-files.ts'
import { sampleFiles } from '../../src/workflow/testing/sample.ts'

const EVENTS = 5000
const LINES = 20_000
const WRITES = 300

/** What a change of a session costs on this disk, and how long one takes to open that has lived for a long time. */
export async function measureRecord(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'grove-bench-'))
  try {
    const files = sampleFiles()
    const { projectId, featureId, id } = files.session
    const store = new WorkflowStore(root)
    await store.claim(projectId, featureId)
    const { log } = await store.openEvents(projectId, featureId, id)
    await store.write(undefined, files, [], log)
    const output = await store.openOutput(projectId, featureId)
    for (let line = 0; line < LINES; line++)
      output.add({ spawnId: 's', kind: 'text', text: `What Claude said, line ${line}, in a sentence.`, at: '' })
    await output.flush()
    const record = (number: number): EventRecord => ({
      id: `e${number}`,
      number,
      eventType: 'agent.warning',
      stage: 'implementation',
      payload: {
        type: 'agent.warning',
        message: `Something that happened, number ${number}`,
        sessionId: id,
        projectId,
        featureId,
        number,
      },
      createdAt: '2026-01-10T14:30:00.000Z',
    })
    let before = files
    let number = 0
    const change = async (events: number) => {
      const session = { ...before.session, revision: before.session.revision + 1 }
      const after = { ...before, session }
      await store.write(
        before,
        after,
        Array.from({ length: events }, () => record(++number)),
        log,
      )
      before = after
    }
    await change(EVENTS - WRITES)
    const began = performance.now()
    const cpu = process.cpuUsage()
    for (let write = 0; write < WRITES; write++) await change(1)
    const wall = (performance.now() - began) / WRITES
    const { user, system } = process.cpuUsage(cpu)
    console.log(
      `an event, written down: ${wall.toFixed(2)} ms, ${((user + system) / 1000 / WRITES).toFixed(2)} ms of CPU`,
    )

    const opening = performance.now()
    const opened = await new WorkflowStore(root).open(projectId, featureId, emptyFiles)
    const ms = performance.now() - opening
    if (!opened || opened === 'corrupted' || opened.events.last !== EVENTS) throw new Error('it was not opened whole')
    console.log(`a session of ${EVENTS} events and ${LINES} lines, opened cold: ${ms.toFixed(0)} ms`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
