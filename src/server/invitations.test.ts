import { expect, it } from 'vitest'
import { invitationPath, linkPath, redeem } from './invitations.ts'
import { OneTimeCodes } from './one-time-codes.ts'

it('lets in by a link as the owner and by an invitation as a teammate, once each', () => {
  const codes = new OneTimeCodes(() => 0)
  const [link, invitation] = [codeIn(linkPath(codes)), codeIn(invitationPath(codes, '/features/a/b'))]
  expect(redeem(codes, invitation, true)).toBe('known')
  expect(redeem(codes, invitation, false)).toBe('teammate')
  expect(redeem(codes, invitation, false)).toBeUndefined()
  expect(redeem(codes, link, true)).toBe('owner')
  expect(redeem(codes, link, true)).toBeUndefined()
})

it('takes an invitation for a day, and a link for two minutes', () => {
  let now = 0
  const codes = new OneTimeCodes(() => now)
  const [link, invitation] = [codeIn(linkPath(codes)), codeIn(invitationPath(codes, '/'))]
  now = 23 * 3_600_000
  expect(redeem(codes, link, false)).toBeUndefined()
  expect(redeem(codes, invitation, false)).toBe('teammate')
})

function codeIn(path: string): string {
  return new URL(path, 'http://grove').searchParams.get('token')!
}
