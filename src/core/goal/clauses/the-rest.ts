import { REST } from '../languages/refusing.ts'
import { pathsIn } from '../paths-in.ts'
import { type Target, targetsIn } from '../targets.ts'
import { wordsIn } from './clauses-of.ts'
import { nameTargets, pathTargets } from './named-places.ts'
import { isClosing } from './refuses.ts'

export function beforeOutside(clause: string): Target[] | undefined {
  const head = clause.slice(0, clause.search(/以外|之外|외의|외에|제외/))
  const kinds = targetsIn(head, true).filter((target) => target.is === 'words' && target.sorts.length > 0)
  return pathTargets(head) ?? nameTargets(head) ?? (kinds.length > 0 ? kinds : undefined)
}

/** "The rest stays as it is". */
export function isRestLeft(clause: string): boolean {
  if (
    /(?<!\p{L})(?:no other files?|ningún otro (?:archivo|fichero)|nessun altro file|nenhum outro (?:arquivo|ficheiro)|aucun autre fichier|keine[rn]? anderen? datei(?:en)?|geen (?:enkel )?ander bestand|żadn\p{L}{1,4} inn\p{L}{1,4} plik\p{L}{0,3})(?!\p{L})/iu.test(
      clause,
    )
  )
    return true
  const words = wordsIn(clause)
  if (
    !words.some(
      ({ text }, at) =>
        REST.has(text) &&
        !PERSONS.test(words[at - 1]?.text ?? '') &&
        (text !== 'reste' || /^(?:le|du|au)$/.test(words[at - 1]?.text ?? '')),
    ) &&
    !/其他|其它|其余|それ以外|他の(?:ファイル|所|部分)|나머지/.test(clause)
  )
    return false
  return isClosing(clause) || /不动|不变/.test(clause)
}

/** "Don't touch a.ts or any other files": a.ts is closed like the rest, and not what is left open. */
export function besideRest(clause: string): Target[] | undefined {
  const others = OR_OTHERS.exec(clause)
  return others && isClosing(clause.slice(0, others.index)) ? pathTargets(clause.slice(0, others.index)) : undefined
}

export const OR_OTHERS =
  /(?<!\p{L})(?:or|nor|oder|ni|né|nem|ou|o|of|ani|или|або)\s(?:any(?:thing)?\s(?:of the\s)?(?:other|else)|irgendeine?\s?andere\p{L}*|etwas anderes|aucun autre|autre chose|(?:ningún|cualquier) otro|altro|qualquer outro|iets anders|inne|други[ехм]|инши[хй])(?!\p{L})/iu

/** "Nobody else edits there". */
const PERSONS = /^(?:nobody|noone|somebody|someone|anybody|anyone|everybody|everyone|who)$/

/** The places that were named last. */
export function placesNamed(clauses: string[]): Target[] | undefined {
  for (const clause of clauses.toReversed()) {
    // "Leave a.ts alone and touch nothing else": what is closed is not what stays open.
    if (isClosing(clause) && !isRestLeft(clause)) continue
    // "Package.swift + the workflow": what is named beside a path stays open as well.
    if (pathsIn(clause).length > 0) return targetsIn(clause, false)
  }
  return undefined
}
