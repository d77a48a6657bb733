import { expect, it } from 'vitest'
import { mayBeOpen, workMarks } from './branch.ts'

const place = { branch: 'feature', defaultBranch: 'main', head: { sha: 'abc', at: 5_000 } }

it('links the commit that was made since the work began', () => {
  expect(workMarks(place, { startedAt: 4_900, committed: false })).toEqual({ branch: 'feature', linkedCommit: 'abc' })
  expect(workMarks(place, { startedAt: 9_000, committed: true })).toEqual({ branch: 'feature' })
})

it('takes a commit of the second in which the work began for its own only when it committed', () => {
  expect(workMarks(place, { startedAt: 5_400, committed: false })).toEqual({ branch: 'feature' })
  expect(workMarks(place, { startedAt: 5_400, committed: true })).toMatchObject({ linkedCommit: 'abc' })
})

it('has nothing left to ask about work on the default branch', () => {
  const marks = workMarks({ ...place, branch: 'main' }, { startedAt: 9_000, committed: false })
  expect(marks).toEqual({ branch: 'main', merged: true })
  expect([mayBeOpen(marks), mayBeOpen({ branch: 'feature' }), mayBeOpen({})]).toEqual([false, true, false])
})
