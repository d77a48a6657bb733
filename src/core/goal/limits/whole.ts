import { clausesOf, wordsIn } from '../clauses/clauses-of.ts'
import { isClosing } from '../clauses/refuses.ts'
import { REFUSING, REMOVING } from '../languages/refusing.ts'
import { ANY_CODE, ANY_FILE, DOING, NAMES_NOTHING, OTHER_THINGS } from '../languages/whole-words.ts'
import { pathsIn } from '../paths-in.ts'

/**
 * What a clause forbids that refuses and names nothing: the whole project ("do not edit any files yet"), its code ("no code
 * yet"), the rest of it ("touch nothing else"), or all of a place that was named before ("edit nothing in there"). One word
 * that names something, and it is told by others what is closed.
 */
export type Whole = 'project' | 'code' | 'rest' | 'place'

export function wholeIn(sentence: string): Whole | undefined {
  // The head of a list says it of the list.
  if (/[:：]\s*$|^\s*#/.test(sentence)) return undefined
  const colon = sentence.search(/[:：]\s/)
  if (colon > 0 && pathsIn(sentence.slice(colon)).length > 0) return undefined
  const clauses = clausesOf(sentence)
  // "When nothing was typed, do not save anything": said of the program.
  const found = clauses.map((clause, at) =>
    isOnlyWhen(clauses[at - 1] ?? '') || isOnlyWhen(clause) ? undefined : wholeOf(clause),
  )
  // "No code yet, and do not edit any file": the wider of the two holds.
  return found.includes('project') ? 'project' : found.find((whole) => whole !== undefined)
}

/** "Bluetooth file and its tests, touch no more": closed is the rest alone, and what is named is what stays open. */
export function closesRestAlone(sentence: string): boolean {
  if (wholeIn(sentence) !== 'rest') return false
  const refuses = (clause: string) => wordsIn(clause).some(({ text }) => REFUSING.has(text))
  const closing = clausesOf(sentence).filter((clause) => isClosing(clause) || refuses(clause))
  return closing.length === 1 && wholeOf(closing[0]!) === 'rest'
}

/** "## Files you must NOT touch (other people work there):" above a list. */
export function isHeadOfBan(line: string): boolean {
  const head = line.replace(/^[\s#*_>-]{1,8}/, '').replace(/[\s:：*_]{1,8}$/, '')
  return head.length <= 80 && clausesOf(head).some((clause) => wholeOf(clause.replace(POINTS, ' ')) === 'project')
}

/** "These files": which ones was said before, or is said next. */
const POINTS =
  /(?<!\p{L})(?:these|those|following|diese[rn]?|folgende[rn]?|suivants?|ces|estos|estas|siguientes|questi|queste|seguenti|estes|estas|seguintes|deze|volgende|te|następujące|эти|следующие|ці|наступні)(?!\p{L})/giu

/** "Until I say so", "before you ask me": how long it holds, and no part of what is closed. */
const UNTIL =
  /(?<!\p{L})(?:until|till|before|unless|without my|bis|bevor|solange|jusqu|avant|tant que|hasta|antes|finché|prima|até|antes|tot|voordat|dopóki|zanim|пока (?:я )?не|до (?:мо|тех|того)|перед|доки|поки (?:я )?не|dokud|kadar|önce|tills|innan|før|indtil)(?!\p{L}).*$/iu
const IF =
  /^(?:and |but |und |et |y |e |и )?(?:when(?:ever)?|if|once|after|wenn|falls|sobald|quand|lorsque|si|cuando|se|quando|als|wanneer|jeśli|gdy|если|когда|якщо|коли|när|om|når|hvis|eğer)(?!\p{L})/iu

function isOnlyWhen(clause: string): boolean {
  return IF.test(clause)
}

const MOST_WORDS = 14

function wholeOf(clause: string): Whole | undefined {
  const said = clause.replace(UNTIL, ' ')
  const own = unspaced(said)
  if (own) return own
  if (pathsIn(said).length > 0 || said.search(POINTS) >= 0) return undefined
  const words =
    said
      .toLowerCase()
      .replace(ELIDED, '')
      .match(/[\p{L}][\p{L}'’]*/gu) ?? []
  if (words.length < 2 || words.length > MOST_WORDS || /\d/.test(said)) return undefined
  let refuses = false
  let does = false
  let removes = false
  let changes = false
  let file = false
  let code = false
  let other = false
  for (const word of words) {
    const isOther = OTHER_THINGS.has(word)
    const isNot = REFUSING.has(word) || NOT_ONE.test(word)
    const isDone = DOING.has(word)
    const isFile = ANY_FILE.has(word)
    const isCode = ANY_CODE.has(word)
    if (!isOther && !isNot && !isDone && !isFile && !isCode && !NAMES_NOTHING.has(word)) return undefined
    if (WITHOUT.test(word)) return undefined
    other ||= isOther
    refuses ||= isNot || NEGATED.test(word)
    does ||= isDone
    removes ||= REMOVING.has(word)
    changes ||= isDone && !REMOVING.has(word) && word !== 'do'
    file ||= isFile
    code ||= isCode
  }
  if (INSIDE.test(said)) return undefined
  // "Any source file": of the code, and not of all files.
  file &&= !CODE_FILES.test(said)
  if (other) return (refuses && (does || file || PIECES.test(said))) || LEFT.test(said) ? 'rest' : undefined
  if (!refuses || !does || !(code || file)) return undefined
  // "Do not delete anything" leaves the rest of the work open.
  if (removes && !changes) return undefined
  return code && !file ? 'code' : IN_THERE.test(said) ? 'place' : 'project'
}
const CODE_FILES = /(?<!\p{L})(?:source|code|quell)[\s-]?(?:files?|dateien?)(?!\p{L})/iu

/** "Anything in there", "nichts darin": of a place, which stands elsewhere. */
const IN_THERE =
  /(?<!\p{L})(?:(?:in|inside|within|under|of|to) (?:there|it|them|those|these|(?:that|this) (?:one|folder|directory|place|module|package|part|section|area))|there)(?!\p{L})/iu

/** "Pour l'instant": an article before a vowel. */
const ELIDED = /(?<!\p{L})l['’](?=\p{L})/gu

const NOT_ONE =
  /^(?:no|none|not|any|aucune?|ning[uú]n[oa]?|nessun[oa]?|nenhum[a]?|żadn\p{L}*|никак\p{L}*|жодн\p{L}*|hiçbir|hiç)$/u
/** A refusal that is part of the verb. */
const NEGATED =
  /^(?:dokunma|değiştirme|düzenleme|yazma|yapma|elleme|silme|ekleme|oluşturma|ne(?:měň|upravuj|sahej|piš|dělej|implementuj))/u
/** A manner: "without changing anything". */
const WITHOUT = /^(?:without|ohne|sans|sin|senza|sem|zonder|bez|без|utan|uden)$/u
/** "Nothing else in the file": the file itself stays open, and what else is closed is not said. */
const INSIDE =
  /(?<!\p{L})(?:(?:parts?|sections?|lines?|things?|elements?) (?:of|in|on)|in (?:the|this|that) (?:file|function|class|component|page|module|section)|in der datei|dans (?:le|ce) fichier|en el archivo|nel file|no arquivo|in het bestand|w pliku|в (?:этом )?файле|у файлі|dosyada)(?!\p{L})/iu
/** "No additional components": what a project is made of. */
const PIECES = /(?<!\p{L})(?:components?|modules?|pages?|classes)(?!\p{L})/iu
/** "The rest stays", "leave everything else". */
const LEFT =
  /(?<!\p{L})(?:leave|keep|stays?|remains?|lass\p{L}*|bleib\p{L}*|laisse\p{L}*|garde\p{L}*|deja\p{L}*|queda\p{L}*|lascia\p{L}*|resta(?:no)?|restent|deix\p{L}+|ficam?|laat|blijft|zostaw\p{L}*|оставь\p{L}*|kalsın|bırak|untouched|unchanged)(?!\p{L})/iu

/** Languages that put no spaces between words. */
const PROJECT_CJK =
  /^(?:请|先|也|但是?|你|现在|目前|暂时|千万|另外|注意|记得|不过|而且|，|\s){0,4}(?:不要|别|勿|先不|暂不|无需|不用|不需要|不必)(?:直接|急着|急于|开始|擅自|随便|做|进行|去|先|再|着急|立即|马上|对|给我|帮我){0,3}(?:修改|改动|改|动|写|编写|编辑|变更|实现|动手)(?:任何|所有|的|东西|文件|内容|项目|一个|一下|了|啊|吧){0,4}(?:，|。|！|,|\s|$|先)|^(?:今は|ただし|ですが|とりあえず|、){0,3}(?:何も|ファイルは|一切|まだ)(?:まだ|何も|一切|絶対に|は|を){0,3}(?:変更|修正|編集|触|書き換え|実装)(?:は|を|も)?(?:し|ら|え)?(?:ない|ません)|^(?:まだ|今は|、){0,2}(?:修正|変更|編集|実装)(?:は|を)(?:まだ|今は|一切|絶対に){0,2}(?:し|行わ|やら)(?:ない|ません)|^(?:아직|일단|지금은|하지만|절대)?\s?(?:아무것도|파일은|아직)\s?(?:아무것도\s|절대\s|아직\s){0,2}(?:수정|변경|편집|건드리|고치|바꾸)(?:하)?지\s?(?:마|말)/u
const CODE_CJK =
  /(?:不要|别|勿|先不|暂不|无需|不用|不需要|不必)(?:直接|急着|急于|开始|擅自|随便|先|再|立即|马上){0,3}(?:修改|改动|改|动|写|编写|编辑|实现)(?:任何|的|一行|具体|实际){0,3}代码(?:了|啊|吧|哦)?$|^(?:まだ|今は|ただし|、){0,3}コード(?:は|を)?(?:まだ)?(?:書か|変更し|修正し|実装し)(?:ない|ません)|^(?:아직|일단|지금은)?\s?코드(?:는|를)?\s?(?:아직\s)?(?:수정하|작성하|짜|건드리|변경하|고치|바꾸)지\s?(?:마|말)/u
const REST_CJK =
  /(?:其他|其它|其余|别的)(?:的|任何|所有|地方|文件|代码|内容|部分|东西|模块|页面|都|一律){0,4}(?:不要|别|不用|勿|不许|不能|不得|不准|不)(?:动|改|碰|修改|变)|(?:不要|别|勿|不许|不得)(?:动|改|碰|修改|改动)(?:其他|其它|别的|多余)|(?:他の|それ以外の?|ほかの)(?:ファイル|部分|箇所|コード|ところ|所)?(?:は|には|を)?[^。]{0,8}(?:触ら|変更し|修正し|いじら|触れ|編集し)(?:ない|ず|ません)|(?:다른|나머지)\s?(?:파일|부분|코드|곳|건)?(?:들)?(?:은|는|을|를)?\s?(?:절대\s)?(?:건드리|수정하|변경하|손대|고치|바꾸)지\s?(?:마|말)/u

function unspaced(clause: string): Whole | undefined {
  if (REST_CJK.test(clause)) return 'rest'
  if (pathsIn(clause).length > 0 || /[A-Za-z]/.test(clause)) return undefined
  return CODE_CJK.test(clause) ? 'code' : PROJECT_CJK.test(`${clause}。`) ? 'project' : undefined
}
