import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import { emptyFiles } from '#workflow/new-files.ts'
import { sampleFiles } from '#workflow/testing/sample.ts'
import { WorkflowStore } from './workflow-store.ts'

let root: string
let store: WorkflowStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'grove-workflows-'))
  store = new WorkflowStore(root)
})
afterEach(() => rm(root, { recursive: true, force: true }))

function record(number: number) {
  const event: NewWorkflowEvent = { type: 'agent.warning', message: `number ${number} — “é” \u2028` }
  const payload = { ...event, sessionId: 's', projectId: 'p', featureId: 'f', number }
  return {
    id: `e${number}`,
    number,
    eventType: event.type,
    stage: 'discovery' as const,
    payload,
    createdAt: '',
  } as never
}

async function kept() {
  const files = sampleFiles()
  const { projectId, featureId } = files.session
  await store.claim(projectId, featureId)
  const { log } = await store.openEvents(projectId, featureId, files.session.id)
  await store.write(undefined, files, [], log)
  return { files, log, projectId, featureId, folder: store.folder(projectId, featureId) }
}

describe('a feature session on disk', () => {
  it('is read back as it was written, and listed by its folder', async () => {
    const { files, projectId, featureId } = await kept()
    expect(await store.list()).toEqual([{ projectId, featureId }])
    expect(await store.open(projectId, featureId, emptyFiles)).toMatchObject({ files, problems: [] })
    expect(await store.claim(projectId, featureId)).toBe(false)
  })

  it('falls back to what was acknowledged when Grove died between two files', async () => {
    const { files, log, projectId, featureId, folder } = await kept()
    const session = await readFile(join(folder, 'session.json'))
    const next = {
      ...files,
      session: { ...files.session, revision: 2, title: 'Later' },
      checks: { ...files.checks, runs: [] },
      todos: { ...files.todos, items: [] },
    }
    await store.write(files, next, [record(1)], log)
    await writeFile(join(folder, 'session.json'), session)
    const opened = await store.open(projectId, featureId, emptyFiles)
    expect(opened).toMatchObject({ files: { session: { revision: 1, title: 'Add login' } } })
    expect(opened === 'corrupted' ? 0 : opened?.events.last).toBe(0)
  })

  it('adds events to a file that stays JSON, thousands of them', async () => {
    const { files, log, projectId, featureId, folder } = await kept()
    for (let number = 1; number <= 50; number++) {
      await store.write(files, { ...files, session: { ...files.session, revision: number + 1 } }, [record(number)], log)
    }
    const text = JSON.parse(await readFile(join(folder, 'events.json'), 'utf8')) as { events: { number: number }[] }
    expect(text.events.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    const opened = await store.open(projectId, featureId, emptyFiles)
    if (!opened || opened === 'corrupted') throw new Error('not opened')
    expect(opened.events.after(47, 10).map(({ number }) => number)).toEqual([48, 49, 50])
  })

  it('keeps the readable events of a file that was cut short', async () => {
    const { files, log, projectId, featureId, folder } = await kept()
    await store.write(files, { ...files, session: { ...files.session, revision: 2 } }, [record(1), record(2)], log)
    const text = await readFile(join(folder, 'events.json'), 'utf8')
    await writeFile(join(folder, 'events.json'), text.slice(0, -60))
    const opened = await store.open(projectId, featureId, emptyFiles)
    if (!opened || opened === 'corrupted') throw new Error('not opened')
    expect(opened.events.last).toBe(1)
    expect(opened.problems.join()).toContain('events.json')
    expect(JSON.parse(await readFile(join(folder, 'events.json'), 'utf8')).events).toHaveLength(1)
  })

  it('is corrupted when neither session.json nor its copy can be read', async () => {
    const { projectId, featureId, folder } = await kept()
    await writeFile(join(folder, 'session.json'), '{')
    expect(await store.open(projectId, featureId, emptyFiles)).toBe('corrupted')
    expect(await store.open(projectId, 'nothing-there', emptyFiles)).toBeUndefined()
  })

  it.each(['..', '../x', 'a/b', '', '.hidden', 'A', 'x'.repeat(101), 'a\0'])('never leaves its folder: %j', (id) => {
    expect(() => store.folder('app', id)).toThrow()
    expect(() => store.folder(id, 'app')).toThrow()
  })
})
