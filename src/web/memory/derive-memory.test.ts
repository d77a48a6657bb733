import { expect, it } from 'vitest'
import { countsWithout } from './derive-memory.ts'

const projects = [
  { id: 'p', name: 'shop', memories: 2 },
  { id: 'q', name: 'api', memories: 1 },
]
const loaded = [
  { id: 'a', projectId: 'p' },
  { id: 'b', projectId: 'q' },
]
const removal = (id: string) => ({ method: 'DELETE', url: `/api/memories/${id}` })

it('counts no memory that was deleted a moment ago', () => {
  expect(countsWithout(projects, loaded, [])).toEqual(projects)
  expect(countsWithout(projects, loaded, [removal('a')])).toEqual([{ ...projects[0], memories: 1 }, projects[1]])
  expect(countsWithout(projects, [...loaded, ...loaded], [removal('b')])).toEqual([
    projects[0],
    { ...projects[1], memories: 0 },
  ])
})
