import { END, type Pattern, pattern, strong, words } from './grammar.ts'

const NOT = String.raw`(?:do not|don['’]?t|do n['’]t|never|must not|mustn['’]?t|should not|shouldn['’]?t|shall not|may not|cannot|can['’]?t|not to|without(?: ever)?|avoid|refrain from|(?:under no circumstances|on no account|by no means|in no case)(?: (?:should|may|must) you)?|not(?= (?:touching|changing|editing|modifying)\b)|no need to|not (?:allowed|supposed|permitted|meant) to|(?:would |i['’]d )?rather (?:you )?(?:did(?: not|n['’]t)|not)|(?:prefer|better|nice|great|good) if you (?:did(?: not|n['’]t)|do(?: not|n['’]t))|(?:do not|don['’]?t) (?:want|wish|need)(?: you)?(?: to)?)(?: (?:ever|even|please|yet|also|you|dare|go and|have|just|to|be|directly|by hand)){0,3}`
const CHANGING = String.raw`(?:chang(?:e|ing)|modify(?:ing)?|edit(?:ing)?|alter(?:ing)?|rewrit(?:e|ing)|overwrit(?:e|ing)|regenerat(?:e|ing)|writ(?:e|ing) (?:in)?to|mak(?:e|ing) (?:any )?(?:changes?|edits?|modifications?) (?:to|in|on)|hard-?code (?:\w+ ){0,3}?in(?:to)?|adapt(?:ing)?)(?: (?:or|nor|and) (?:chang(?:e|ing)|edit(?:ing)?|delet(?:e|ing)|touch(?:ing)?|modify(?:ing)?|remov(?:e|ing)))?`
const UNCHANGED = String.raw`(?:as (?:it |they )?(?:is|are|was|were)(?: now)?|(?:exactly |byte for byte )?what (?:it is|they are)|unchanged|untouched|unmodified|intact|identical|alone|the way (?:it|they) (?:is|are)|byte[- ]for[- ]byte)`
const CHANGED = String.raw`(?:changed|modified|touched|edited|altered|rewritten|regenerated|part of (?:this|the|that|your) (?:diff|change|pr|commit|pull request)|in the diff)`

/** Somebody other than the agent, or a program: what follows tells what they do, and closes nothing. */
const OTHERS =
  /\b(?:they|who|which|that|it|he|she|nobody|users?|clients?|people|customers?|members?|admins?|callers?|others|tests|[a-z]+ers)\s$/i
/** After these a verb of duty speaks to the agent. */
const AGENT =
  /(?:^|[,;:(.!?]\s*|\s[-–—]+\s|\b(?:you|u|we|i|please|pls|but|and|so|also|then|changes?|edits?|fix|pr|patch|diff|commit|task|refactoring)(?:['’](?:re|m)|\s(?:are|is|am))?\s)$/i
const ABLE = /\b(?!you\b|u\b|we\b|i\b)\w+\s(?:can|could|may|might|will|is able to|are able to)\s[^,.;]{0,60}$/i

/** Whether a refusal is said of the program or of its users, and not to the agent. */
export function isTold(before: string, refusal: string): boolean {
  const near = before.slice(-100)
  if (/^(?:must|should|shall|may|can|not (?:allowed|supposed|permitted|meant))/i.test(refusal)) return !AGENT.test(near)
  if (/^without/i.test(refusal)) return ABLE.test(near)
  if (/^(?:do|never)/i.test(refusal)) {
    if (/\b(?:i|we)\s$/i.test(near)) return !/^do(?: not|n['’]?t| n['’]t) (?:want|wish|need)/i.test(refusal)
    return OTHERS.test(near)
  }
  return false
}

export const ENGLISH_LIMITS: readonly Pattern[] = [
  pattern(
    String.raw`\b${NOT} (?:\w+ (?:or|and|nor) )?(?:touch(?:ing)?|go(?:ing)? near|mess(?:ing)? (?:around )?with|tamper(?:ing)? with|fiddl(?:e|ing) with)(?: (?:or|nor|and) \w+)?\s+`,
    'after',
    'named',
    strong,
  ),
  pattern(String.raw`\b${NOT} ${CHANGING}\s+`, 'after', 'named'),
  pattern(
    String.raw`\b${NOT} (?:delet(?:e|ing)|remov(?:e|ing)|renam(?:e|ing)|mov(?:e|ing)|updat(?:e|ing)|refactor(?:ing)?|reformat(?:ting)?|restructur(?:e|ing)|migrat(?:e|ing)|fix(?:ing)?|replac(?:e|ing)|commit(?:ting)?|creat(?:e|ing)|writ(?:e|ing)|implement(?:ing)?|generat(?:e|ing)|develop(?:ing)?|add(?:ing)? (?:anything |code |stuff )?(?:to|in|into))\s+`,
    'after',
    'named',
    { needsPath: true },
  ),
  pattern(
    String.raw`\b(?:do not|don['’]?t|never)(?: please| ever| just| also)? (?:updat|rewrit|regenerat|refactor|reformat|restructur|fix|migrat)(?:e|ing)?\s+`,
    'after',
    'named',
    { isPlace: true },
  ),
  pattern(
    String.raw`\bnot (?:a|one) (?:single )?(?:word|line|character|byte|thing|comma|file) (?:in|of|from|under)\s+`,
    'after',
    'named',
    strong,
  ),
  pattern(
    String.raw`\b(?:ask|check with|talk to|come to|tell) (?:me|us)(?: first)?,? before (?:you )?(?:chang(?:e|ing)|touch(?:ing)?|edit(?:ing)?|modify(?:ing)?)\s+`,
    'after',
    'named',
    strong,
  ),
  pattern(
    String.raw`\b(?:if|should) (?:you|u|we) (?:really |ever |think (?:you|we) |feel )*(?:need|have|want|must)(?: to)? (?:change|touch|edit|modify|alter|update|adapt)\s+_,? (?:then )?(?:please |pls |just )*(?:ask\b|stop and ask\b|(?:tell|let|lemme|ping|warn|notify|check with|talk to|come to|consult)[^.;]{0,40}?\b(?:first|before(?:hand)?|upfront)\b)`,
    'within',
    'named',
  ),
  pattern(
    String.raw`\b(?:do not|don['’]?t|wouldn['’]?t) (?:want|like|expect|need)(?: to (?:see|have|find))?(?: is| are)?(?: any)? (?:changes?|edits?|modifications?|diffs?) (?:to|in|on|under|inside|within)\s+`,
    'after',
    'named',
    strong,
  ),
  pattern(
    String.raw`\b(?:without|not|never) (?:going|reaching|digging|getting|wandering) (?:into|inside|near)\s+`,
    'after',
    'named',
    { isPlace: true },
  ),
  {
    find: /\bno (?<what>(?:production|application|source|implementation|server|client|backend|frontend) (?:code|files?)) (?:should|must|may|needs?|has|is)(?: not)?(?: need)?(?: to)? (?:be )?(?:chang|touch|modif|edit)/i,
    object: 'within',
    forbids: 'named',
  },
  pattern(String.raw`\b(?:skip|ignore|exclude|leave out)\s+`, 'after', 'named', { needsPath: true }),
  pattern(
    String.raw`\bkeep (?:your |the |any |all |all your )?(?:changes?|edits?|work|diff|commits?) (?:out of|away from|off)\s+`,
    'after',
    'named',
    strong,
  ),
  pattern(
    String.raw`\b(?:stay(?:ing)? (?:out of|away from|off|clear of)|keep (?:out of|away from|off|clear of)|keep your (?:hands|fingers|paws) (?:off|away from|out of)|hands off(?: of)?(?: from)?)\s+`,
    'after',
    'named',
    strong,
  ),
  pattern(
    String.raw`(?<!(?:can|may|to|could)\s(?:of course\s)?)\b(?:leave|let|keep)\s+_\s+(?:(?:${UNCHANGED})\b(?! (?:as (?:possible|before)|if))|for (?:tomorrow|later|now|another (?:time|day)|the next)|(?:out of (?:it|this|that)|out|be|in peace)(?=\s*(?:[.,;!?)]|$|\s(?:while|when|for|please|and|but|since|because|as))))`,
    'within',
    'named',
    strong,
  ),
  {
    find: /(?<!(?:can|may|to|could)\s(?:of course\s)?)\bleave\s+(?<what>[A-Z]\w+|[\w./-]*[./]\w+)(?:\s+itself)?\s*(?=[,;.]|$)/,
    object: 'within',
    forbids: 'named',
  },
  pattern(
    String.raw`\b(?:no|(?:not|n['’]t) (?:have|want|need|like) any|without any)\s+_\s+(?:changes?|edits?|modifications?|diffs?|changed|touched|edited|modified)\b`,
    'within',
    'named',
  ),
  pattern(
    String.raw`\bno\s+_\s+(?:may|must|should|can|is to|are to|to)\s+be\s+(?:changed|modified|touched|edited|altered)\b`,
    'within',
    'named',
  ),
  pattern(
    String.raw`\bno (?:changes?|edits?|editing|modifications?|writes?|writing|diffs?|touching)(?: at all)? (?:to|in|on|under|inside|within|for)\s+`,
    'after',
    'named',
    strong,
  ),
  {
    find: /(?:^|[,;:(]\s*|\b(?:but|and|please|write|create|add|with)\s+)no\s+(?<what>(?:source|sql|test|config|production|backend|frontend|server|client|application|implementation)\s+(?:files?|scripts?|code))(?=\s*(?:[.,;!)]|$|\b(?:changes?|edits?|please|yet|for now|in this)\b))/i,
    object: 'within',
    forbids: 'named',
  },
  pattern(
    String.raw`\bnothing (?:in|under|inside|within|from|below)\s+_(?=\s+(?:should|must|may|shall|can|needs? to|is to|gets?) (?:be )?(?:chang|touch|modif|edit|alter|mov))`,
    'within',
    'named',
    strong,
  ),
  pattern(
    String.raw`\bnothing (?:in|under|inside|within|from|below)\s+_(?=\s+(?:should|must|may|shall|can|changes?)\b|\s*(?:[.,;!?)]|$))`,
    'within',
    'named',
    { needsPath: true },
  ),
  pattern(
    String.raw`\s+(?:is|are|stays?|remains?)\s+(?:strictly |currently |now |all |still )?(?:off[- ]limits?|off the table|out of (?:scope|the question|bounds)|taboo|untouchable|sacred|not (?:yours|to be ${CHANGED}|up for (?:change|discussion)))\b`,
    'before',
    'named',
    strong,
  ),
  pattern(
    String.raw`\s+(?:is|are|stays?|remains?)\s+(?:strictly |currently |now |all |still )?(?:frozen|read-?only|immutable|locked|not ${CHANGED})(?=\s*(?:[.,;:!)]|$|\b(?:until|till|for|from|this|because|as|since|and|so|by)\b))`,
    'before',
    'named',
    { isPlace: true },
  ),
  pattern(String.raw`\s+(?:but )?(?:please|pls) not${END}`, 'before', 'named', { needsPath: true }),
  pattern(
    String.raw`\b(?:no (?:changes?|edits?|modifications?|writing|editing) (?:in|to|on|there|inside) ?(?:there|it|them|that(?: one| file| folder)?)?|(?:so |but |and )?not in (?:there|it|that(?: one| file| folder)?)|hands off)${END}`,
    'context',
    'named',
    { needsPath: true },
  ),
  pattern(String.raw`\b(?:do not|don['’]?t|never) go (?:in )?there${END}`, 'context', 'named', { needsPath: true }),
  pattern(String.raw`\b(?:code |feature |release )?freeze (?:for|on|in)\s+`, 'after', 'named', { isPlace: true }),
  pattern(
    String.raw`\b(?:nobody|no one|no-one) (?:touches|edits|changes|modifies|(?:may|should|can) (?:touch|edit|change|modify))\s+`,
    'after',
    'named',
    { needsPath: true },
  ),
  {
    find: /(?:^|[,;:(.]\s+)(?<what>[\w*@-]{0,40}[./*][\w.*/@-]{1,80}(?:(?:,| and| \+|, and) [\w*@-]{0,40}[./*][\w.*/@-]{1,80}){1,4}) only\b/i,
    object: 'within',
    forbids: 'others',
    needsPath: true,
  },
  {
    find: /(?:^|[,;:(]\s*)(?<what>[\w*@-]{0,40}[./*][\w.*/@-]{1,80}) (?:untouched|unchanged|as is|off[- ]limits)\b/i,
    object: 'within',
    forbids: 'named',
    needsPath: true,
  },
  {
    find: /(?:^|[,;:(]\s*)not in\s+(?<what>[\w./-]{3,60}[_./][\w./-]{1,60}|[a-z]+[A-Z]\w{1,40})/i,
    object: 'within',
    forbids: 'named',
  },
  {
    find: /\b(?:broken|at fault|wrong|to blame|buggy|the (?:problem|culprit|bug|cause)),? (?:and )?not (?:in )?(?<what>the [\w -]{2,40}?)(?=\s*(?:[.,;!?)]|$))/i,
    object: 'within',
    forbids: 'named',
    isPlace: true,
  },
  pattern(
    String.raw`\bleave (?:it|them|that one|those)(?: alone| be| out| as (?:it|they) (?:is|are)| as is)?${END}`,
    'context',
    'named',
    {
      needsPath: true,
    },
  ),
  {
    find: /\b(?:leave|spare) (?<what>(?:the |our )?(?:code|implementation|tests?|docs?|schema|migrations?|configs?|fixtures?|snapshots?|templates?|styles?))(?=\s*(?:[.,;!)]|$))/i,
    object: 'within',
    forbids: 'named',
  },
  pattern(
    String.raw`\s+(?:is|are) (?:right|correct|fine|good|perfect|ok|okay|final) (?:as|the way) (?:it|they) (?:is|are)`,
    'before',
    'named',
    { isPlace: true },
  ),
  pattern(
    String.raw`\s+(?:must|has to|have to|needs? to) (?:stay|remain|survive)(?: for now| too| as well)?${END}`,
    'before',
    'named',
  ),
  pattern(String.raw`\bout of scope\s*(?:is|are|:)\s*`, 'after', 'named', { isPlace: true }),
  pattern(
    String.raw`\bscope(?: for (?:today|now|this (?:task|pr|change)))?\s*(?:is|:)\s*(?:only |just |strictly )?(?:the |in )?`,
    'after',
    'others',
    {
      needsPath: true,
    },
  ),
  pattern(String.raw`\s*(?:=>|->|:|,|–|—|-)\s*not to be ${CHANGED}`, 'before', 'named'),
  pattern(
    String.raw`\b(?:but|just|only|though|said|meant) not (?:in|under|for|inside|to|within|the)\s+`,
    'after',
    'named',
    {
      needsPath: true,
    },
  ),
  pattern(
    String.raw`\s+(?:must|should|has to|have to|needs? to|need to|shall|(?:is|are) to|ought to)(?: please| all| both)? (?:stay|remain|be left|be kept|keep|be(?=\s(?:identical|untouched|unchanged|unmodified|intact)))(?: exactly| completely)?\s+(?:the reference|the same|put|${UNCHANGED})`,
    'before',
    'named',
  ),
  pattern(
    String.raw`\s+(?:must|should|has to|have to|needs? to|shall|(?:is|are) to) (?:stay|remain|be left|be kept)(?: exactly| completely)?\s+(?:untouched|unmodified|alone|as[- ]is|as (?:it|they) (?:is|are)|the way (?:it|they) (?:is|are))`,
    'before',
    'named',
    strong,
  ),
  pattern(String.raw`\s+(?:stays?|remains?)(?: exactly| completely)?\s+(?:put|${UNCHANGED})`, 'before', 'named'),
  pattern(
    String.raw`\s+(?:(?:must|should|may|shall|can|is|are|ought)(?:n['’]t| not|not)|(?:should|must|may|shall) please not)(?: to)?(?: please)? (?:be|get) ${CHANGED}`,
    'before',
    'named',
  ),
  pattern(String.raw`\s+(?:should|must|may) (?:show|have|get) no (?:diff|changes?)\b`, 'before', 'named'),
  pattern(
    String.raw`\s+(?:(?:must|should|may|shall|can)(?:n['’]t| ?not)|is not to|are not to) change${END}`,
    'before',
    'named',
  ),
  pattern(String.raw`\s+(?:excluded|excepted|exempt(?:ed)?|not included)${END}`, 'before', 'named'),
  pattern(String.raw`:\s*(?:don['’]?t|do not|no|nope|hands off|never)${END}`, 'before', 'named'),
  pattern(
    String.raw`\b(?:treat|consider|regard|view|see) (?:(?:everything|anything|all(?: files| code)?) (?:under|in|inside|below|within|from)\s+)?_\s+as (?:read[- ]?only|frozen|off[- ]limits|immutable|untouchable|locked|out of (?:scope|bounds))`,
    'within',
    'named',
    { needsPath: true },
  ),
  pattern(
    String.raw`\btreat (?:it|them|this|that|those) as (?:immutable|read-?only|frozen|vendored|untouchable)`,
    'context',
    'named',
  ),
  {
    find: /(?<!(?:treat|consider|see|regard|view|mark|count|touch|change|edit|modify|leave|keep) )\b(?:every|all|everything|everywhere|throughout|(?:across |in )?the (?:whole |entire )(?:code ?base|repo(?:sitory)?|project)|across the (?:code ?base|repo|project))\b[^.;,!?]{0,60}?\s?(?:except(?: for| in)?|but(?: not)?|apart from|aside from|other than|excluding|besides)\s+(?:in |the |for ){0,2}(?<what>[^\s(]+(?:\s(?!should|must|stays?|remains?|is|are|has)[^\s(]+){0,6}?(?:\s?\([^)]{1,60}\))?)(?=\s*(?:[.,;!?)]|$))/i,
    object: 'within',
    forbids: 'named',
    strong: true,
  },
  {
    find: /\b(?:fix|change|edit|update|adapt|adjust|correct)\b\s+(?<kept>[^,.;!?]{2,60}?),? not (?:in )?(?<what>the [^,.;!?]{2,40})/i,
    object: 'within',
    forbids: 'named',
  },

  pattern(
    String.raw`\b${NOT} (?:touch|chang(?:e|ing)|modify(?:ing)?|edit(?:ing)?|alter(?:ing)?)\s+(?:anything|any (?:other )?files?|any code|stuff|things)\s+(?:else )?(?:outside(?: of)?|other than|except(?: for)?|but|beyond|besides|apart from)\s+`,
    'after',
    'others',
  ),
  pattern(
    String.raw`\b(?:nothing|no (?:changes?|edits?|files?)|not (?:anything|any files?)) (?:outside(?: of)?|beyond|(?:more|other) than|except(?: for)?|besides)\s+(?<what>[^\s,;!?()]{1,80}(?:\s[^\s,;!?()]{1,40}){0,3}?)(?=\s*(?:[.,;:!?)]|$)|\s+(?:should|must|may|can|shall|is|are|needs?|gets?|has|to|please|pls|and|or)\b)`,
    'within',
    'others',
  ),
  {
    find: words(
      String.raw`\b(?:everything|anything|all(?: other)? files?|the rest|all else) (?:else )?(?:except(?: for)?|but|other than|apart from|outside(?: of)?|besides)\s+(?<what>[^.;!?]{2,60}?)\s*(?:should |must |has to |is to |can |may )?(?:remain|stay|be left|is|stays|remains|be)\s+(?:exactly |completely )?(?:${UNCHANGED}|off[- ]limits|frozen|taboo)`,
    ),
    object: 'within',
    forbids: 'others',
  },
  pattern(
    String.raw`\bonly (?:ever )?(?:touch|change|edit|modify|work (?:in|on|within|inside)|write (?:to|in)|make changes (?:to|in|under)):?\s+`,
    'after',
    'others',
  ),
  pattern(String.raw`\bonly (?:ever )?(?:create|write|add|produce):?\s+(?=\`?[\w@*-]{0,40}[./])`, 'after', 'others', {
    needsPath: true,
  }),
  pattern(
    String.raw`\b(?:touch|change|edit|modify|update|work on)(?:ing)? (?:just|only|nothing but|exclusively)(?::\s+(?=[\w@*-]{0,40}[./])|\s+)(?:in |inside |the file )?`,
    'after',
    'others',
  ),
  pattern(
    String.raw`\b(?:anything|everything|all) else (?:is|stays|remains|must (?:stay|remain|be)|should (?:stay|remain|be)) (?:${UNCHANGED}|read[- ]?only|off[- ]limits|taboo|frozen|out of (?:scope|bounds))`,
    'context',
    'others',
  ),
  pattern(
    String.raw`\bonly (?:allowed|permitted|supposed|meant) to (?:touch|change|edit|modify|work (?:in|on))(?: (?:the )?(?:files|code|things|stuff))?(?: (?:in|under|inside|within|at))?(?: the (?:directory|folder|file|package|module))?\s+`,
    'after',
    'others',
  ),
  pattern(
    String.raw`\bonly (?:want|need|expect|allow) (?:any )?(?:changes?|edits?) (?:in|inside|to|under|within)\s+`,
    'after',
    'others',
  ),
  pattern(
    String.raw`\b(?:restrict|limit|confine) (?:yourself|it|this|that|the (?:change|changes|work|fix|edits?|diff)|(?:all |your |any )?(?:changes|edits|work)|everything) (?:strictly |only )?to\s+`,
    'after',
    'others',
  ),
  pattern(
    String.raw`\b(?:treat|consider|see|regard|view|mark|count) (?:everything|anything|all(?: files| code)?|the rest)(?: else)? (?:but|except(?: for)?|outside(?: of)?|other than|apart from|besides)\s+_\s+(?:as )?(?:read-?only|read only|frozen|off[- ]limits|immutable|untouchable|locked|out of (?:scope|bounds))`,
    'within',
    'others',
  ),
  {
    find: /^(?:but |and |so )?(?:apart from|aside from|except(?: for)?|other than|outside(?: of)?|beyond|besides)\s(?<what>[^;!?]{2,120}?),?\s(?:(?:i|we) (?:do not|don['’]?t) (?:want|expect|wish)(?: to see)? (?:any(?:thing)?|a)(?: \w+)?|nothing (?:may|should|must|is to|gets?|needs?)\b|no (?:changes?|diffs?|edits?)\b|(?:do not|don['’]?t) (?:touch|change|edit|modify) anything)/i,
    object: 'within',
    forbids: 'others',
    needsPath: true,
  },
  {
    find: /(?:^|[,;:(.]\s*)(?:just|only)(?: (?:in|change|edit|touch))? (?:the|this|that|these|those) (?:one|two|three|single|following)?\s?files?\s?:?\s(?<what>[^;!?]{2,200})$/i,
    object: 'within',
    forbids: 'others',
    needsPath: true,
  },
  {
    find: /^(?:#{1,4}\s)?(?:the )?(?:only )?(?:allowed|permitted|editable|writable|in[- ]scope)(?: (?:files?|paths?|folders?|changes?|edits?))?\s?:\s(?<what>[^;!?]{2,200})$/i,
    object: 'within',
    forbids: 'others',
    needsPath: true,
  },
  {
    find: /^(?:#{1,4}\s)?(?:the )?(?:only )?files (?:that )?you (?:can|may|are allowed to|should) (?:change|edit|touch|modify)\s?(?::|are|is)\s(?<what>[^;!?]{2,200})$/i,
    object: 'within',
    forbids: 'others',
    needsPath: true,
  },
  pattern(
    String.raw`\b(?:focus|concentrate|work)(?:ing)? (?:only|exclusively|solely|strictly|entirely) on\s+`,
    'after',
    'others',
    { needsPath: true },
  ),
  pattern(
    String.raw`\b(?:all|any|your|the|every) (?:of (?:the|your) )?(?:code )?(?:changes?|edits?|work|modifications?) (?:should|must|need(?:s)? to|has to|have to|(?:is|are) to|may|goes?|belongs?|happens?)(?: only| all)?(?: be (?:made|done|kept|limited|confined|restricted)| go| happen| stay| live| land)?(?: only| exclusively)? (?:in|inside|within|under|to)(?: (?:the|this) (?:folder|directory|file|package|module))?:?\s+`,
    'after',
    'others',
    { needsPath: true },
  ),
  pattern(String.raw`\bstay (?:strictly )?(?:within|inside|in)\s+`, 'after', 'others', { isPlace: true }),
  pattern(
    String.raw`\bkeep (?:the |all |your |any )?(?:changes?|edits?|diff|work) (?:strictly |only |limited |restricted |confined )?(?:within|inside|in|to|under)\s+`,
    'after',
    'others',
  ),
  pattern(
    String.raw`\bkeep (?:it|this|everything) (?:strictly |only |limited |restricted |confined )?(?:within|inside|in|to|under)\s+`,
    'after',
    'others',
    { needsPath: true },
  ),
  pattern(
    String.raw`\bwork (?:only |exclusively |solely |strictly )?(?:in|on|inside|within)\s+_\s+(?:only|exclusively|solely|and nowhere else)\b`,
    'within',
    'others',
  ),
  pattern(String.raw`\bwork (?:only|exclusively|solely|strictly) (?:in|on|inside|within)\s+`, 'after', 'others'),
  {
    find: /(?:^|[,;:(]\s*|\b(?:update|change|edit|modify|touch|implement|do|build|fix)\s+)(?<what>(?:the )?(?!(?:plan|review|analysis|reading|dry-run) ?-?only\b)[^\s,;:()]+(?:\s+(?:files?|folder|package|module|code|changes?|class|part|side))?(?:\/\w+)?)[ -]only(?: change)?(?=(?:\s+(?:pls|plz|please|thanks|thx))?\s*(?:[.,;:!?()]|$))/i,
    object: 'within',
    forbids: 'others',
    isPlace: true,
  },
  {
    find: /(?:^|[,;:(]\s*|\band\s+)(?:only|just)\s+(?:the\s+|in\s+(?:the\s+)?)?(?<what>(?:[^\s,;:()!?]|\.(?=\w))+?(?:\s+(?:files?|folder|package|module|code|class|service|controller))?)(?=(?:\s+(?:pls|plz|please|thanks|thx))?\s*(?:[,;:!?)]|\.(?!\w)|$|(?:because|since|bc)\b))/i,
    object: 'within',
    forbids: 'others',
    isPlace: true,
  },
  pattern(
    String.raw`\b(?:and |but )?(?:nothing|nowhere) else(?! (?:to|is|changes in behaviou?r)\b)(?! (?:should|must|may|can|will|would) (?!be |change|move|get touched|show up))`,
    'context',
    'others',
  ),
  pattern(
    String.raw`(?:^|[,;:(.]\s*)only\s+_\s+(?:should|must|may|can|shall|needs? to|has to|have to|is|are) (?:to )?(?:be )?(?:affected|changed?|touched|edited|modified)${END}`,
    'within',
    'others',
    { needsPath: true },
  ),
  pattern(String.raw`\bno other files?\b`, 'context', 'others'),
  pattern(String.raw`(?:,|;|\s-|\band)\s+that(?:['’]s| is) (?:it|all)${END}`, 'context', 'others'),
  pattern(
    String.raw`(?<!leave |let )\b(?:that|this|the one) (?:file|folder|package|module|directory|one) (?:alone|only)${END}`,
    'context',
    'others',
  ),
  pattern(String.raw`\b(?:touch|change|edit|modify) no other\s+`, 'after', 'named', strong),
]
