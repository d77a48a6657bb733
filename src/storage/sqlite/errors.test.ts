import { expect, it } from 'vitest'
import { explainSqlite } from './errors.ts'

const sqlite = (message: string, errcode?: number) => Object.assign(new Error(message), errcode ? { errcode } : {})
const system = (code: string) => Object.assign(new Error(code), { code })

it.each([
  ['a full disk', sqlite('database or disk is full', 13), 'full', 'Free some space'],
  ['a full disk that shows in shared memory', sqlite('disk I/O error', 4874), 'full', 'Free some space'],
  ['a full disk before SQLite is asked', system('ENOSPC'), 'full', 'Free some space'],
  ['a read-only file', sqlite('attempt to write a readonly database', 8), 'not-writable', 'GROVE_HOME'],
  ['a read-only disk', system('EROFS'), 'not-writable', 'GROVE_HOME'],
  ['a stuck process', sqlite('database is locked', 5), 'busy', 'grove doctor'],
  ['a failing disk', sqlite('disk I/O error', 266), 'broken-disk', 'Check the disk'],
  ['damage', sqlite('database disk image is malformed', 11), 'damaged', 'sets it aside'],
  ['an error whose code the driver left out', sqlite('database or disk is full'), 'full', 'Free some space'],
])('%s is explained with a way out', (_what, error, code, wayOut) => {
  const explained = explainSqlite(error, '/home/ada/.grove/grove.db')
  expect(explained).toMatchObject({ name: 'StorageError', code, suggestion: expect.stringContaining(wayOut) })
  expect(explained).toMatchObject({ message: expect.stringContaining('/home/ada/.grove'), cause: error })
})

it('a mistake of our own is not dressed up', () => {
  const mistake = sqlite('no such table: stepz', 1)
  expect(explainSqlite(mistake, '/home/ada/.grove/grove.db')).toBe(mistake)
})
