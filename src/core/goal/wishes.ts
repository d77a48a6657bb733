/** Whether a sentence orders or wishes for a change, in English; other languages say it in `languages/`. */

/** Nouns as well: "number them", "wrap the title". */
const WITH_OBJECT = /^(?:it|them|all|the|these|those|this|that|each|every)$/
const NOUNS =
  'number align center centre round truncate wrap trim highlight indent group flip invert escape pin annotate widen unify inline strip'
/** Verbs that ask for a change where they are an order or a wish: "please add", "can you fix". */
const CHANGES = new Set(
  `add fix implement create build make update change refactor rename remove delete drop move support improve migrate replace convert
  extract integrate upgrade bump optimize optimise handle ensure set setup clean cleanup install generate rewrite rework put use apply
  enable disable turn switch split merge revert undo restore adjust adapt hide show allow prevent stop avoid introduce port sort format
  translate style raise increase decrease reduce lower limit cache log validate store save commit push deploy release publish squash
  rebase close seed insert append include exclude combine simplify shorten expand extend connect wire hook proceed continue start begin
  carry do configure correct resolve repair finish complete redo redesign restructure reorganize reorganise document deprecate speed
  harden tighten get let rotate scaffold bring swap take pull write mark register copy initialize initialise init animate collapse
  address incorporate tackle try render display open load read parse call return send fetch capitalize capitalise repeat reuse regenerate go give-up bootstrap
  ${NOUNS}`.split(/\s+/),
)
/** They ask for a change only together with the word after them; "do you", "let me" and "go through" do not. */
const ONLY_WITH = new Map([
  ...NOUNS.split(' ').map((verb): [string, RegExp] => [verb, WITH_OBJECT]),
  ['do', /^(?:it|that|the|so|this|something|them|all|not|same|both)$/],
  ['go', /^(?:ahead|on|for)$/],
  ['try', /^(?:it|that|this|them|again|out)$/],
  ['get', /^(?:rid|it|the|them|this|that|everything)$/],
  ['let', /^(?:users?|people|the|it|them|everyone|players?|admins?|customers?)$/],
  ['show', /^(?!me$|us$|how$|where$|what$|which$|why$)/],
  ['use', /^(?!cases?$)/],
  ['carry', /^on$/],
  ['take', /^(?:out|care|the|it|over|this|12|into)$/],
  ['speed', /^(?:up|it|things)$/],
  ['turn', /^(?:on|off|it|the|this|into|down|up|them)$/],
])
const BEFORE_ORDERS = new Set(
  `please pls plz kindly now then also and ok okay so just first next finally instead great good perfect cool nice alright right well
  yes yeah yep no hey hi hello claude lets let's let’s again but or thanks otherwise hm hmm phew additionally moreover furthermore
  quickly simply always maybe gotta only fantastic excellent too`.split(/\s+/),
)

/** What an order begins with: "please also add the tests". */
export function isOrdered(sentence: string): boolean {
  const words = wordsOf(sentence)
  const first = words.findIndex((word) => !BEFORE_ORDERS.has(word))
  if (words[first] === 'try' && words[first + 1] === 'to') return isChange(words, first + 2)
  return first >= 0 && first < 6 && isChange(words, first) && !/^(?:is|are|was)$/.test(words[first + 1] ?? '')
}

export function isChange(words: string[], at: number): boolean {
  const verb = words[at] ?? ''
  return CHANGES.has(verb) && (ONLY_WITH.get(verb)?.test(words[at + 1] ?? '') ?? true)
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []
}

const LEADS =
  /\b(?:please|pls|plz|kindly|(?:can|could|would|will) (?:you|u|we)|you (?:may|can)|let['’]?s|(?:i|we)(?:['’]d)?(?: would)?(?: also)? (?:want|need|like|love|prefer|wish)(?: you)?(?: to)?|if (?:not|so),?|otherwise,?)\s+(?:(?:please|also|even|maybe|just|now|then|help me|help|have|get|quickly|[a-z]+ly)\s+)*(?<rest>[^\s.,;:!?]+(?:\s+[^\s.,;:!?]+)?)/gi
const WANTS = new RegExp(
  [
    String.raw`\bwould you mind\s+\w+ing\b`,
    String.raw`\b(?:i|we) (?:don['’]?t|do not|never) (?:need|want) (?:it|this|that|them|these|those)(?: to be)?(?: (?:here|there|any ?more|at all|shown|visible|on \w+ \w+))?\s*[!.]*$`,
    String.raw`\b(?:i|we) (?:don['’]?t|do not) (?:think|believe|feel) (?:we|you|it|this|that|they|users?|the \w+) (?:really |still |actually )?(?:needs?|should|wants?)\b`,
    String.raw`\b(?:i|we)\s+(?:want|need)\s+(?:the|a|an|it|this|that|them|all|every|these|those)\b`,
    String.raw`\bi want you to\b(?!\s+(?:explain|tell|list|describe|answer|review|think|look|check|confirm|analy[sz]e))`,
    String.raw`^(?:i (?:think|guess|believe)|maybe|perhaps|imo)?,? ?(?:we|you|it|this) sh(?:ou|uo)(?:ld|dl) \w|\b(?:perhaps|maybe) (?:we|you) (?:should|could) (?!ask|wait|discuss|talk)\w`,
    String.raw`\bshould\s+(?:\w+\s+){0,3}?(?:be|have|not|also|show|only|return|contain|look|work|use|go|say|get|open|stay|see)\b`,
    String.raw`\b(?:must|has to|have to|needs? to(?! (?:explain|understand|know|tell|present|report|learn)\b)|ought to|had better)\b`,
    String.raw`\b(?:any chance|how about|what about|think we could|could we get|can we get|can we (?:also )?have|would be (?:great|nice|good|lovely|cool|awesome|helpful)|it['’]s time to)\b`,
    String.raw`\b(?:go ahead|go for it|do it|do that|please do|carry on|proceed|make it so|sort it out|handle it|get it out|put an end)\b`,
  ].join('|'),
  'i',
)
const NEXT =
  /[,;:.]\s+(?:(?:and|then|so|please|just|also|if not)\s+)*(?<verb>[a-z]+)\s+(?<rest>it|them|that|this|the|a|an|all|any|in|to|up|one|some|every|those|these|on|off)\b/gi

/** "Can you restyle it": whatever is asked for like this, and is not an answer, is a change. */
const REQUESTS =
  /\b(?:can|could|would|will) (?:you|u) (?:please |also |maybe |just |quickly )*(?!(?:be|have (?:an?|another|any)|see|know|proof|think|say|explain|tell|show|describe|list|compare|give|help|review|check|look|confirm|recommend|suggest|advise|summari[sz]e|analy[sz]e|find|walk|elaborate|clarify|verify|read|go through|share|remind|recall|provide|understand|estimate|outline|do (?:me|a)|point|identify|search|figure|investigate|go over|teach)\b)[a-z]+/i

/** A change is wished for somewhere in the sentence. */
export function isWished(sentence: string): boolean {
  if (WANTS.test(sentence)) return true
  for (const { groups } of sentence.matchAll(LEADS)) if (isChange(wordsOf(groups!.rest!), 0)) return true
  return REQUESTS.test(sentence) || goesOnWithOrder(sentence)
}

/** A question that goes on as a request: "…, then fix it", "if not, make it Monday". */
export function goesOnWithOrder(sentence: string): boolean {
  if (/\bplease do\b/i.test(sentence) || AND_THEN.test(sentence)) return true
  // "When going to a tab, can you preselect the first entry?"
  const comma = /[,;:] (?:(?:and|then|so|please) )?(?=(?:can|could|would|will) (?:you|u)\b)/i.exec(sentence)
  if (comma && REQUESTS.test(sentence.slice(comma.index))) return true
  const last =
    /\b(?:and|then|&)\s+(?:then\s+|please\s+)?([a-z]+)(?:\s+(?:it|them|this|that|pls|please))?\s*[.!]?$/i.exec(
      sentence,
    )?.[1]
  if (last && isChange([last.toLowerCase(), 'it'], 0)) return true
  for (const { groups } of sentence.matchAll(NEXT))
    if (isChange([groups!.verb!.toLowerCase(), groups!.rest!.toLowerCase()], 0)) return true
  for (const { groups } of sentence.matchAll(
    /(?:\b(?:and|if (?:not|so),?)|[,;] ?(?:and |then |so )?(?:can|could|would|will) (?:you|u|we))\s+(?:then\s+|please\s+|also\s+|just\s+)?(?<verb>[a-z]+)\s+(?<rest>it|them|that|this|the|an?|all|those|these|following|some|more|new|my|our)\b/gi,
  ))
    if (isChange([groups!.verb!.toLowerCase(), groups!.rest!.toLowerCase()], 0)) return true
  return false
}

/** "Review it and fix what is wrong"; "how to add and remove rows" is no order. */
const AND_THEN =
  /^(?!.{0,200}\b(?:how|what|whether|when|where|to|would|could|should|can|did|does|do) (?:\w+ ){0,4}\w+ (?:and|then) )(?:.{3,300}\W)(?:and|then) (?:then |also |please )?(?:fix|correct|repair|implement|add|remove|delete|replace|refactor|rewrite|update|improve|reduce|shrink|merge|apply|create|clean|convert|rename|optimi[sz]e|resolve)\b/i

/** "The plan breaks since the upgrade, pls fix". */
export function asksAtLast(sentence: string): boolean {
  const verb = /\b(?:please|pls|plz),? ([a-z]+)(?: (?:it|this|that|them))?\s*[.!]?$/i.exec(sentence)?.[1]
  return verb !== undefined && isChange([verb.toLowerCase(), 'it'], 0)
}
