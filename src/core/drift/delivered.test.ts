import { expect, it } from 'vitest'
import { asksToHandOver, checkDelivered, endsInHandingOver, handsOver } from './delivered.ts'

it.each([
  'commit',
  'looks good, commit and push please',
  'push it to origin/fix-fees',
  'ok, commit that with the message "Count half hours"',
  'Danke, bitte committen und pushen',
  'merci, commit et push',
  '好的,提交并推送',
  'ありがとう、コミットして',
])('asks for no more than to hand the work over: %s', (text) => {
  expect(asksToHandOver(text)).toBe(true)
})

it.each([
  'commit it and then update the changelog',
  'push, and fix the receipt as well',
  'why did you commit that?',
  'the commit button is grey',
  'good, next the receipts',
  '提交后再改一下收据',
])('asks for more: %s', (text) => {
  expect(asksToHandOver(text)).toBe(false)
})

it.each([
  ['count half hours, then commit', true],
  ['The fee ignores half hours. Fix it and then push please', true],
  ['die Gebühr zählt halbe Stunden nicht, danach committen', true],
  ['count half hours, then round the fee. separate commits', false],
  ['commit what is there, then count half hours', false],
  ['commit and push', false],
])('ends in handing the work over: %s (%s)', (text, expected) => {
  expect(endsInHandingOver(text)).toBe(expected)
})

it('knows what hands over', () => {
  expect(handsOver(['npm', 'git push'])).toBe(true)
  expect(handsOver(['gh pr create'])).toBe(true)
  expect(handsOver(['git status', 'git log', 'gh pr view'])).toBe(false)
})

it('lets notes about the work follow it', () => {
  expect(checkDelivered({ kind: 'edit', path: 'CHANGELOG.md' }, 'commit it')).toBeUndefined()
  expect(checkDelivered({ kind: 'read', path: 'src/receipt.ts' }, 'commit it')).toBeUndefined()
  expect(checkDelivered({ kind: 'edit', path: 'src/receipt.ts' }, 'commit it')?.atMost).toBe(6)
})
