import { expect, it } from 'vitest'
import type { Step } from '../step.ts'
import { changedFiles } from './changed-files.ts'

const edit = (file: string, more: Partial<Step> = {}) => ({
  ...{ kind: 'edit' as const, files: [file], folders: [], changes: [file] },
  ...more,
})
const ran = (command: string, more: Partial<Step> = {}) => ({
  ...{ kind: 'bash' as const, files: [], folders: [], command },
  ...more,
})

it('are those that tools and commands have left changed', () => {
  expect(changedFiles([edit('a.ts'), ran('sed -i s/a/b/ b.ts', { changes: ['b.ts'] }), ran('npm test')])).toEqual([
    'a.ts',
    'b.ts',
  ])
})

it('are none where the call failed or was denied', () => {
  const { changes: _, ...never } = edit('a.ts', { outcome: 'denied' })
  expect(changedFiles([never, edit('b.ts', { outcome: 'failed' })])).toEqual([])
})

it.each([
  ['git checkout a.ts', { files: ['a.ts'] }, ['src/b.ts']],
  ['git checkout -- src', { folders: ['src'] }, ['a.ts']],
  ['git restore a.ts src/b.ts', { files: ['a.ts', 'src/b.ts'] }, []],
  ['git reset --hard', {}, []],
  ['git checkout -- .', {}, []],
  ['git stash', {}, []],
  ['git stash push -u -m wip', {}, []],
  ['git stash && npm test && git stash pop', {}, ['a.ts', 'src/b.ts']],
  ['git stash list', {}, ['a.ts', 'src/b.ts']],
  ['git checkout main', {}, ['a.ts', 'src/b.ts']],
  ['git checkout -b fix', {}, ['a.ts', 'src/b.ts']],
  ['git restore --staged a.ts', { files: ['a.ts'] }, ['a.ts', 'src/b.ts']],
])('are what is left after `%s`', (command, places, left) => {
  expect(changedFiles([edit('a.ts'), edit('src/b.ts'), ran(command, places)])).toEqual(left)
})

it('are those that were committed before the rest was put back', () => {
  const commit = ran('git commit -qam "first half"')
  expect(changedFiles([edit('a.ts'), commit, edit('b.ts'), ran('git checkout .')])).toEqual(['a.ts'])
  expect(changedFiles([edit('a.ts'), commit, edit('b.ts'), ran('git reset --hard HEAD~1')])).toEqual([])
})

it('are those of a stash again once it is popped', () => {
  expect(changedFiles([edit('a.ts'), ran('git stash'), edit('b.ts'), ran('git stash pop')])).toEqual(['b.ts', 'a.ts'])
})

it('are not those that were made and thrown away again', () => {
  const made = edit('try.ts', { kind: 'write' })
  expect(changedFiles([made, ran('rm try.ts', { changes: ['try.ts'] })])).toEqual([])
  expect(changedFiles([edit('old.ts'), ran('rm old.ts', { changes: ['old.ts'] })])).toEqual(['old.ts'])
})

it('are read from the files of an edit where an earlier Grove kept it', () => {
  const { changes: _, ...old } = edit('a.ts')
  expect(changedFiles([old])).toEqual(['a.ts'])
})
