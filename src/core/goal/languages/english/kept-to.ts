import { END, type Pattern, pattern, strong, words } from '../grammar.ts'
import { NOT, UNCHANGED } from './words.ts'

/** Ways to close all but what is named: "only touch X", "nothing outside X". */
export const KEPT_TO: readonly Pattern[] = [
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
  {
    find: /(?<what>[^\s,;:()]{2,120}) is the only (?:file|place|folder|thing|module|component|one) (?:(?:that|which) )?(?:(?:you|we) (?:should|can|may|need to|have to|are allowed to) |i (?:want|need|would like) (?:to see |you to )?|(?:needs?|is allowed|should|must|may|is|has)(?: to)?(?: be)? )(?:chang|touch|edit|modif)/i,
    object: 'within',
    forbids: 'others',
    needsPath: true,
  },
  {
    find: /(?:^|[,;:(.]\s*)the only (?:file|place|folder|thing|change|module|component|one) (?:(?:that|which) )?(?:(?:you|we) (?:should|can|may|need to|have to|are allowed to)|i (?:want|need|would like)|needs? to|should|must|may|to)\b[^.;:]{0,60}?(?:\bis|:)\s(?:in |the file )?(?<what>[^\s,;()]{2,120})/i,
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
    String.raw`(?<!leave |let )\b(?:that|this|the one) (?:file|folder|package|module|directory|page|view|screen|component|template|script|service|controller|one) (?:alone|only)${END}`,
    'context',
    'others',
  ),
  pattern(String.raw`\b(?:touch|change|edit|modify) no other\s+`, 'after', 'named', strong),
]
