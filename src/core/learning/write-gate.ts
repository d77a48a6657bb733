import { type Candidate, CRITERION_QUESTION, type Criterion } from './learning.ts'
import { saysWhoAsked } from './phrases.ts'
import { type Substance, substanceOf } from './substance.ts'
import { worthOf } from './worth.ts'
import type { Seen } from './worth-features.ts'

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
  const { summary, detail, criteriaMet } = candidate
  const said = `${summary}\n${detail}`
  const substance = { summary: substanceOf(summary), detail: substanceOf(detail), all: substanceOf(said) }
  const isPlausible = (criterion: Criterion) => PLAUSIBLE[criterion](substance.all, circumstances, said)
  // A person's explicit request to remember something needs no other criterion.
  const isWanted =
    criteriaMet.includes('explicit_request') &&
    circumstances.userAskedToRemember &&
    substance.all.telling + substance.all.anchors > 0
  const reasons = isWanted ? [] : missingIn({ summary, detail, substance })
  const criteria = criteriaMet.filter(isPlausible)
  if (criteria.length > 0) return reasons.length > 0 ? { reasons } : { criteria }
  const claims = criteriaMet.map((criterion) => `${criterion} is not borne out: ${MISSING[criterion]}`)
  return { reasons: [...reasons, ...claims] }
}

/** With this many telling words a candidate counts as reasoned, even without a word such as `because`. */
const MUCH = 9
/** With fewer telling words it is too general. */
const FEW = 6

/** What a candidate lacks to be acted on; empty where it lacks nothing. */
function missingIn(candidate: Seen): string[] {
  if (worthOf(candidate) >= 0) return []
  const { telling, anchors, relations, reports, descriptions, benefits } = candidate.substance.all
  const isReport = reports > 0
  const isGeneral = telling < FEW || (anchors < 2 && benefits > 0)
  const isAboutCode = ABOUT_CODE.test(candidate.summary)
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
  explicit_request: (_, { userAskedToRemember }, said) => userAskedToRemember || saysWhoAsked(said),
}

function isReasoned({ relations, telling }: Substance): boolean {
  return Object.values(relations).some(Boolean) || telling >= MUCH
}

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

/** The criteria as lines an agent can choose from. */
export function criteriaLines(): string[] {
  return Object.entries(CRITERION_QUESTION).map(([criterion, question]) => `${criterion}: ${question}`)
}
