import { type Candidate, CRITERION_QUESTION, type Criterion } from './learning.ts'
import { benefitsIn, descriptionsIn, type Relations, relationsIn, reportsIn, withoutCommonplaces } from './phrases.ts'

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
  const substance = substanceOf(candidate.summary, candidate.detail)
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
  /** Different names, numbers, paths and commands. */
  anchors: number
  numbers: number
  /** How many other words say something in particular, and their share of all. */
  telling: number
  share: number
  /** Whether it says when something holds, why, what not to do, what to do, and what happens otherwise. */
  relations: Relations
  /** How many words it has that reports have. */
  reports: { inSummary: number; inAll: number }
  /** How many words it has that tell what code does, and that would praise anything. */
  descriptions: number
  benefits: number
  /** The summary is about a piece of code. */
  isAboutCode: boolean
}

function substanceOf(summary: string, detail: string): Substance {
  const said = `${summary}\n${detail}`
  const telling = wordsIn(withoutCommonplaces(said))
  return {
    anchors: anchorsIn(said),
    numbers: new Set(said.match(/\d+/g)).size,
    telling,
    share: telling / Math.max(1, wordsIn(said)),
    relations: relationsIn(said),
    reports: { inSummary: reportsIn(summary), inAll: reportsIn(said) },
    descriptions: descriptionsIn(said),
    benefits: benefitsIn(said),
    isAboutCode: ABOUT_CODE.test(summary),
  }
}

/**
 * How much a later session could do with it. What is worth keeping says something in particular, and says what goes wrong,
 * when, or what not to do; reports, restated code and praise take away from that. The weights were fitted to candidates
 * that people had labelled, in fifteen languages (test/corpus/learnings).
 */
function worthOf({ anchors, numbers, telling, share, relations, reports, ...rest }: Substance): number {
  const particular =
    0.23 * Math.min(anchors, 4) + 0.33 * Math.min(numbers, 2) + 0.24 * Math.min(telling, 14) + 3.3 * share
  const { contrast, consequence, condition, necessity, imperative, cause } = relations
  const related =
    (imperative ? 1.3 : 0) +
    (consequence ? 0.9 : 0) +
    (contrast || consequence || condition ? 0.8 : 0) +
    (necessity ? 0.7 : 0) +
    (contrast ? 0.6 : 0) +
    (cause ? 0.6 : 0) +
    (condition ? 0.3 : 0)
  const isOnlyShown = rest.isAboutCode && !contrast && !consequence
  const empty = 1.3 * Math.min(rest.descriptions, 3) + 1.2 * Math.min(rest.benefits, 3) + (isOnlyShown ? 1.2 : 0)
  return particular + related - empty - reportedIn(reports)
}

function reportedIn({ inSummary, inAll }: Substance['reports']): number {
  return (inAll > 0 ? 1.2 : 0) + (inAll > 1 ? 2.2 : 0) + (inSummary > 0 ? 1.3 : 0)
}

const WORTH_KEEPING = 3.9

/** Who says so much in particular says why it matters, in whatever words. */
const MUCH = 9
const FEW = 6

/** Why nobody could act on it; nothing where somebody can. */
function missingIn(substance: Substance): string[] {
  if (worthOf(substance) >= WORTH_KEEPING) return []
  const { telling, anchors, relations, reports, descriptions, benefits, isAboutCode } = substance
  const isReport = reportedIn(reports) > 0
  const isGeneral = telling < FEW || (anchors < 2 && benefits > 0)
  const restates = (isAboutCode || descriptions > 0) && !relations.contrast && !relations.consequence
  const says = Object.values(relations).some(Boolean)
  const reasons = [
    ...(isReport ? ['it reports what was done: say what the next session should do differently, when, and why'] : []),
    ...(restates ? ['it says what the code shows anyway: say what is surprising about it, and when that matters'] : []),
    ...(isGeneral ? ['too general: name the file, command, setting, library or behaviour it is about'] : []),
    ...(says ? [] : ['it says neither when it matters, nor why, nor what to do instead']),
  ]
  return reasons.length > 0
    ? reasons
    : ['it is not clear what to do with it: say what goes wrong, when, and what to do']
}

type Plausible = (substance: Substance, circumstances: Circumstances, said: string) => boolean

const PLAUSIBLE: Record<Criterion, Plausible> = {
  behavior_changing: isReasoned,
  decision_rationale: isReasoned,
  stable_fact: (_, __, said) => !PASSING.test(said),
  explicit_request: (_, { userAskedToRemember }, said) => userAskedToRemember || REQUEST.test(said),
}

function isReasoned({ relations, telling }: Substance): boolean {
  return Object.values(relations).some(Boolean) || telling >= MUCH
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

/** Its subject is a name as code has them. */
const ABOUT_CODE = /^(?:\S+\s+){0,2}\w*[a-z][A-Z]\w*/u

const NAMED =
  /`[^`]+`|["“”„«「『][^"“”„«»」』\n]{2,60}["“”»」』]|(?<![\w.-])[\w.-]+\/[\w./-]+|(?<![\p{L}\d])[\w-]{1,100}\.[a-z]{1,5}(?![\p{L}\d])|(?<!\S)--?[a-z][\w-]+=?|(?<![\p{L}\d])[A-Z][A-Z0-9_]+(?![\p{L}\d])|\w{1,100}\(\)|\d+(?:[.,:]\d+)*|[a-z]\w{0,100}[A-Z]\w*|\w{1,100}_\w+/gu
const IN_OTHER_SCRIPT = /(?<![\p{Script=Latin}\d_])\p{Script=Latin}{2,}/gu
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\s]/u

/** How many different names, numbers, paths and commands it has; in another script Latin words are names. */
function anchorsIn(said: string): number {
  const found = [...said.matchAll(NAMED), ...(OTHER_SCRIPT.test(said) ? said.matchAll(IN_OTHER_SCRIPT) : [])]
  return new Set(found.map(([name]) => name.toLowerCase())).size
}

const WORD = /[\p{L}\p{M}]{4,}/gu
/** Vietnamese sets every syllable apart. */
const SHORT_WORD = /[\p{L}\p{M}]{2,}/gu
const OF_SYLLABLES = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu
const SYLLABLES = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/gu
const PER_WORD = 2

/** How many different words it has. Where words are not set apart, two signs make one. */
function wordsIn(text: string): number {
  const signs = text.match(SYLLABLES)?.length ?? 0
  const words = text.replace(SYLLABLES, ' ').match(OF_SYLLABLES.test(text) ? SHORT_WORD : WORD) ?? []
  return new Set(words.map((word) => word.toLowerCase())).size + Math.floor(signs / PER_WORD)
}

/** The criteria as lines an agent can choose from. */
export function criteriaLines(): string[] {
  return Object.entries(CRITERION_QUESTION).map(([criterion, question]) => `${criterion}: ${question}`)
}
