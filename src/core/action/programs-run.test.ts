import { expect, it } from 'vitest'
import { shell } from '../../../test/support/shell.ts'
import { gitDeedsIn, programsRun } from './programs-run.ts'

const read = (command: string) => shell(command, { cwd: '/home/u/shop' })

it.each([
  ['npm test', ['npm']],
  ['cd app && git -C api stash pop; rm -rf dist', ['cd', 'git stash pop', 'rm']],
  ['/usr/bin/git --no-pager log', ['git log']],
  ['echo "git reset --hard"', ['echo']],
  ['git push && gh pr create --fill', ['git push', 'gh pr create']],
])('names what runs: %s', (command, programs) => {
  expect(programsRun(read(command))).toEqual(programs)
})

it.each([
  ['git add -A && git commit -m "x"', ['commits']],
  ['git -C app cherry-pick abc', ['joins']],
  ['git stash && npm test && git stash pop', ['stashes', 'unstashes']],
  ['git stash -u', ['stashes']],
  ['git stash list', []],
  ['git reset --hard', []],
  ['git reset --hard HEAD', []],
  ['git reset --hard HEAD~1', ['leaves commits']],
  ['git reset HEAD~1', []],
  ['git status', []],
  ['echo git commit', []],
])('knows what happens to the record of the work: %s', (command, deeds) => {
  expect(gitDeedsIn(read(command))).toEqual(deeds)
})
