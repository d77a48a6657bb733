import { identifiers, stem } from '../text/words.ts'
import { type Candidate, CRITERION_QUESTION, type Criterion } from './learning.ts'
import { termsOf } from './query.ts'

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
  if (!isSpecific(candidate)) {
    return {
      reasons: ['too general: name the file, command, setting, library or behaviour it is about, and what to do'],
    }
  }
  const criteria = candidate.criteriaMet.filter((criterion) => PLAUSIBLE[criterion](said, circumstances))
  if (criteria.length > 0) return { criteria }
  return { reasons: candidate.criteriaMet.map((criterion) => `${criterion} is not borne out: ${MISSING[criterion]}`) }
}

const PLAUSIBLE: Record<Criterion, (said: string, circumstances: Circumstances) => boolean> = {
  behavior_changing: (said) => ADVICE.test(said) || CONSEQUENCE.test(said) || REASON.test(said),
  decision_rationale: (said) => CHOICE.test(said) && REASON.test(said),
  stable_fact: (said) => !PASSING.test(said),
  explicit_request: (said, { userAskedToRemember }) => userAskedToRemember || REQUEST.test(said),
}

const ADVICE =
  /\b(use|using|avoid|always|never|instead|prefer|must|should|shouldn't|don't|do not|ensure|make sure|run|call|pass|set|check|verify|add|remove|keep|put|wrap|await|mock|pin|regenerate|restart|rebuild|before|after|only|needs?|has to|have to|required?|remember to|start with|first|cannot|can't|not|no longer|load|build|write|read|install|take|expect|reject|validate|change|send|stop|start|move|rather than|edit|look up|adjust|announce|apply|configure|copy|create|delete|disable|enable|mark|mount|register|rename|replace|reset|retry|return|select|skip|store|switch|tell|update|upgrade|wait)\b/i
const CONSEQUENCE =
  /\b(otherwise|fails?|breaks?|hangs?|leaks?|throws?|crash(es)?|silently|corrupts?|times? out|deadlocks?|loses?|slow(s|er)?|wrong|ignored?|rejects?|without|unless|when|whenever|if)\b/i
const CHOICE =
  /\b(cho(se|ose|osing|sen)|decided?|decision|picked|went with|instead of|rather than|over|prefer(red)?|in favou?r of|kept|dropped|rejected|switch(ed)? (to|from)|versus|vs\.?|not)\b/i
const REASON =
  /\b(because|since|so that|so|due to|as|reason|why|trade-?offs?|in order to|to (avoid|keep|allow|prevent|reduce|support|make)|which (lets|keeps|avoids|means|makes)|allows?|avoids?|would have|cheaper|faster|simpler|safer|cost)\b/i
const REQUEST =
  /\b(user|team|maintainers?|reviewers?|owner|they|we were|i was)\b[^.\n]{0,60}\b(asked|said|wants?|wanted|told|requested|prefers?|insist(s|ed)|requires?|instruct(s|ed))\b|\b(remember|asked (us|me) to|from now on|as requested|explicit(ly)? request)/i
/** Facts about a moment are no facts for later sessions. */
const PASSING =
  /\b(for now|right now|at the moment|today|yesterday|this session|temporarily|temporary (fix|hack|measure|solution|state|workaround)|currently (broken|failing|down|being)|work in progress|will be (changed|removed|fixed) soon|i (fixed|changed|added|implemented|updated|refactored|created|wrote|completed))\b/i

const MISSING: Record<Criterion, string> = {
  behavior_changing: 'say what to do, or what goes wrong otherwise',
  decision_rationale: 'say what was chosen over what, and why',
  stable_fact: 'it describes a passing state or what was just done, not something that stays true',
  explicit_request: 'nobody was seen asking for it; say who asked and for what',
}

/** Words every learning may use; they tie it to nothing. */
const EMPTY_WORDS = new Set(
  'code codebase project repository repo software work task feature thing stuff learn learned understand important careful carefully always good better best practice quality test tests testing write read check make sure change file files function bug bugs error errors issue problem solution approach structure well clean simple team developer agent session implementation requirement documentation document review existing follow consistent properly correctly thoroughly need should lot structured before making one'
    .split(' ')
    .map(stem),
)
const NAMED =
  /`[^`]+`|[\w.-]+\/[\w./-]+|\b[\w-]+\.[a-z]{1,5}\b|--?[a-z][\w-]+=?|\b[A-Z][A-Z0-9_]{2,}\b|\b\w+\(\)|\b\d+(\.\d+)*\b/
const ENOUGH_WORDS = 5
const ENOUGH_WITH_NAME = 3

/** It says enough that not every project could say; less is enough when it names something. */
function isSpecific({ summary, detail }: Candidate): boolean {
  const said = `${summary} ${detail}`
  const telling = [...termsOf(said)].filter((term) => !EMPTY_WORDS.has(term))
  const isNamed = NAMED.test(said) || identifiers(said).some((name) => /[a-z][A-Z]|\w_\w/.test(name))
  return telling.length >= (isNamed ? ENOUGH_WITH_NAME : ENOUGH_WORDS)
}

/** The criteria as lines an agent can choose from. */
export function criteriaLines(): string[] {
  return Object.entries(CRITERION_QUESTION).map(([criterion, question]) => `${criterion}: ${question}`)
}
