import { clausesOf } from '../clauses/clauses-of.ts'
import { closedIn } from '../clauses/closed-in.ts'
import { tellsWhere } from '../clauses/only.ts'
import { isClosing } from '../clauses/refuses.ts'
import { OR_OTHERS } from '../clauses/the-rest.ts'
import { WORKS } from '../clauses/work-verbs.ts'
import { LANGUAGES, languagesOf } from '../languages/all.ts'
import { NOBODY_DID } from '../languages/clause-words.ts'
import { ENGLISH_LIMITS } from '../languages/english/limits.ts'
import type { Language } from '../languages/grammar.ts'
import { pathsIn } from '../paths-in.ts'
import { sentencesOf, withoutPasted } from '../prose.ts'
import { type Target, targetsIn } from '../targets.ts'
import { limitBy } from './by-pattern.ts'
import { closedByReader, keptByReader, withoutReports } from './by-reader.ts'
import { exceptions } from './exceptions.ts'
import { keptTogether, openWithin, sameTarget, spareAsked, spareNamedWork, spareOpened } from './left-open.ts'
import { clip, isOf, type Limit } from './limit.ts'
import { isPlaced, itemsUnderHead, withLists } from './lists.ts'
import { antecedent, objectAfter } from './spoken-of.ts'
import { closesRestAlone, wholeIn } from './whole.ts'

const known = new Map<string, Limit[]>()

const MOST_KNOWN = 500

/** A task keeps its limits as the user's words; what they mean is worked out once. */
export function meantBy(said: string): Limit[] {
  const before = known.get(said)
  if (before) return before
  // So few words may not tell their language.
  const found = limitsOf(said, LANGUAGES)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(said, found)
  return found
}

const MOST_LIMITS = 10

let last: { text: string; limits: Limit[] } | undefined

/** The limits that a text sets: asked for several times of each instruction, and worked out once. */
export function limitsIn(text: string): Limit[] {
  if (last?.text !== text) last = { text, limits: limitsOf(text, languagesOf(text)) }
  return last.limits
}

/** Each is said in words that mean the same when they are read alone. */
function limitsOf(text: string, languages: readonly Language[]): Limit[] {
  const found: Limit[] = []
  const sentences = sentencesOf(
    withLists(withoutPasted(text))
      .replace(NO_REFUSAL, ' ')
      .replace(NOBODY_DID, '…')
      .replace(FOR_EXAMPLE, 'such as')
      .replace(STRESSED, '$1'),
  ).map((sentence) => sentence.replace(OF_OTHERS, ''))
  const foreign = languages.flatMap(({ limits }) => limits)
  for (const [index, sentence] of sentences.entries()) {
    // "Is it possible without touching every component?", or a drawing of folders.
    if (PURE_QUESTION.test(sentence) || /^[│├└─\s]*[├└]/.test(sentence)) continue
    if (tellsWhere(sentence) || PART_ONLY.test(sentence) || isAllowedAlone(sentence)) continue
    const row = closedInRow(sentence)
    if (row) {
      if (row.length > 0) found.push({ said: clip(sentence), forbids: 'named', targets: row, except: [] })
      continue
    }
    const aside = closedAside(sentence)
    if (aside.length > 0) found.push({ said: clip(sentence), forbids: 'named', targets: aside, except: [] })
    const before = sentences[index - 1] ?? ''
    const items = itemsUnderHead(sentence)
    const listed = items === undefined ? [] : listedIn(items.replace(/[.。]$/, ''))
    if (listed.length > 0) {
      found.push({ said: clip(sentence), forbids: 'named', targets: listed, except: exceptions(sentence) })
      continue
    }
    const kept = keptOpen(sentence)
    if (kept) {
      if (kept.length > 0) found.push({ said: clip(sentence), forbids: 'others', targets: kept, except: [] })
      continue
    }
    // "All but X must not be touched" is said of all but X.
    const isOutside = CJK_OUTSIDE.test(sentence)
    const ruled: Limit[] = []
    for (const pattern of MAY_CLOSE.test(sentence) ? [...ENGLISH_LIMITS, ...foreign] : foreign) {
      if (isOutside && pattern.forbids === 'named') continue
      const limit = limitBy(pattern, sentence, before)
      if (limit && !ruled.some((one) => one.said === limit.said && sameTargets(one, limit))) ruled.push(limit)
    }
    for (const { forbids, targets, isAfter, isKept } of closedIn(sentence, before, antecedent)) {
      // "Only a.ts and its test in b.ts": what a pattern has heard of it is open beside the rest.
      const isBeside = (one: Limit, target: Target) =>
        forbids === 'others' &&
        target.is === 'path' &&
        ruled.includes(one) &&
        !one.targets.some((open) => sameTarget(open, target))
      const isKnown = (target: Target) =>
        [...found, ...ruled].some((one) => isOf(one, forbids, target, isKept) && !isBeside(one, target))
      const fresh = targets.filter((target) => !isKnown(target))
      if (fresh.length === 0) continue
      const said = clip(isAfter ? `${before} ${sentence}` : sentence)
      const except = exceptions(sentence, fresh)
      ruled.push({ said, forbids, targets: fresh, except, ...(isKept && { isKept }) })
    }
    const isRestAlone = closesRestAlone(sentence)
    found.push(...withoutReports(ruled, sentence).filter(({ forbids }) => !isRestAlone || forbids === 'others'))
    if (!isOutside && !isRestAlone) found.push(...closedByReader(sentence, before, found))
    found.push(...keptByReader(sentence, before, found))
    // "Leave the rest alone, above all config/": named outright.
    const stressed = ABOVE_ALL.exec(sentence)
    const named = stressed ? pathsIn(sentence.slice(stressed.index)) : []
    if (named.length > 0 && (wholeIn(sentence) === 'rest' || found.some(({ said }) => said.endsWith(clip(sentence)))))
      found.push({
        said: clip(sentence),
        forbids: 'named',
        targets: named.map((path): Target => ({ is: 'path', path })),
        except: [],
      })
    spareOpened(found, clip(sentence))
    const whole = wholeIn(sentence) ?? (isOrOthers(sentence, found) || refusesOthers(sentence) ? 'rest' : undefined)
    const isHere = ({ said }: Limit) => said.endsWith(clip(sentence))
    if (whole === 'code' && !found.some((limit) => isHere(limit) && limit.targets.some(({ is }) => is === 'code')))
      found.push({ said: clip(sentence), forbids: 'named', targets: [{ is: 'code' }], except: [] })
    if (whole === 'rest' && !found.some((limit) => limit.forbids === 'others' && isHere(limit)))
      found.push(rest(sentences, index))
  }
  return openWithin(spareAsked(keptTogether(spareNamedWork(found, sentences)), sentences), sentences).slice(
    0,
    MOST_LIMITS,
  )
}

/** The places of an item; what follows a dash says why. */
function listedIn(items: string): Target[] {
  const item = items.split(/\s[-–—]{1,2}\s/)[0]!
  const deed = WORKS.exec(item)?.[0]
  // "Do NOT: - Use any new dependencies": a deed, and the kind of files that it would change.
  if (deed !== undefined && pathsIn(item).length === 0)
    return targetsIn(item.slice(deed.length), false).filter(
      (target) => target.is === 'words' && target.words.length === 0 && target.isPlace,
    )
  const named = targetsIn(item, true).filter(isPlaced)
  return named.some(({ is }) => is === 'path') ? named.filter(({ is }) => is === 'path') : named
}

/** "Corrige RecordService, et rien d'autre": open is what was named, here or in the sentences before. */
function rest(sentences: readonly string[], at: number): Limit {
  const said = sentences[at]!
  const names = sentences.some((sentence) => pathsIn(sentence).length > 0) ? [] : namesIn(said)
  return {
    said: clip(said),
    forbids: 'others',
    targets: names,
    except: [],
    ...(names.length === 0 && { isRest: true as const }),
  }
}

/** Names of classes and components, which mostly are names of files. */
function namesIn(text: string): Target[] {
  const names = text.match(/\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b/g) ?? []
  return [...new Set(names)].flatMap((name) => targetsIn(name, true))
}

/** "The strings are in en.json (don't touch)": what a bracket refuses is what it follows. */
function closedAside(sentence: string): Target[] {
  return [...sentence.matchAll(ASIDE)].flatMap(({ groups }) => {
    const [path, ...more] = pathsIn(groups!.what!)
    const isClosed = path !== undefined && more.length === 0 && pathsIn(groups!.aside!).length === 0
    return isClosed && isClosing(groups!.aside!) ? [{ is: 'path', path } as const] : []
  })
}

const ASIDE = /(?<![^\s(])(?<what>[^\s()]{2,120})\s?\((?<aside>[^()]{3,60})\)/g

/** "| risc.c | no change |": a row of a table closes what its first cell names, or nothing. */
function closedInRow(sentence: string): Target[] | undefined {
  if (!/^\|.*\|$/.test(sentence)) return undefined
  const cells = sentence.split('|').map((cell) => cell.replace(/[*`]/g, '').trim())
  const isClosed = cells.some((cell) => NO_CHANGE.test(cell))
  return isClosed ? pathsIn(cells[1] ?? '').map((path): Target => ({ is: 'path', path })) : []
}

const NO_CHANGE =
  /^(?:no changes?(?: (?:needed|required|at all))?|unchanged|untouched|not touched|do(?:n['’]?t| not) (?:touch|change|edit|modify)|leave(?: as[- ]is| alone)?|as[- ]is|read[- ]?only|keine änderung(?:en)?|unverändert|aucun changement|inchangé|sin cambios|nessuna modifica|sem alterações|geen wijziging(?:en)?|bez zmian|без изменений|без змін|不变|不改|変更なし|변경 없음)(?:\s(?:yet|for now|please|here|this time|bitte|noch|vorerst))?(?:\s{0,2}[,;.(–—-].{0,120})?$/i

/** "Ne touche qu'à src/panier", "no cambies nada más que el css": what is left open, as far as it is clear. */
function keptOpen(sentence: string): Target[] | undefined {
  const said = NOTHING_BUT.exec(sentence)
  if (!said) return undefined
  const phrase = objectAfter(sentence.slice(said.index + said[0].length))
  return targetsIn(phrase, true).filter((target) => target.is === 'path' || (target.is === 'words' && target.isFile))
}

const NOTHING_BUT =
  /(?<!\p{L})(?:n(?:e|['’])\s?(?:touch|modifi|chang|édit)\p{L}{1,4} (?:rien d['’]autre )?qu(?:e\s|['’](?:à\s|au\s)?)|nada (?:más|mas) que\s|nada que no sea\s|(?:nient['’])?altro che\s|nada além d[eoa]s?\s|nada mais (?:do )?que\s|nichts (?:anderes )?als\s|niets anders dan\s|nic(?:zego)? innego niż\s|ничего,? кроме\s|нічого,? крім\s)/iu

const ABOVE_ALL =
  /(?<!\p{L})(?:especially|particularly|in particular|above all|most of all|notably|insbesondere|vor allem|besonders|surtout|notamment|en particulier|sobre todo|especialmente|en especial|soprattutto|in particolare|sobretudo|principalmente|vooral|met name|zwłaszcza|szczególnie|особенно|в частности|особливо|özellikle)(?!\p{L})|尤其|特别是|特に|특히/iu

/** "Do not touch a.ts or any other files": a.ts, and all that is not asked for. */
function isOrOthers(sentence: string, found: readonly Limit[]): boolean {
  return (
    OR_OTHERS.test(sentence) && found.some(({ forbids, said }) => forbids === 'named' && said.endsWith(clip(sentence)))
  )
}

/** "You may take ops.md in as well, but only that one": it opens one file more in what is closed, and closes nothing. */
const isAllowedAlone = (sentence: string) => ALLOWS.test(sentence) && BUT_ONLY_THAT.test(sentence)

const ALLOWS =
  /(?<!\p{L})(?:you (?:can|may|could)|feel free to|du (?:darfst|kannst)|tu peux|puedes|puoi|podes?|je mag|możesz)(?!\p{L})/iu

const BUT_ONLY_THAT =
  /,? (?:but|aber|mais|pero|ma|mas|maar|ale) (?:only|just|nur|seulement|uniquement|s[oó]lo|soltanto|só|apenas|alleen|tylko) (?:that|this|dies\p{L}{1,2}|ce(?:lui|tte)?|es[eo]|est[ea]|quest[oa]|quell[oa]|ess[ea]|dat|dit|ten|tę)(?!\p{L})/iu

/** "a.c只能修改函数f()": of one file one part is open, and of the others nothing is said. */
const PART_ONLY =
  /[\w-]\.\w{1,8}\s?(?:里|中|里面)?(?:只|仅)(?:能|可以|可|允许|许|准)?(?:修改|改|动|更改)[^，。]{0,12}(?:函数|方法|部分|变量|类|接口)/u

/** "No crees ni modifiques otros archivos". */
function refusesOthers(sentence: string): boolean {
  return clausesOf(sentence).some(
    (clause) =>
      OTHER_FILES.test(clause) && pathsIn(clause.slice(clause.search(OTHER_FILES))).length === 0 && isClosing(clause),
  )
}

const OTHER_FILES =
  /(?<!\p{L})(?:otros (?:archivos|ficheros)|altri file|outros (?:arquivos|ficheiros)|d?['’]?autres fichiers|anderen? dateien|andere bestanden|inn(?:e|ych) plik(?:i|ów)|други[ех] файл\p{L}{0,3}|інш\p{L}{1,3} файл\p{L}{0,3})(?!\p{L})/iu

/** `Don't "fix" the code`. */
const STRESSED = /["“]([a-z]{3,12})["”]/g

/** The dots end no sentence. */
const FOR_EXAMPLE = /\b(?:e\.\s?g\.|i\.\s?e\.|z\.\s?B\.|p\.\s?ej\.|p\.\s?ex\.|ad es\.),?/gi

/** What sounds like a refusal and asks for something: "don't forget to update the README". */
const NO_REFUSAL =
  /\b(?:do not|don['’]?t|never|not) (?:forget|hesitate|worry about|bother with|just|only|stop until)\b|\b(?:i|we) (?:can['’]?t|cannot|couldn['’]?t|could not|wasn['’]t able to) (?!touch\b)|\bvergiss nicht|\bnicht vergessen\b|\bn['’]oublie[zs]? pas\b|\bno (?:te |se )?olvid\p{L}+|\bnon dimenticar\p{L}*|\bnão (?:se )?esque[cç]\p{L}*|\bvergeet niet\b|\bniet vergeten\b|\bnie zapomnij|не забу(?:дь|вай)\p{L}*|(?:上書き|覆盖)(?:は|を)?禁止|덮어쓰기\s?금지|别忘了?|不要忘(?:记|了)?|忘れ(?:ずに?|ないで(?:ください)?)|잊지 말고/giu

/** What happens when somebody else does something is said of the program: "wenn der Nutzer nichts ändert, …". */
const OF_OTHERS =
  /^(?:and |but |und |aber |et |y |e )?(?:when(?:ever)?|if|wenn|falls|sobald|quand|lorsque|si|cuando|se|quando|als|wanneer|jeśli|gdy|если|когда|якщо|коли|när|om|når|hvis)\s(?!you|u\s|du\s|tu\s|je\s|ты\s|вы\s|ти\s)[^,;:.]{3,120},\s(?=\S{0,60}\.\w|(?:soll|muss|doit|debe|deve|moet|должен|the|it)\s)|[^。、]{0,60}ないように(?:し|修正|変更)[^。]{0,20}/iu

const PURE_QUESTION =
  /^(?:(?:and|but|so|ok|hm+|also)[ ,]+)?(?:is|are|was|were|does|do|did|why|what|how|where|which|who|when|would it|should)\b[^?]{0,300}\?$/i

const CJK_OUTSIDE = /(?:以外|之外|외의|외에)/

/** Something of every way to say it in English. */
const MAY_CLOSE =
  /\b(?:not|before|first|ask|cannot|nobody|don|dont|never|freeze|no|nor|none|nothing|nowhere|without|avoid|refrain|only|just|leave|let|keep|stay|stays|remains?|hands|off|is|are|should|must|may|excluded|excluding|exempt|except|apart|aside|other|besides|but|restrict|limit|confine|work|treat|consider|focus|concentrate|allowed|permitted|editable)\b|n['’]t\b|that['’]s (?:it|all)\b/i

function sameTargets(a: Limit, b: Limit): boolean {
  return a.forbids === b.forbids && JSON.stringify(a.targets) === JSON.stringify(b.targets)
}
