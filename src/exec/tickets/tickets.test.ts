import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currentTicket, detectSystem, findTicket } from './tickets.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'grove-tickets-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, ...rows: (object | string)[]) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(
    join(root, path),
    rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''),
  )
}

describe('the ticket system of a project', () => {
  it('is the first whose folder is there, or the session', async () => {
    const order = ['tissue', 'beads', 'tasks', 'session'] as const
    expect(await detectSystem(root, order)).toBe('session')
    mkdirSync(join(root, '.beads'))
    expect(await detectSystem(root, order)).toBe('beads')
    mkdirSync(join(root, '.tissue'))
    expect(await detectSystem(root, order)).toBe('tissue')
    expect(await detectSystem(root, ['session', 'tissue'])).toBe('session')
    expect(await detectSystem(root, [])).toBe('none')
  })
})

describe('a ticket', () => {
  it('in work is the one touched last', async () => {
    write(
      '.beads/issues.jsonl',
      { id: 'a-1', title: 'Old', status: 'in_progress', updated_at: '2026-01-01T00:00:00Z' },
      { id: 'a-2', title: 'New', status: 'in_progress', updated_at: '2026-02-01T00:00:00Z', labels: ['ui'] },
      { id: 'a-3', title: 'Done', status: 'closed', updated_at: '2026-03-01T00:00:00Z' },
      'in_progress, but no JSON',
    )
    expect(await currentTicket(root, 'beads', 7)).toEqual({
      id: 'a-2',
      title: 'New',
      source: 'beads',
      detectedAt: 7,
      tags: ['ui'],
    })
  })

  it('is not in work any more when a later row says so', async () => {
    write('.tissue/issues.jsonl', { id: 't-1', title: 'T', status: 'in_progress' }, { id: 't-1', status: 'closed' })
    expect(await currentTicket(root, 'tissue', 7)).toBeUndefined()
  })

  it('is found by its id, or by the end of it as people type it', async () => {
    write('.tissue/issues.jsonl', { id: 'app-a3f8e9', title: 'T', body: 'The body' })
    expect(await findTicket(root, 'tissue', 'app-a3f8e9', 7)).toMatchObject({ title: 'T', description: 'The body' })
    expect(await findTicket(root, 'tissue', 'a3f8e9', 7)).toMatchObject({ id: 'app-a3f8e9' })
    write('.tissue/issues.jsonl', { id: 'app-a3f8e9', title: 'T' }, { id: 'app-a3f8aa', title: 'U' })
    expect(await findTicket(root, 'tissue', 'app-a3f8', 7)).toEqual({ id: 'app-a3f8', source: 'tissue', detectedAt: 7 })
  })

  it('is known by its id alone where the system does not tell more', async () => {
    expect(await findTicket(root, 'beads', 'a-9', 7)).toEqual({ id: 'a-9', source: 'beads', detectedAt: 7 })
    expect(await findTicket(root, 'tasks', '3', 7)).toEqual({ id: '3', source: 'tasks', detectedAt: 7 })
  })
})
