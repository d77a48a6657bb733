import { kindNamed } from '../kinds-of-files.ts'
import { GAP, ONLY_KIND, ONLY_NAMES, OPENINGS, PART_IN } from '../languages/clause-words.ts'
import { KEEPS_TO, ONLY, TOUCHING } from '../languages/refusing.ts'
import { pathsIn } from '../paths-in.ts'
import { type Target, targetsIn } from '../targets.ts'
import { clausesOf, wordsIn } from './clauses-of.ts'
import { FUNCTION_NAME, nameTargets, pathTargets } from './named-places.ts'
import { IN } from './refused.ts'
import { FILLING, isChanged, isEmpty } from './refuses.ts'
import { WORKS } from './work-verbs.ts'

/** "Only log in production, not in the tests": where a program does something, and no place to work in. */
export function tellsWhere(sentence: string): boolean {
  const [only = '', not = '', ...more] = clausesOf(sentence)
  if (more.length > 0 || !ONLY.test(only) || !NOT_IN.test(not) || pathsIn(sentence).length > 0) return false
  const words = wordsIn(only)
  const verb = words.find(({ text }) => !FILLING.has(text) && !ONLY.test(text))?.text ?? ''
  if (words.some(isChanged) || TOUCHING.has(verb) || /^(?:work|look|focus|files?|fix|arbeite)$/.test(verb)) return false
  if (ENVIRONMENT.test(only)) return true
  return (
    /^only$/.test(words[0]?.text ?? '') &&
    words[1]?.text === verb &&
    IN.test(words[2]?.text ?? '') &&
    !WORKS.test(`${verb} `)
  )
}

const NOT_IN =
  /^(?:and |und |et |y |e )?(?:not|nicht|pas|no|non|não|niet|nie|не) (?:in|on|im|dans|en|nel|nei|nelle|nos|nas|em|w|в) /i

const ENVIRONMENT =
  /(?<!\p{L})(?:prod|production|staging|development|dev|debug|produktion|producción|produção|produzione|productie|produkcji|проде|продакшене)(?!\p{L})/iu

/** "In internal/billing only", "stick to crates/import": all else is closed. Only a path says clearly what stays open. */
export function keptTo(clause: string): Target[] | undefined {
  const kept = KEEPS_TO.exec(clause)
  if (kept) return pathTargets(clause.slice(kept.index))
  const only = ONLY.exec(clause)
  if (!only) return undefined
  const after = clause.slice(only.index + only[0].length)
  // "Only by the release bot".
  if (/^\s{1,3}(?:by|via|through|von|durch|par|por|da|door|przez)\s/i.test(after)) return undefined
  const named = pathsIn(clause).length === 0 ? ONLY_NAMES.exec(after)?.[0] : undefined
  if (named !== undefined && !/\p{L}/u.test(clause.slice(0, only.index).replace(OPENINGS, '')))
    return FUNCTION_NAME.test(named) ? undefined : nameTargets(named)
  const kind = pathsIn(clause).length === 0 ? ONLY_KIND.exec(after) : null
  // "Ich will nur das CSS geändert haben".
  if (kind && kindNamed(kind.groups!.kind!.toLowerCase()) && wordsIn(clause).some(isChanged))
    return targetsIn(kind.groups!.kind!, true)
  const first = pathsIn(after)[0]
  const gap = first === undefined ? undefined : after.slice(0, after.indexOf(first)).trim()
  const rest = first === undefined ? '' : after.slice(after.indexOf(first) + first.length)
  if (gap !== undefined && GAP.test(gap) && isEnd(rest))
    return isOfThings(clause.slice(0, only.index)) ? undefined : pathTargets(after)
  // "Only update the translations in nl.json".
  const isPartOf = gap !== undefined && PART_IN.test(gap) && wordsIn(clause).some(isChanged)
  if (isPartOf && (isEnd(rest) || wordsIn(rest).every(isChanged))) return pathTargets(after)
  const beforeOnly = clause.slice(0, only.index)
  const last = pathsIn(beforeOnly).at(-1)
  if (last === undefined) return undefined
  const between = beforeOnly.slice(beforeOnly.lastIndexOf(last) + last.length).trim()
  if (!/^[)）の中内里,]{0,3}$/.test(between) || !isEnd(after)) return undefined
  // "The texts in en.json only": where a part of the work goes, and not all of it.
  const head = beforeOnly.slice(0, beforeOnly.indexOf(pathsIn(beforeOnly)[0]!)).trim()
  const isPart =
    /\s(?:in|im|dans|en|nel|em|w|в)$/i.test(head) &&
    !WORKS.test(`${head} `) &&
    wordsIn(head).filter(({ text }) => !isEmpty(text)).length > 1
  return isPart ? undefined : pathTargets(beforeOnly)
}

/** "New keys only in de.json": where some things go, and not all of the work. */
function isOfThings(head: string): boolean {
  const words = wordsIn(head).filter(({ text }) => !isEmpty(text))
  return (
    words.length > 0 &&
    words.length <= 3 &&
    !words.some(({ start }) => WORKS.test(`${head.slice(start).trim()} `)) &&
    !words.some(isChanged) &&
    !WORK.test(head)
  )
}

const WORK =
  /(?<!\p{L})(?:work|fix|changes?|edits?|commit|pr|diff|änderung(?:en)?|arbeite?|modifications?|travail|cambios?|trabaj\p{L}{1,3}|modifiche|lavor\p{L}{1,2}|alterações|mudanças|wijziging(?:en)?|werk|zmiany|pracuj|правки|изменения|зміни)(?!\p{L})/iu

function isEnd(rest: string): boolean {
  return (
    /^[\s)）.,、/]{0,4}(?:$|(?:pls|plz|please|bitte|thanks|thx|svp|por favor|and|und|et|y|e|en|i|и)(?!\p{L}))/iu.test(
      rest,
    ) ||
    /^[\s)）]{0,3}(?:を|に|は|で|里|中|下|改|수정|고치|변경|直|修正|更新|変更|anfassen|ändern|anpassen|bearbeiten|doit changer|aanpassen|wijzigen)/i.test(
      rest,
    )
  )
}
