import type { FastifyRequest } from 'fastify'
import type { Peers } from '#core/ports/peers.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { sameToken } from './authenticate.ts'
import type { HomeKeys } from './keys.ts'
import type { OneTimeCodes } from './one-time-codes.ts'

/** The header in which the page sends its key. */
const PAGE_KEY = 'x-grove-page'
/**
 * The header that proves a click: while `navigator.userActivation` is active, the page fetches a one-time code, valid for a
 * short time and for one request, so a recorded, invented or repeated request is refused. A program can fetch a code too;
 * that is why the descent of the asking process is checked as well.
 */
const GESTURE = 'x-grove-gesture'

interface Needs {
  keys: HomeKeys
  peers: Peers
  codes: OneTimeCodes
}

/** The refusal of a request that only people may make; undefined when it is accepted. */
export type PeopleOnly = (request: FastifyRequest) => Promise<Refusal<'only_people' | 'gesture_required'> | undefined>

/**
 * Accepts a click on the page, or a program that sends the token; refuses both when the process at the other end descends
 * from an agent, which may have read the secrets. Where the system cannot name that process (a browser on another machine),
 * a click suffices and the token alone does not.
 */
export function peopleOnly({ keys, peers, codes }: Needs): PeopleOnly {
  return async (request) => {
    const { standing, headers, method, url } = request
    const isPage = standing === 'browser' && sameToken(String(headers[PAGE_KEY] ?? ''), keys.page)
    if (!isPage && standing !== 'tool') return NOT_THE_PAGE
    const descent = await peers.descentOf(request.raw.socket)
    if (descent?.of === 'agent') return startedByAgent(descent.how)
    if (descent?.of === 'unclear' && !(isPage && descent.isBrowser)) return startedByAgent(descent.how)
    if (!isPage) return descent ? undefined : CANNOT_TELL
    const code = String(headers[GESTURE] ?? '')
    return codes.redeem(code, `${method} ${url.split('?')[0]}`) ? undefined : NO_GESTURE
  }
}

const NOT_THE_PAGE = refusal(
  'only_people',
  'Only people may do this: on the page, or in a terminal.',
  'Open the page with `grove open`, or use the command line.',
)

const CANNOT_TELL = refusal(
  'only_people',
  'Only people may do this, and Grove cannot tell which program asks.',
  'Open the page with `grove open`, or use the command line.',
)

const NO_GESTURE = refusal(
  'gesture_required',
  "This needs a person's click on the page.",
  'POST /api/gestures gives the page a one-time code, which it sends in the header `x-grove-gesture`.',
)

function startedByAgent(how: string) {
  return refusal(
    'only_people',
    `Only people may do this, and the program that asks may be an agent's: ${how}.`,
    'Use a browser or a terminal that was not started by an agent.',
  )
}
