/** Verbs that ask for an answer; `list.py` and `check()` are names. */
export const INQUIRES =
  /^(?:(?:please|pls|plz|kindly|now|then|also|and|ok(?:ay)?|so|just|first|next|great|good|perfect|alright|well|yes|no|hey|hi|hello|claude|@\w{1,20}|again|but|thanks|hm+|only|simply|quickly|let['’]?s)[,.!:;]*\s+)*(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|also\s+|just\s+|first\s+)*)?(?:explain|describe|proof ?read|tell me|tell us|show me|list|compare|summari[sz]e|outline|review|analy[sz]e|audit(?! (?:only|logs?|trail|entr|passed|failed|is|was|found|says|done))|rate|weigh|estimate|clarify|confirm|walk me through|talk me through|give me|give us|let me know|elaborate|discuss|brainstorm|think(?! (?:we|you) could)|advise|recommend|suggest|investigate|find out|figure out|look|check|double check|verify|research|inspect|assess|evaluate|identify|find|answer|help me understand|(?:prepare|make|draft|write up|sketch|outline) (?:me )?a (?:rough |short |detailed )?plan|plan|propose|go through|remind me|quote)\b(?![./(-]\w|\(\))/i

export const ASKS_BESIDE =
  /\b(?:thoughts|true|right|correct|or not)\s*\?|\b(?:what (?:do )?(?:you|u) (?:say|think|suggest|recommend)|any (?:ideas?|thoughts|opinions?|suggestions?)|your (?:opinion|thoughts|take) on|your opinion|what['’]s your (?:take|view|opinion)|(?:wonder(?:ing)?|curious) (?:if|whether|why|how|what)|i(?:['’]d| would)? (?:like|want) to (?:know|understand)|need (?:some |an )?explanation|i (?:don['’]?t|do not) (?:get|understand|see|know) (?:why|how|what|where|when|whether|if)|i don['’]?t understand)\b/i

export const EXPLAINS =
  /^(?:(?:please|pls|so|and|ok|now|just|also|hey|hi)[, ]+)*(?:(?:can|could|would|will) (?:you|u) (?:please )?)?(?:explain|describe|tell me|show me|list|compare|summari[sz]e|walk me through|talk me through|give me (?:an?|the|some|your) (?:\w+ )?(?:overview|summary|list|table|explanation|opinion|feedback|idea))\b(?![./(-]\w|\(\))/i

const OPENING = String.raw`^(?:(?:and|but|so|ok(?:ay)?|hm+|well|yes|no|also|btw|then|now|great|thanks|unrelated question|question|quick question|before you start|before that|out of curiosity)\s{0,4}[-,:.!]{0,4}\s{1,4})*`

/** "In what order do the hooks run", "for how long is it kept". */
const PREPOSED = String.raw`${OPENING}(?:in|on|at|for|from|to|with|by|under|since|until|through|of) (?:what|which|whom|whose|where|when|how(?: (?:long|many|much|often|far))?)(?: \w+){0,2} (?:is|are|was|were|do|does|did|can|could|should|will|would|has|have)\b`

export const WH = new RegExp(
  String.raw`${OPENING}(?:what|whats|why|how|hows|where|wheres|when|who|whose|which|whom)\b|${PREPOSED}`,
  'i',
)

/** Without a question mark, only where the verb comes first. */
export const INVERTED = new RegExp(
  String.raw`${OPENING}(?:whats|what['’]s|hows|wheres|why|(?:what|where|when|who|which(?: \w+)?|how(?: (?:long|many|much|often|come|far))?(?: \w+)?) (?:is|are|was|were|do|does|did|would|will|can|could|should|has|have|happens|happened|makes|went|to|would it take))\b|${PREPOSED}`,
  'i',
)

export const AUX = new RegExp(
  String.raw`${OPENING}(?:is|are|isn['’]?t|aren['’]?t|was|were|does|doesn['’]?t|do|did|didn['’]?t|has|have|had|should|shouldn['’]?t|would|wouldn['’]?t|could|couldn['’]?t|can|will|am)\b`,
  'i',
)

export const SUBJECT =
  /^\S+(?:\s+\S+)?\s+(?:it|this|that|there|we|you|they|he|she|i|the|a|an|my|our|any\w*|these|those|someone)\b/i

/** "Shouldn't show anything", "should show an empty list": a wish without its subject. */
export const NOT_INVERTED =
  /^(?:\w+n['’]?t|should|must) (?!it|this|that|there|we|you|they|he|she|i|the|a|an|my|our|these|those|someone)\w+/i

/** "If I rename the bucket, will the old links still work?" */
export const IF_ASKED = new RegExp(
  String.raw`${OPENING}(?:if|once|after|before|unless|assuming|suppose|supposing|given|as soon as|while|since|because|with|without|until)\b[^?]{3,200}[,;] (?:then )?(?:(?:is|are|was|were|isn['’]?t|aren['’]?t|does|doesn['’]?t|do|did|has|have|had|will|won['’]?t|would|can|could|should|shall|am|must) (?:it|this|that|these|those|they|he|she|i|the|an?|any\w*|there|my|our|your|all|every\w*|someone)|what|why|how|where|who|which)\b`,
  'i',
)

/** "Was veraltet ist, gleich mit ersetzen": the verb at its end makes it a part of the sentence, and no question. */
export function isRelative(sentence: string): boolean {
  return RELATIVE.test(sentence) && !TO_EXPLAIN.test(sentence) && !TO_LOOK.test(sentence)
}

const RELATIVE =
  /^(?:und |aber |also )?(?:was|wo|wer|welche[rsnm]?)\s(?!(?:ist|sind|war|hat|macht|passiert|wird)\s)[^,?]{2,80}\s(?:ist|sind|wird|werden|hat|haben|\p{L}{2,20}(?:t|en)),\s/iu

export const FOLLOWS =
  /(?:,|\band|\bthen|&)\s+(?!(?:tell|report|list|let me know|say|explain|summari[sz]e|describe|give|show|also list|see if|especially|find any|find out|let['’]?s (?:figure|find|see)|line by line|which|what|how|why|whether|also|potentially|identify|evaluate|compare|check)\b)/i

export const TO_EXPLAIN =
  /erklär|beschreib|\bsag|\bnenn|uitleg|vertel|expli|décri|descri|\bdime|\bdecir|\bdirmi|spieg|\bconta|wyjaśni|powiedz|объясн|расскаж|подскаж|сказ|поясн|розкаж|説明|教え|설명|알려|(?:me|mir|uns|nous) (?:\S+ ){0,3}(?:zeig|m[ou]e?n?str)|(?:zeig|m[ou]e?n?str|покаж|pokaż)\S*[- ]?(?:mir|uns|moi|nous|mi|me|мне|wie|wo|was|welch|où|comment|quel|cómo|dónde|qué|come|dove|quale|como|onde|как|где|что)/i

export const TO_LOOK =
  /anlat|açıkla|förklar|forklar|vysvětl|설명|説明|schau|guck|prüf|analys|anseh|nachseh|vérifi|regard|\bmira|revis|guarda|controll|verific|kijk|bekijk|sprawdź|zobacz|посмотр|провер|проанализ|глян|переві|[看查]|分析|確認|調べ|확인|봐/i
