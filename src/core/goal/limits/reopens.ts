import { identifierParts, identifiers, stem, words } from '../../text/words.ts'
import { targetsOpened } from '../asked.ts'
import { isClosing } from '../clauses/refuses.ts'
import { isAt, meets } from '../meets.ts'
import { pathsIn } from '../paths-in.ts'
import { sentencesOf, withoutPasted } from '../prose.ts'
import { isPlainWord, type Target } from '../targets.ts'
import { onlyAnswers } from './answer-only.ts'
import { clip } from './limit.ts'
import { limitsIn, meantBy } from './limits-in.ts'
import { ACTS } from './spoken-of.ts'

const LETS =
  /(?<!\p{L})(?:(?:the )?same (?:for|in|with|to)|aufgehoben|freigegeben|wieder (?:frei|offen)|fertig|ist durch|merged|is done|are done|is back|terminé|levée?s?|à nouveau|ya (?:puedes|se puede|está)|levantad[oa]|liberad[oa]|di nuovo|finito|opgeheven|klaar|już (?:można|wolno)|you (?:can|may)|(?:is|are) (?:allowed|ok(?:ay)?|fine|free|open)|allowed|unfrozen|unlocked|reopened|go ahead|after all|no longer|anymore|any more|is gone|lift(?:ed)?|now you may|feel free|the one to|too(?!\p{L})|outside|(?:forget|scrap|disregard|never ?mind) (?:what|that|about|the|my)(?!\p{L})|ignore (?:what i|my|the (?:rule|limit|restriction))(?!\p{L})|vergiss|oublie|olvida|dimentica|esque[cç]|vergeet|zapomnij|du (?:darfst|kannst)|erlaubt|tu peux|vous pouvez|puedes|puoi|pode|mag nu|mag je|możesz|можешь|можно|разрешаю|забудь|снова|уже|снят|вже)|解除|解禁|解封|可以|允许|忘了|忘掉|忘れて|撤回|していい|して良い|てもいい|해도 돼|해도 됩니다|잊어/iu

/**
 * Whether newer words open again what a limit has closed: they name it, and allow or ask for a change there. Who names one
 * file of it opens that file, and the rest stays closed.
 */
export function reopens(text: string, said: string): boolean {
  const closedNow = limitsIn(text).filter(({ forbids }) => forbids === 'named')
  const sentences = sentencesOf(withoutPasted(text))
  const lets = sentences.some((sentence) => LETS.test(sentence) || targetsOpened(sentence).length > 0)
  // Who goes on with what the work is kept to has not opened the rest.
  const closed = meantBy(said).flatMap(({ forbids, targets }) => (forbids === 'named' || lets ? targets : []))
  return sentences.some((sentence) => {
    const own = closedNow.filter((limit) => limit.said.includes(clip(sentence))).flatMap(({ targets }) => targets)
    const asks = lets || ACTS.test(sentence)
    // A place that is named where nothing closes it is hardly meant to stay closed: "envs/ yes, modules/ no".
    const isOpen = (target: Target) => asks || (target.is === 'path' && (own.length > 0 || !isClosing(sentence)))
    return closed.some(
      (target) =>
        isOpen(target) && isNamedIn(target, withoutFilesOf(target, sentence)) && !own.some((one) => holds(one, target)),
    )
  })
}

function withoutFilesOf(target: Target, sentence: string): string {
  const isOf = (path: string) =>
    /\.\w+$/.test(path) && meets(target, path) && !(target.is === 'path' && isAt(path, target.path))
  return pathsIn(sentence)
    .filter(isOf)
    .reduce((text, path) => text.replaceAll(path, ' '), sentence)
}

/** "No edits in api/ this sprint", and later "the sprint is over": what a limit held for has passed. */
export function hasPassed(text: string, said: string): boolean {
  const what = PASSED.exec(text)?.groups?.what?.toLowerCase()
  if (what === undefined || !said.toLowerCase().includes(what)) return false
  // "The tests are done": the place itself, and not what it was closed for.
  return !meantBy(said).some(({ targets }) => targets.some((target) => isNamedIn(target, what)))
}

const PASSED =
  /(?<!\p{L})(?<what>\p{L}{4,30})\s(?:is|are|was|has been|ist|est|es|está|è|é|foi)\s(?:now\s|already\s|jetzt\s|déjà\s|ya\s)?(?:over|out|done|finished|through|behind us|shipped|merged|completed?|passed|lifted|vorbei|durch|raus|fertig|terminée?|passée?|sortie?|terminad[oa]|finit[oa]|usc[ií]t[oa]|concluíd[oa]|voorbij|klaar)(?!\p{L})/iu

/** "Yes, update them": leave that was asked for is given, for what a pronoun stands for and not a name. */
export function givesLeave(text: string): boolean {
  return text.length <= 80 && GIVES_LEAVE.test(text.trim()) && limitsIn(text).length === 0
}

const GIVES_LEAVE =
  /^(?:yes|yep|yeah|sure|ok(?:ay)?|ja|klar|oui|s[ìí]|si|claro|certo|sim|tak|да|так|evet)[\s,.!]{1,3}(?:please |bitte |go ahead and |you can |du kannst |pode |puedes |puoi )?(?:(?:update|change|edit|fix|adapt|adjust|rewrite|touch|correct) (?:them|those|these|it|that|both)|(?:änder|aktualisier|korrigier|pass)e? (?:sie|das|es|beide)|(?:mets|modifie|change|corrige|adapte|actualise)-(?:les|le|la)|(?:actualíza|cámbia|modifíca|corríge|arrégla|ajústa|adápta)l[oa]s?|(?:aggiorna|modifica|cambia|correggi|sistema|adatta)(?:l[ieoa])|(?:atualiza|altera|muda|corrige|ajusta)-[oa]s?|(?:pas|werk|wijzig) (?:ze|het)|(?:zmień|popraw|zaktualizuj) (?:je|to)|(?:обнови|измени|исправь|поправь|онови|зміни|виправ) (?:их|его|её|їх|його))(?!\p{L})|^(?:はい|ええ)[、。]?(?:更新|修正|変更|直)して|^(?:好|好的|可以)[，。]?(?:改|更新|修改)(?:吧|它们|一下)/iu

function holds(target: Target, other: Target): boolean {
  if (target.is === 'path' && other.is === 'path') return isAt(target.path, other.path)
  return JSON.stringify(target) === JSON.stringify(other)
}

/** Whether a limit keeps the work to what it names. */
export function keepsTo(said: string): boolean {
  return !onlyAnswers(said) && meantBy(said).some(({ forbids }) => forbids === 'others')
}

const PUT_OFF =
  /\b(?:yet|until|till|before|for now|first|noch nicht|erst|bevor|pas encore|avant|todav[ií]a|a[uú]n no|antes|ainda|ancora|prima|nog niet|voordat|jeszcze|zanim)\b|пока|ещё|сначала|до того|先|暂时|还不|まだ|前に|아직|전에/i

/** Whether a limit puts all code off, and holds until the user wants it. */
export function untilTold(said: string): boolean {
  const limits = meantBy(said)
  return (
    PUT_OFF.test(said) && limits.length > 0 && limits.every(({ targets }) => targets.every(({ is }) => is === 'code'))
  )
}

/** "Don't touch coupon.js yet": put off, and not for good. */
const YET =
  /(?<!\p{L})(?:yet|noch nicht|pas encore|todav[ií]a no|a[uú]n no|ainda não|ancora no|non ancora|nog niet|jeszcze nie|(?:пока|ещё|еще) не|поки не)(?!\p{L})|まだ|아직|(?:先|暂时|还)不/iu

/** Whether a limit puts off what the user is about to ask for. */
export function isPutOff(said: string): boolean {
  return YET.test(said)
}

function isNamedIn(target: Target, sentence: string): boolean {
  const text = sentence.toLowerCase()
  if (target.is === 'path') {
    const name = target.path
      .replace(/(?<![/*_])[/*_]+$/, '')
      .split('/')
      .at(-1)!
      .toLowerCase()
    const [bare] = name.split('.')
    // "You may change the prod config as well": a part of its name, where leave is given.
    if (
      LETS.test(sentence) &&
      identifiers(bare!)
        .flatMap(identifierParts)
        .some((part) => part.length > 3 && !isPlainWord(part.toLowerCase()) && isSaid(part, sentence))
    )
      return true
    const isNamed = name.includes('.') ? text.includes(name.replace(/^_+/, '')) || text.includes(bare!) : false
    return isNamed || text.split(NO_NAME).includes(name) || isSaid(bare!, sentence)
  }
  if (target.is !== 'words') return false
  // Who may change the schema may change the database.
  if (target.sorts.some((sort) => STORED.test(sort)) && STORED.test(sentence)) return true
  const said = new Set(words(sentence).map(stem))
  // Who asks for the suppliers may mean their list.
  const named = [...target.words, ...target.sorts.map(stem)]
  return named.every((word) => said.has(word)) || target.words.some((word) => word.length > 4 && said.has(word))
}

/** What stands between names; in languages without spaces also what is no Latin letter. */
const NO_NAME = /[^a-z0-9_.*@-]+|\.(?=\s|$)/

const STORED = /\b(?:database|db|schema|migrations?|tables?|columns?)\b/i

function isSaid(word: string, sentence: string): boolean {
  return word.length > 3 && words(sentence).map(stem).includes(stem(word))
}
