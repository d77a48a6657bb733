/**
 * A request for a few words or a number: once they are changed, a new program file, another dependency or another way to
 * build is none of it. What a request says of itself ("that's all") counts like its size.
 */
import type { Check } from './checks/check.ts'
import { namesVersion } from './follows.ts'
import { type DriftAction, gistOf } from './gist.ts'
import { reachesFar, saysWhatItIsBuiltWith, speaksOfBuilding } from './stray.ts'
import { type DriftTrail, isChange } from './trail.ts'

/** Things that are a few words wherever they stand. */
const FEW_WORDS =
  /\b(?:typos?|mis-?spel\w{1,6}|spelling|wording|grammar|(?:doc|code) ?(?:comment|string)s?|docstrings?|(?:the|a) comment|caption|headline|(?:label|button|placeholder|tooltip|help|error|link) text|phone number|copyright|year in the footer|greeting)\b|tippfehler|schreibfehler|faute de frappe|errata|errore di battitura|literówk|опечатк|错别字|誤字/i
/** One value for another. */
const ONE_VALUE =
  /["'“`][^"'”`\n]{1,60}["'”`],? {0,2}(?:->|→|=>|to|not|instead of) {0,2}["'“`]|\bfrom \d[\w.]{0,10} to \d|\b\d[\w.]{0,10} ?(?:->|→|instead of|rather than) ?\d|\b(?:raise|lower|increase|reduce|set|change)\b[^.\n]{1,60}\bto \d/i
const THAT_IS_ALL =
  /\bthat(?:['’]?s| is| will be|['’]ll be) (?:all|it|everything)\b|\b(?:just|only) (?:that|this|the one line)\b|\bone-?liner?\b/i
const MOST_WORDS = 30

export function checkSmall(trail: DriftTrail, action: DriftAction): Check | undefined {
  const { goal, context, notes, complaints } = trail
  if (action.kind !== 'edit' && action.kind !== 'write') return undefined
  if (complaints !== undefined || context.length > 0 || speaksOfBuilding(goal) || !notes.some(isChange))
    return undefined
  const about = smallAs(goal)
  const gist = about === undefined ? undefined : gistOf(action)
  if (!gist || gist.path === '' || notes.some((note) => isChange(note) && note.path === gist.path)) return undefined
  const what = saysWhatItIsBuiltWith(gist.path)
    ? 'a change of what the project is built with'
    : action.kind === 'write' && action.cmd === undefined && !action.destroys && gist.role === 'source'
      ? 'a whole file of code'
      : undefined
  if (what === undefined) return undefined
  return { lowers: 0, atMost: 6, reason: { file: gist.path, why: `the request ${about}; this is ${what}` } }
}

/** What makes a request a small one; undefined where it is none. */
function smallAs(request: string): string | undefined {
  if (request.trim().split(/\s+/).length > MOST_WORDS) return undefined
  const all = THAT_IS_ALL.exec(request)?.[0]
  if (all !== undefined) return `says “${all}”`
  if (reachesFar(request.replace(ONE_VALUE, '')) || namesVersion(request)) return undefined
  if (FEW_WORDS.test(request)) return 'is for a few words'
  return ONE_VALUE.test(request) ? 'is for another value' : undefined
}
