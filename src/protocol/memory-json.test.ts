import { expect, it } from 'vitest'
import { readMemory } from './memory-json.ts'

const line = { id: 'm', projectId: 'p', goal: 'Retry uploads', createdAt: 1 }

it('takes what it knows of a line, and leaves out what is odd', () => {
  const memory = readMemory({
    ...line,
    files: ['a.ts', 7],
    status: 'great',
    decisions: [{ choice: 'a' }, null],
    new: 1,
  })
  expect(memory).toMatchObject({ files: ['a.ts'], status: 'complete', decisions: [{ choice: 'a', reason: '' }] })
  expect(memory).not.toHaveProperty('new')
})

it('takes no memory without an id, a project, words or a time', () => {
  expect(readMemory({ ...line, id: '' })).toBeUndefined()
  expect(readMemory({ ...line, projectId: 1 })).toBeUndefined()
  expect(readMemory({ ...line, goal: undefined })).toBeUndefined()
  expect(readMemory({ ...line, createdAt: '2025' })).toBeUndefined()
})

it('takes no time that no calendar has', () => {
  expect(readMemory({ ...line, createdAt: Number.MAX_SAFE_INTEGER })).toBeUndefined()
  expect(readMemory({ ...line, updatedAt: 8.65e15 })).not.toHaveProperty('updatedAt')
})
