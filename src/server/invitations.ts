import type { OneTimeCodes } from './one-time-codes.ts'

/** Invitations: links that sign one browser in, once, as the owner's or as that of a teammate. */

const [OWNERS_LINK, INVITATION] = ['a link', 'an invitation']

/** A browser may take a while to start. */
const LINK_MS = 120_000
/** An invitation is sent by mail or chat and may be opened days later. */
const INVITATION_MS = 24 * 3_600_000

export function linkPath(codes: OneTimeCodes): string {
  return `/?token=${codes.issue(OWNERS_LINK, LINK_MS)}`
}

export function invitationPath(codes: OneTimeCodes, to: string): string {
  return `${to}?token=${codes.issue(INVITATION, INVITATION_MS)}`
}

/** As whose browser a code lets in; `known` leaves a browser that is let in already as what it is. */
export function redeem(
  codes: OneTimeCodes,
  code: string,
  isKnown: boolean,
): 'owner' | 'teammate' | 'known' | undefined {
  if (codes.redeem(code, OWNERS_LINK)) return 'owner'
  // Opening an invitation in a browser that is already let in does not use it up.
  if (isKnown && codes.isGood(code, INVITATION)) return 'known'
  return codes.redeem(code, INVITATION) ? 'teammate' : undefined
}
