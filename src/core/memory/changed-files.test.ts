import { expect, it } from 'vitest'
import { shell } from '../../../test/support/shell.ts'
import { readToolCall } from '../action/reading.ts'
import type { Step } from '../step.ts'
import { changedFiles } from './changed-files.ts'

const edit = (file: string, more: Partial<Step> = {}) => ({
  ...{ kind: 'edit' as const, files: [file], changes: [file] },
  ...more,
})
const ran = (command: string, more: Partial<Step> = {}) => {
  const at = { cwd: '/home/u/shop', root: '/home/u/shop' }
  const { changes, earlierWork } = readToolCall({ tool: 'Bash', input: { command }, outcome: 'ran' }, at, shell)
  return { ...{ kind: 'bash' as const, files: [], changes }, ...(earlierWork && { earlierWork }), ...more }
}

it('are those that tools and commands have left changed', () => {
  expect(changedFiles([edit('a.ts'), ran('sed -i s/a/b/ b.ts'), ran('npm test')])).toEqual(['a.ts', 'b.ts'])
})

it('are none where the call failed or was denied', () => {
  const { changes: _, ...never } = edit('a.ts', { outcome: 'denied' })
  expect(changedFiles([never, edit('b.ts', { outcome: 'failed' })])).toEqual([])
})

it.each([
  ['git checkout a.ts', ['src/b.ts']],
  ['git checkout -- src', ['a.ts']],
  ['git restore a.ts src/b.ts', []],
  ['git reset --hard', []],
  ['git checkout -- .', []],
  ['git stash', []],
  ['git stash push -u -m wip', []],
  ['git stash && npm test && git stash pop', ['a.ts', 'src/b.ts']],
  ['git stash list', ['a.ts', 'src/b.ts']],
  ['git clean -fd', ['a.ts', 'src/b.ts']],
  ['echo git checkout .', ['a.ts', 'src/b.ts']],
  ['git checkout main', ['a.ts', 'src/b.ts']],
  ['git checkout -b fix', ['a.ts', 'src/b.ts']],
  ['git restore --staged a.ts', ['a.ts', 'src/b.ts']],
])('are what is left after `%s`', (command, left) => {
  expect(changedFiles([edit('a.ts'), edit('src/b.ts'), ran(command)])).toEqual(left)
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
  expect(changedFiles([made, ran('rm try.ts')])).toEqual([])
  expect(changedFiles([edit('old.ts'), ran('rm old.ts')])).toEqual(['old.ts'])
  // What is written beside a file and moved over it replaces it.
  expect(changedFiles([made, ran('sed s/a/b/ try.ts > next.ts && mv next.ts try.ts')])).toContain('try.ts')
})

it('are read from the files of an edit where an earlier Grove kept it', () => {
  const { changes: _, ...old } = edit('a.ts')
  expect(changedFiles([old])).toEqual(['a.ts'])
})

it('are not the names that something bore on its way', () => {
  const steps = [ran('git mv src/user src/client'), ran('git mv src/client/User.java src/client/Client.java')]
  expect(changedFiles(steps)).toEqual(['src/user', 'src/client', 'src/client/Client.java'])
  // The files of a folder may stand in its place.
  const named = { ...steps[0]!, changes: ['src/user', 'src/client/User.java'] }
  expect(changedFiles([named, steps[1]!])).toEqual(['src/user', 'src/client/Client.java'])
})
