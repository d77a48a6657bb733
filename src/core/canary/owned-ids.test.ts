import { expect, it } from 'vitest'
import { NO_OWNED_IDS, type OwnedIds, ownerOf, withOwned } from './owned-ids.ts'

const added = (count: number) =>
  Array.from({ length: count }, (_, i) => `id${i}`).reduce<OwnedIds<string>>(
    (before, id) => withOwned(before, [id], `owner of ${id}`),
    NO_OWNED_IDS,
  )

it('the newest two hundred ids are known, and little more', () => {
  const ids = added(1000)
  expect(ownerOf(ids, 'id999')).toBe('owner of id999')
  expect(ownerOf(ids, 'id800')).toBe('owner of id800')
  expect(ownerOf(ids, 'id700')).toBeUndefined()
})

it('what was said last of an id counts', () => {
  const ids = withOwned(withOwned(added(5), ['id1'], 'another'), ['x', 'y'], 'both')
  expect(ownerOf(ids, 'id1')).toBe('another')
  expect(ownerOf(ids, 'y')).toBe('both')
})

it('adding changes nothing that was known before', () => {
  const before = added(25)
  withOwned(before, ['new'], 'somebody')
  expect(ownerOf(before, 'new')).toBeUndefined()
})
