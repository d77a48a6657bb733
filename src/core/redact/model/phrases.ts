import { withPasswords } from '../names.ts'
import { isOrdinaryWord } from '../ordinary-words.ts'
import type { Candidate } from './candidates.ts'

/**
 * Passwords of several words with spaces between them: "the passphrase is wooden pallet express", `secret = 'three grey geese'`. Behind a
 * word that means a password, what stands between quotes and what goes on to the end of its clause may be one; whether it is, or only
 * says something about a password, is decided elsewhere.
 */

const LONGEST_LINE = 600
const MOST_TELLING = 6

const tells = withPasswords(
  (passwords) =>
    new RegExp(
      String.raw`(?:${passwords}|pass|pw|secret|clave|chave|geheimwort|losung|codewort|passe|hasł\p{L}{1,3}|парол\p{L}{0,3}|(?:master|recovery|wi-?fi|wpa)[ _-]?key|wpa[23]?|ssh-keygen)(?![\p{Ll}])`,
      'giu',
    ),
)
/** Words that may lead from a name to its value, with whatever stands before them. */
const IS =
  '(?:is|is now|was|reads|says|becomes|lautet|ist|heißt|est|es|è|é|är|er|je|jest|to|là|este|adalah|είναι|е|это|now|jetzt|ahora|maintenant)'
const LEADS: RegExp[] = [
  // the password …, Kennwort …
  /^[\w-]{0,20}["'\])]{0,2}[ \t]{1,8}(?=[\p{L}\d])/u,
  // password: …, password for the box = …
  /^[^:=：\n]{0,40}[:=：]{1,2}[ \t]{0,8}(?=[\p{L}\d])/u,
  // password for the box is …
  new RegExp(String.raw`^[^:=\n]{0,40}[ \t]${IS}[ \t:]{1,3}(?=[\p{L}\d])`, 'iu'),
  // パスワードは…
  /^[^\s:：]{0,6}[はが是为為は는은][:：]?[ \t]{0,2}(?=[\p{L}\d])/u,
]
const WORD = String.raw`[\p{L}\p{M}\d'’-]{1,20}`
const PHRASE = new RegExp(String.raw`^${WORD}(?:[ ]${WORD}){1,7}(?=$|[.,;!?)]{1,2}(?:\s|$)|[ ][(/–—-]|["'\x60])`, 'u')
/** Up to where or what it is for: "… luna llena 22 en el servidor". */
const PHRASE_BEFORE = new RegExp(
  String.raw`^${WORD}(?:[ ]${WORD}){1,5}?(?=[ ](?:on|for|in|at|auf|für|am|im|en|para|sur|pour|dans|su|per|op|voor|na|do|på|för)[ ])`,
  'u',
)
const QUOTED = /["'`“„«「]([^\s"'`“”„«»「」,;(){}<>=]{1,20}(?: [^\s"'`“”„«»「」;(){}<>=]{1,20}){1,7})["'`”“»」]/gu
/** « trois pommes vertes » */
const GUILLEMETS = /«[ \u00a0\u202f]([^\s"'`«»;(){}<>=]{1,20}(?: [^\s"'`«»;(){}<>=]{1,20}){0,7})[ \u00a0\u202f]»/gu
const NEAR = 90
/** What a sentence begins with that is about the word behind it: "The password expires …". */
const SUBJECT =
  /^\W{0,4}(?:the|a|an|every|each|all|your|our|this|das|ein|jedes|dein|ihr|unser|le|la|les|un|une|votre|el|los|las|una|tu|su|il|lo|i|gli|o|os|as|a|um|uma|het|de|een)[ \t]$/iu
/** What a sentence goes on with: "… is on Friday", "password reset mails …". */
const GOES_ON =
  /^(?:on|in|at|to|for|from|with|by|of|too|only|not|auf|im|am|mit|von|zu|con|por|para|sur|pour|dans|avec|resets?|hints?|fields?|rules?|pages?|polic(?:y|ies)|forms?|changes?|managers?|prompts?|mails?|links?|strength|checks?|length)[ ]/i
/** "La clave es probar …": a key of understanding. */
const TO_DO = /^\p{L}{2,14}(?:ar|er|ir)[ ]/iu

/** Every run of words of a line that may be a password. */
export function phrasesIn(line: string): Candidate[] {
  if (line.length > LONGEST_LINE || !line.includes(' ')) return []
  const found = new Map<string, Candidate>()
  const add = (start: number, words: string) => {
    if (words.length >= 8 && words.length <= 90 && /\p{L}{3}/u.test(words))
      found.set(`${start} ${words.length}`, { start, end: start + words.length })
  }
  let told = 0
  for (const { 0: word, index } of line.matchAll(tells(line))) {
    if (told++ >= MOST_TELLING) break
    const from = index + word.length
    const rest = line.slice(from, from + NEAR + 90)
    for (const lead of SUBJECT.test(line.slice(0, index)) ? LEADS.slice(1) : LEADS) {
      const at = lead.exec(rest)?.[0].length
      if (at === undefined) continue
      for (const shape of [PHRASE, PHRASE_BEFORE]) {
        const words = shape.exec(rest.slice(at))?.[0]
        if (words === undefined || GOES_ON.test(words)) continue
        if (!(/^(?:clave|chave)$/i.test(word) && TO_DO.test(words))) add(from + at, words)
      }
    }
    for (const { 0: quoted, 1: words, index: at } of [...rest.matchAll(QUOTED), ...rest.matchAll(GUILLEMETS)])
      if (at < NEAR && !isSentence(words!)) add(from + at + quoted.indexOf(words!), words!)
  }
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** "The door is locked." is something that is said; a password has no full stop. */
function isSentence(words: string): boolean {
  if (!/^\p{Lu}\P{N}*\p{Ll}\.$/u.test(words)) return false
  return words.split(' ').length >= 4
}

/** Words that join others: a sentence has them, and a password of some words hardly. */
const JOINING = new Set(
  `a an the and or but not no of in on at to for from with by as is are was were be been it its this that these those you your we our
  they their he she his her i my if when than then so do does did has have had can could may must should will would only also see use using via per
  der die das den dem des ein eine einer einem einen und oder aber nicht kein keine ist sind war im in am an auf aus bei mit nach von vor zu zum zur
  für über unter wird werden wurde muss müssen kann können soll sie ihr ihre es er wir bitte siehe wie auch nur noch dass wenn
  le la les un une des du de et ou ne pas est sont dans sur pour par avec sans vous votre il elle ce cette doit être au aux que qui si
  el los las una unos y o no es son en con por para sin su sus se debe ser que del al lo como si
  il lo gli e di da con su per tra non è sono deve essere che nel della del al alla
  os as um uma e ou não é são em com por para sem deve ser seu sua que do da no na ao
  het een en of niet is zijn op met voor van naar moet worden kan je uw dat die te bij
  i lub nie jest są w na z do od dla przez musi być się to jak że oraz
  a nebo není je jsou v na s z do od pro musí být se to jak že
  och eller inte är i på med för av till måste vara kan det som en ett den
  ve veya değil bir bu için ile da de çok gibi
  и или не в на с по для из к от это как что если нужно можно`.split(/\s+/),
)

/** Whether a word only joins others: an article, a preposition, a pronoun. */
export function isJoining(word: string): boolean {
  return JOINING.has(word.toLowerCase())
}

/** What some words look like together: how many, how many of them are ordinary, and how many only join others. */
export function classOfPhrase(value: string): string {
  const words = value
    .toLowerCase()
    .split(/[ '’-]+/)
    .filter(Boolean)
  const joining = words.filter((word) => JOINING.has(word)).length
  const told = words.filter((word) => !JOINING.has(word) && word.length >= 3)
  const ordinary = told.filter(isOrdinaryWord).length
  const share = told.length === 0 ? 'empty' : ['none', 'few', 'half', 'most', 'all'][share5(ordinary, told.length)]
  return `phrase${Math.min(5, words.length)} ${joining === 0 ? 'bare' : joining === 1 ? 'joined' : 'said'} ${share}`
}

function share5(some: number, all: number): number {
  return some === 0 ? 0 : some === all ? 4 : some * 2 < all ? 1 : some * 2 === all ? 2 : 3
}
