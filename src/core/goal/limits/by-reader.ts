import { targetsAskedFor } from '../asked.ts'
import { refusedDeedsIn } from '../command-limits.ts'
import { ASKS_LEAVE } from '../languages/clause-words.ts'
import { signsIn } from '../languages/closing-words.ts'
import { CHANGING, OUTSIDE, REFUSING, TOUCHING } from '../languages/refusing.ts'
import { isAt } from '../meets.ts'
import { closedness, keptness } from '../mention-model.ts'
import { MAY_CLOSE, type Mention, mentionsAcross, mentionsIn, namesPlace } from '../mentions.ts'
import type { Target } from '../targets.ts'
import { exceptions } from './exceptions.ts'
import { clip, isOf, type Limit } from './limit.ts'

/** How sure the trained reader must be, by what is named: a file is often the one to change, a word may be anything. */
const SURE = { file: 0.8, folder: 0.74, sort: 0.84, name: 0.75, word: 0.92, code: 0.88 }

/** What no rule knows as a limit and the trained reader does. */
export function closedByReader(sentence: string, before: string, known: readonly Limit[]): Limit[] {
  if (sentence.endsWith('?') || OPENED.test(sentence) || CODE_LIKE.test(sentence)) return []
  if (TASK.test(sentence) || KEEP_IT.test(sentence)) return []
  // Who closes all code has named nothing more by the way.
  if (
    known.some(
      ({ said, targets }) => said === clip(sentence) && targets.some(({ is }) => is === 'code' || is === 'everything'),
    )
  )
    return []
  const sure = (context: string) =>
    mentionsIn(sentence, context).filter((mention) => mention.mayClose && closedness(mention) >= SURE[mention.kind])
  const alone = sure('')
  // "Don't scroll to the top. Same for the wiki", "add a flag, README as well": what is the same there is no limit.
  const isSame = SAME.test(sentence) || saysOnlySame(sentence)
  if (isSame && !isClosedIn(before, known)) return []
  // "Same for the migrations": what is the same was said before.
  const mentions = alone.length > 0 || before === '' ? alone : isSame ? sure(before) : sureOfBoth(before, sentence)
  const asked = new Set(targetsAskedFor(sentence).map(keyOf))
  const targets = mentions
    .map(({ target }) => target)
    .filter(
      (target) =>
        !asked.has(keyOf(target)) &&
        // "No code beyond a.ts": not all code.
        !(target.is === 'code' && OUTSIDE.test(sentence)) &&
        !known.some(
          (one) =>
            isOf(one, 'named', target) ||
            // "Tidy src/, but leave src/old": the folder around it is where the work goes on.
            (one.said === clip(sentence) && (isAround(target, one) || isPiece(target, one))) ||
            (one.forbids === 'others' && one.targets.some((open) => JSON.stringify(open) === JSON.stringify(target))),
        ),
    )
  if (targets.length === 0) return []
  const said = clip(alone.length > 0 && !isSame ? sentence : `${before} ${sentence}`)
  return [{ said, forbids: 'named', targets, except: exceptions(sentence), isLearned: true }]
}

/** "Docs too": nothing in it closes anything by itself. */
function saysOnlySame(sentence: string): boolean {
  const signs = signsIn(sentence).filter(({ name }) => MAY_CLOSE.has(name))
  return signs.length > 0 && signs.every(({ name }) => name === 'same')
}

function isClosedIn(before: string, known: readonly Limit[]): boolean {
  return known.some(({ forbids, said }) => forbids === 'named' && said.endsWith(clip(before)))
}

/** So unlikely to be closed that no rule is believed: "config.js cannot be changed at runtime" tells of a program. */
const UNLIKELY = 0.25

/** An order by its form, whatever stands around it: "do not modify", 「変更しないでください」. */
const ORDERED =
  /(?<!\p{L})(?:from now on|ab (?:jetzt|sofort)|à partir de maintenant|(?:desde|a partir de) ahora|d['’]ora in poi|a partir de agora|vanaf nu|od teraz|с этого момента|hands off|same goes for|(?:leave|keep) (?:\S+ ){1,5}(?:alone|untouched|unchanged))(?!\p{L})|(?:^|[,;:.(–—-]\s?|(?<!\p{L})(?:but|and|please|so|just)\s)(?:please\s)?(?:do not|don['’]?t|never)\s(?:ever\s|even\s)?(?:touch|change|edit|modify|alter|update|rewrite|open|move|rename|delete|remove)(?!\p{L})|(?:^|[,;]\s)(?:(?:and|but|please)\s)?(?:skip|exclude)\s|(?<!\p{L})(?:не (?:трогай|меняй|правь|чіпай|змінюй)(?:те)?|(?:nicht|nichts?) (?:anfassen|ändern|anrühren)|ne (?:touche|modifie|change)[zs]? (?:pas|rien)|no (?:toques|modifiques|cambies)|non (?:toccare|modificare)|não (?:mexas?|alteres?|toques?)|niet (?:aanpassen|wijzigen|aanraken)|nie (?:ruszaj|zmieniaj|dotykaj)(?:cie)?|dokunma(?:yın)?|nesahej(?:te)?)(?!\p{L})|ないで(?:ください|下さい|$)|지\s?(?:마|말)|(?:不要|别|勿|不许|严禁|禁止).{0,4}(?:修改|改|动|碰|编辑)/iu

/** What rules have closed, without what the trained reader takes for a report of how things are. */
export function withoutReports(limits: readonly Limit[], sentence: string): Limit[] {
  const named = limits.filter(({ forbids }) => forbids === 'named')
  if (named.length === 0 || ORDERED.test(sentence) || ASKS_LEAVE.test(sentence)) return [...limits]
  const told = new Set(
    mentionsIn(sentence)
      .filter((mention) => mention.mayClose && closedness(mention) < UNLIKELY)
      .map(({ target }) => keyOf(target)),
  )
  if (told.size === 0) return [...limits]
  return limits.flatMap((limit) => {
    if (limit.forbids !== 'named') return [limit]
    const targets = limit.targets.filter((target) => !told.has(keyOf(target)))
    return targets.length > 0 ? [{ ...limit, targets }] : []
  })
}

/** The same place, whatever else is known of it. */
function keyOf(target: Target): string {
  return target.is === 'words' ? [...target.words, ...target.sorts].join(' ') : JSON.stringify(target)
}

/** "Keep it short: title, chart, footer": what follows says how, and closes nothing. */
const KEEP_IT = /^(?:please )?keep (?:it|this|that|things) (?!to\b|in\b|within\b|out\b|as\b|away\b|off\b)\p{L}+\s?:/iu

/** "Tarefa: desfazer no botão": what is announced as the task is what is to be changed. */
const TASK =
  /^(?:#{1,4}\s)?(?:task|todo|goal|aufgabe|ziel|tâche|objectif|tarea|objetivo|tarefa|compito|obiettivo|taak|zadanie|cel|задача|цель|завдання|görev|任务|目标|タスク|課題|작업)\s?[:：]/i

function isAround(target: Target, { targets }: Limit): boolean {
  if (target.is !== 'path') return false
  return targets.some((one) => one.is === 'path' && one.path !== target.path && isAt(target.path, one.path))
}

/** "parking/worker is generated": a word of the path is no place of its own. */
function isPiece(target: Target, { targets }: Limit): boolean {
  if (target.is !== 'words' || target.words.length === 0) return false
  return targets.some(({ is, ...one }) => is === 'path' && 'path' in one && holdsAll(one.path, target.words))
}

function holdsAll(path: string, words: readonly string[]): boolean {
  const pieces = path.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return words.every((word) => pieces.some((piece) => piece.startsWith(word)))
}

/** "The docs are the writers'. Not a word in there": the place stands in one sentence, what closes it in the next. */
function sureOfBoth(before: string, sentence: string) {
  // "Do not commit, I want to look at it" closes no place.
  if (refusedDeedsIn(sentence).length > 0) return []
  if (!goesBack(sentence) || /[?？]$/.test(before) || OPENED.test(before)) return []
  if (!signsIn(sentence).some(({ name }) => name === 'refuses' || name === 'closed' || name === 'keeps')) return []
  return mentionsAcross(before, sentence).filter(
    (mention) => mention.mayClose && mention.kind !== 'word' && closedness(mention) >= SURE[mention.kind],
  )
}

/** How sure it must be that the work is kept to a place, which closes everything else. */
const KEPT = 0.8

/** "Preciso que ajuste apenas instalar.sh", "just ScanModel, the rest is mine": what no rule knows as "only" and the trained reader does. */
export function keptByReader(sentence: string, before: string, known: readonly Limit[]): Limit[] {
  if (/[?？]$/.test(sentence) || CODE_LIKE.test(sentence)) return []
  if (known.some(({ forbids }) => forbids === 'others')) return []
  const kept = (mentions: Mention[]) => mentions.filter((mention) => mention.mayKeep && keptness(mention) >= KEPT)
  const own = kept(mentionsIn(sentence, before))
  const mentions = own.length > 0 || before === '' || !goesBack(sentence) ? own : kept(mentionsAcross(before, sentence))
  if (mentions.length === 0) return []
  const said = clip(own.length > 0 ? sentence : `${before} ${sentence}`)
  const targets = mentions.map(({ target }) => target)
  return [{ said, forbids: 'others', targets, except: exceptions(sentence), isLearned: true }]
}

/** Whether a sentence names no place of its own and speaks of one that was named before. */
export function goesBack(sentence: string): boolean {
  return pointsBack(sentence) && !namesPlace(sentence)
}

/** Articles are pronouns where a verb follows them, or nothing: "ne les touche pas". */
function pointsBack(sentence: string): boolean {
  for (const { 0: word, index } of sentence.matchAll(BACK)) {
    if (!ARTICLE.test(word)) return true
    const next = /^\s+([\p{L}'’-]+)/u.exec(sentence.slice(index + word.length))?.[1]?.toLowerCase()
    if (next === undefined || TOUCHING.has(next) || CHANGING.has(next) || REFUSING.has(next)) return true
  }
  return false
}

const ARTICLE = /^(?:le|la|les|los|las|lo|li|dem|den|det|der|je|er)$/i

const BACK =
  /(?<!\p{L})(?:it|them|there|those|these|(?:that|this) (?:one |single )?(?:one|file|folder|package|module|class|component)|ihn|sie|es|dort|daran|davon|le|la|les|lo|los|las|li|là|ahí|allí|lì|isso|lá|nele|nela|neles|nelas|ze|daar|er|je|ich|go|tam|их|его|её|туда|там|їх|його|туди|dem|den|det|der)(?!\p{L})|它|那里|那边|それ|そこ|그것|거기/giu

/** The same words, said to open a place. */
const OPENED =
  /\b(?:you (?:can|may)|(?:is|are) (?:now )?(?:open|allowed|fine|ok(?:ay)?) (?:again|now)|no longer|after all|feel free|(?:is|are) gone|(?:is|was) lifted)\b|nicht mehr|aufgehoben|freigegeben|wieder (?:frei|offen)|\blevée?s?\b|à nouveau|de nouveau (?:ouvert|libre)|ya (?:no|puedes|se puede)|levantad[oa]|di nuovo (?:aperto|libero)|non (?:è|sono) più|liberad[oa]|opgeheven|weer (?:vrij|open)|już (?:nie|można|wolno)|больше не|снова можно|уже можно|снят|більше не|вже можна|不再|解除|解禁|解封|可以改|大丈夫|해도 (?:돼|됩니다)/i

const CODE_LIKE = /[{}]|=>|==|%\w+\{/

const SAME =
  /^(?:and |und |et |y |e |en |i |и )?(?:same|so (?:is|are)|neither|nor|ditto|likewise|auch|ebenso|genauso|pareil|idem|también|tampoco|anche|neanche|também|ook|też|också|тоже|также|теж|також)\b|(?:->|→|:)\s*(?:same|idem|ditto)\b|^(?:还有|同样|也)|も同様|마찬가지/iu
