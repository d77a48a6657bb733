/**
 * A request for a few words or a number: once they are changed, a new program file, another dependency or another way to
 * build is none of it, and for one value neither is a change that holds it nowhere. What a request says of itself ("that's
 * all") counts like its size.
 */
import type { Check } from './checks/check.ts'
import { followingOdds, namesVersion } from './follows.ts'
import { type DriftAction, type Gist, gistOf } from './gist.ts'
import { reachesFar, saysWhatItIsBuiltWith, speaksOfBuilding } from './stray.ts'
import { type DriftTrail, isChange } from './trail.ts'

/** Things that are a few words wherever they stand. */
const FEW_WORDS =
  /\b(?:typos?|mis-?spel\w{1,6}|spelling|wording|grammar|(?:doc|code) ?(?:comment|string)s?|docstrings?|(?:the|a) comment|caption|headline|(?:label|button|placeholder|tooltip|help|error|link) text|phone number|copyright|year in the footer|greeting)\b|tippfehler|schreibfehler|faute de frappe|errata|errore di battitura|literówk|опечатк|错别字|誤字/i
/** One value for another. */
const ONE_VALUE =
  /["'“`][^"'”`\n]{1,60}["'”`],? {0,2}(?:->|→|=>|to|not|instead of) {0,2}["'“`][^"'”`\n]{0,60}["'”`]?|\bfrom \d[\w.]{0,10} to \d[\w.]{0,10}|\b\d[\w.]{0,10} ?(?:->|→|instead of|rather than) ?\d[\w.]{0,10}|\b(?:raise|lower|increase|reduce|set|change)\b[^.\n]{1,60}\bto \d[\w.]{0,10}/i
const THAT_IS_ALL =
  /\bthat(?:['’]?s| is| will be|['’]ll be) (?:all|it|everything)\b|\b(?:just|only|literally) (?:that|this|the one line|the text)\b|\bno other (?:change|diff|edit)s?\b|\bnothing (?:else|more)\b|\bone-?liner?\b/i
const MOST_WORDS = 30

export function checkSmall(trail: DriftTrail, action: DriftAction): Check | undefined {
  const { goal, context, notes, complaints } = trail
  if (action.kind !== 'edit' && action.kind !== 'write') return undefined
  if (complaints !== undefined || context.length > 0 || speaksOfBuilding(goal) || !notes.some(isChange))
    return undefined
  const about = smallAs(goal)
  const gist = about === undefined ? undefined : gistOf(action)
  if (!gist || gist.path === '') return undefined
  const isMore = notes.some((note) => isChange(note) && note.path === gist.path)
  const what = isMore
    ? undefined
    : saysWhatItIsBuiltWith(gist.path)
      ? 'a change of what the project is built with'
      : action.kind === 'write' && action.cmd === undefined && !action.destroys && gist.role === 'source'
        ? 'a whole file of code'
        : undefined
  const why = what === undefined ? besideValue(trail, action, gist, isMore) : `the request ${about}; this is ${what}`
  return why === undefined ? undefined : { lowers: 0, atMost: 6, reason: { file: gist.path, why } }
}

/** Why a change has nothing to do with the one value that was asked for; undefined where it holds the value, or follows from the work. */
function besideValue(trail: DriftTrail, action: DriftAction, { role }: Gist, isMore: boolean): string | undefined {
  const asked = ONE_VALUE.exec(trail.goal)?.[0]
  const { kind, diff = '' } = action
  if (
    asked === undefined ||
    !isAllAsked(trail.goal, asked) ||
    kind !== 'edit' ||
    diff === '' ||
    role === 'test' ||
    role === 'docs'
  )
    return undefined
  const values = asked.match(VALUE) ?? []
  if (values.length === 0 || values.some((value) => diff.includes(value))) return undefined
  if (isMore ? !THAT_IS_ALL.test(trail.goal) : followingOdds(trail, action) < 1) return undefined
  return `it does not hold the one value that was asked for: “${asked.replace(/["“”]/g, '')}”`
}

/** Whether a request is for that value and nothing beside it: "raise memory to 1Gi, and add a panel" is for more. */
function isAllAsked(request: string, asked: string): boolean {
  if (THAT_IS_ALL.test(request)) return true
  const rest = request.replace(asked, ' ').trim()
  return rest.split(/\s+/).length <= MOST_BESIDE && !/[,;\n]|\b(?:and|then|plus|und|et|y|e)\b/i.test(rest)
}

const MOST_BESIDE = 12
const VALUE = /\d[\w.]{0,10}|(?<=["'“`])[^"'”`\n]{1,60}(?=["'”`])/g

/** What makes a request a small one; undefined where it is none. */
function smallAs(request: string): string | undefined {
  if (request.trim().split(/\s+/).length > MOST_WORDS) return undefined
  const all = THAT_IS_ALL.exec(request)?.[0]
  if (all !== undefined) return `says “${all}”`
  if (reachesFar(request.replace(ONE_VALUE, '')) || namesVersion(request)) return undefined
  if (FEW_WORDS.test(request)) return 'is for a few words'
  return ONE_VALUE.test(request) ? 'is for another value' : undefined
}
