import type { FastifyRequest } from 'fastify'
import type { Peers } from '#core/ports/peers.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { sameToken } from './guard.ts'
import type { HomeKeys } from './keys.ts'
import type { OneTimeWords } from './one-time.ts'

/** The header in which the page sends its key. */
const PAGE_KEY = 'x-grove-page'
/**
 * The header in which it sends what a person's click is worth: while the click counts (`navigator.userActivation`), the
 * page fetches a word that is good once, for a short time and for one request. One that was recorded, made up or sent again
 * has none. A program that goes as far as fetching a word itself is not kept out by this; who it is has to.
 */
const GESTURE = 'x-grove-gesture'

interface Needs {
  keys: HomeKeys
  peers: Peers
  words: OneTimeWords
}

/** Why a request that only people may make is not heard; undefined when it is. */
export type PeopleOnly = (request: FastifyRequest) => Promise<Refusal<'only_people' | 'gesture_required'> | undefined>

/**
 * A person asks in the browser, by a click on the page, or by a program of their own that shows the token. Neither counts
 * when the process at the other end was started by an agent, whatever secrets it has found. Where the system does not tell
 * which process it is, as for a browser on another machine, the click must do, and a bare token does not.
 */
export function peopleOnly({ keys, peers, words }: Needs): PeopleOnly {
  return async (request) => {
    const { standing, headers, method, url } = request
    const isPage = standing === 'browser' && sameToken(String(headers[PAGE_KEY] ?? ''), keys.page)
    if (!isPage && standing !== 'tool') return NOT_THE_PAGE
    const descent = await peers.descentOf(request.raw.socket)
    if (descent?.of === 'agent') return startedByAgent(descent.how)
    if (descent?.of === 'unclear' && !(isPage && descent.isBrowser)) return startedByAgent(descent.how)
    if (!isPage) return descent ? undefined : CANNOT_TELL
    const word = String(headers[GESTURE] ?? '')
    return words.redeem(word, `${method} ${url.split('?')[0]}`) ? undefined : NO_GESTURE
  }
}

const NOT_THE_PAGE = refusal(
  'only_people',
  'This is for people to say: on the page, or in a terminal.',
  'Open the page with `grove open`, or use the command line.',
)

const CANNOT_TELL = refusal(
  'only_people',
  'This is for people to say, and Grove cannot tell which program asks.',
  'Open the page with `grove open`, or use the command line.',
)

const NO_GESTURE = refusal(
  'gesture_required',
  "This needs a person's click on the page.",
  'POST /api/gestures gives the page a word for it, which goes into the header `x-grove-gesture`.',
)

function startedByAgent(how: string) {
  return refusal(
    'only_people',
    `This is for people to say, and the program that asks may be an agent's: ${how}.`,
    'Use a browser or a terminal that no agent has started.',
  )
}
