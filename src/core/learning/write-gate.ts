import { type Candidate, CRITERION_QUESTION, type Criterion } from './learning.ts'
import { relationsIn, reportsIn, withoutCommonplaces } from './phrases.ts'

/** What is known about the session, beside the candidate's own words. */
export interface Circumstances {
  /** A prompt of this session asked to remember something. */
  userAskedToRemember: boolean
}

/** What the write gate thinks of a candidate: the criteria it believes, or why it believes none. */
export type Judgement = { criteria: Criterion[] } | { reasons: string[] }

/**
 * Layer 2: whether what is claimed about a candidate is plausible, given what it says. One believable criterion is
 * enough; a sentence that would fit any project is not kept whatever it claims.
 */
export function judge(candidate: Candidate, circumstances: Circumstances): Judgement {
  const said = `${candidate.summary}\n${candidate.detail}`
  const substance = substanceOf(candidate.summary, said)
  // What a person wants to be remembered need not convince anybody else.
  const isWanted =
    candidate.criteriaMet.includes('explicit_request') &&
    PLAUSIBLE.explicit_request(substance, circumstances, said) &&
    substance.telling + substance.anchors > 0
  const reasons = isWanted ? [] : missingIn(substance)
  const criteria = candidate.criteriaMet.filter((criterion) => PLAUSIBLE[criterion](substance, circumstances, said))
  if (criteria.length > 0) return reasons.length > 0 ? { reasons } : { criteria }
  const claims = candidate.criteriaMet.map((criterion) => `${criterion} is not borne out: ${MISSING[criterion]}`)
  return { reasons: [...reasons, ...claims] }
}

/** What can be seen of a text in any language. */
interface Substance {
  /** Names, numbers, paths and commands. */
  anchors: number
  /** How many other words say something in particular. */
  telling: number
  /** In how many ways it says when something holds, why, or what to do. */
  relations: number
  /** How many words it has that reports have. */
  reports: { inSummary: number; inAll: number }
}

function substanceOf(summary: string, said: string): Substance {
  return {
    anchors: anchorsIn(said),
    telling: tellingIn(said),
    relations: relationsIn(said),
    reports: { inSummary: reportsIn(summary), inAll: reportsIn(said) },
  }
}

const ENOUGH_TELLING = 6
const ENOUGH_WITH_NAMES = 4
/** Who says so much in particular says why it matters, in whatever words. */
const MUCH = 9

/** Why nobody could act on it; nothing where somebody can. */
function missingIn({ anchors, telling, relations, reports }: Substance): string[] {
  const { inSummary, inAll } = reports
  const isReport = inAll > 2 || (inAll === 2 ? relations < 4 : inAll === 1 && relations < (inSummary > 0 ? 2 : 1))
  const says = relations > 0 || anchors > 1 || telling >= MUCH
  return [
    ...(isReport ? ['it reports what was done: say what the next session should do differently, when, and why'] : []),
    ...(telling >= (anchors > 0 ? ENOUGH_WITH_NAMES : ENOUGH_TELLING)
      ? []
      : ['too general: name the file, command, setting, library or behaviour it is about']),
    ...(says ? [] : ['it says neither when it matters, nor why, nor what to do instead']),
  ]
}

type Plausible = (substance: Substance, circumstances: Circumstances, said: string) => boolean

const PLAUSIBLE: Record<Criterion, Plausible> = {
  behavior_changing: ({ relations, telling }) => relations > 0 || telling >= MUCH,
  decision_rationale: ({ relations, telling }) => relations > 0 || telling >= MUCH,
  stable_fact: (_, __, said) => !PASSING.test(said),
  explicit_request: (_, { userAskedToRemember }, said) => userAskedToRemember || REQUEST.test(said),
}

const REQUEST =
  /\b(user|team|maintainers?|reviewers?|owner|they)\b[^.\n]{0,60}\b(asked|said|wants?|wanted|told|requested|prefers?|insist(s|ed)|requires?)\b|\b(remember|asked (us|me) to|from now on)\b/i
/** Facts about a moment are no facts for later sessions. */
const PASSING =
  /\b(for now|right now|at the moment|this session|temporarily|temporary (fix|hack|measure|solution|state|workaround)|currently (broken|failing|down|being)|work in progress|will be (changed|removed|fixed) soon)\b/i

const MISSING: Record<Criterion, string> = {
  behavior_changing: 'say what to do differently, or what happens otherwise',
  decision_rationale: 'say what was chosen over what, and why',
  stable_fact: 'it describes a passing state, not something that stays true',
  explicit_request: 'nobody was seen asking for it; name the criterion that holds instead',
}

const NAMED =
  /`[^`]+`|["“”„«「『][^"“”„«»」』\n]{2,60}["“”»」』]|(?<![\w.-])[\w.-]+\/[\w./-]+|(?<![\p{L}\d])[\w-]{1,100}\.[a-z]{1,5}(?![\p{L}\d])|(?<!\S)--?[a-z][\w-]+=?|(?<![\p{L}\d])[A-Z][A-Z0-9_]+(?![\p{L}\d])|\w{1,100}\(\)|\d+(?:[.,:]\d+)*|[a-z]\w{0,100}[A-Z]\w*|\w{1,100}_\w+/gu
const IN_OTHER_SCRIPT = /(?<![\p{Script=Latin}\d_])\p{Script=Latin}{2,}/gu
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\s]/u

/** How many different names, numbers, paths and commands it has; in another script Latin words are names. */
function anchorsIn(said: string): number {
  const found = [...said.matchAll(NAMED), ...(OTHER_SCRIPT.test(said) ? said.matchAll(IN_OTHER_SCRIPT) : [])]
  return new Set(found.map(([name]) => name.toLowerCase())).size
}

const WORD = /\p{L}{4,}/gu
const SYLLABLES = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/gu
const PER_WORD = 2

/** How many words are left that say something in particular. Where words are not set apart, two signs make one. */
function tellingIn(said: string): number {
  const left = withoutCommonplaces(said)
  const signs = left.match(SYLLABLES)?.length ?? 0
  const words = left.replace(SYLLABLES, ' ').match(WORD) ?? []
  return new Set(words.map((word) => word.toLowerCase())).size + Math.floor(signs / PER_WORD)
}

/** The criteria as lines an agent can choose from. */
export function criteriaLines(): string[] {
  return Object.entries(CRITERION_QUESTION).map(([criterion, question]) => `${criterion}: ${question}`)
}
