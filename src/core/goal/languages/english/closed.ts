import { END, type Pattern, pattern, strong } from '../grammar.ts'
import { CHANGED, CHANGING, NOT, UNCHANGED } from './words.ts'

/** Ways to close what is named: "do not touch X", "X is off limits", "X must stay as it is". */
export const CLOSED: readonly Pattern[] = [
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
    String.raw`\bnothing (?:in|under|inside|within|from|below)\s+(?!\S+\s(?:should|must|may|can|shall|will|has|is)\b)_(?=\s+changes?\b|\s*(?:[.,;!?)]|$))`,
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
    String.raw`\s+(?:must|should|has to|have to|needs? to|need to|shall|(?:is|are) to|ought to)(?: please| all| both)? (?:stay|remain|be left|be kept|keep|be(?=\s(?:identical|untouched|unchanged|unmodified|intact)))(?: exactly| completely)?\s+(?:the reference|put|${UNCHANGED})`,
    'before',
    'named',
  ),
  // "Routes and JSON must stay the same": what a program does, unless a file or a kind of file is named.
  pattern(
    String.raw`\s+(?:must|should|has to|have to|needs? to|need to|shall|(?:is|are) to|ought to)(?: please| all| both)? (?:stay|remain|be kept|keep)(?: exactly| completely)?\s+the same`,
    'before',
    'named',
    { isPlace: true },
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
  pattern(
    String.raw`:\s*(?:don['’]?t|do not|not yet|nothing(?: yet| for now)?|no|nope|hands off|never)${END}`,
    'before',
    'named',
  ),
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
]
