import { identifierParts, identifiers, stem, words } from '../../text/words.ts'
import { WORKS } from '../clauses/work-verbs.ts'
import { pathsIn } from '../paths-in.ts'
import { type Target, targetsIn } from '../targets.ts'

/** What stands before it is what a clause speaks of. */
const SAID_OF =
  /\s(?:is|are|was|were|has|have|had|should|must|can|will|needs?|contains?|gets?|does|belongs?|comes?|stays?|remains?|still|ist|sind|gehör\p{L}+|wird|werden|est|sont|appartien\p{L}+|es|son|está|están|pertenec\p{L}+|è|sono|apparten\p{L}+|appartiene|é|são|pertenc\p{L}+|zijn|hoort|horen|jest|są|należ\p{L}+|принадлеж\p{L}+|належ\p{L}+|är|hör|hører|sköts|patří)\s/u

/** "All modules but vpc": who speaks of all of them closes one. */
const ALL =
  /^\s{0,3}(?:(?:in|for|on|to|add|run|go|do|update|change)\s(?:\S{1,20}\s){0,3})?(?:all|every|each|everything|alle[nsr]?|jede[nsr]?|toutes?|tous|chaque|todos?|todas?|cada|tutt[ieo]|ogni|elke?|wszystkie|każd\p{L}{1,3}|все[хм]?|кажд\p{L}{2,3})\s/iu

/** "Do not run the migrations": what is spoken of follows. */
const REFUSED_DEED =
  /^(?:please )?(?:do not|don['’]?t|never) (?:run|execute|use|apply|generate|delete|drop|read|open|rely on)\s/i

export function antecedent(text: string): Target[] {
  // "The other guide (ops.md) belongs to the platform team": a file in brackets is what is spoken of.
  const bare = text.replace(/\((?<file>[\w@./-]{1,120}\.\w{1,8})\)/g, '$<file>')
  const clauses = bare.split(/[;:,]|(?<!\/)\(|\)(?!\/)|\s-\s|\s(?:but|so|because|and then|while|whereas)\s/).reverse()
  for (const clause of clauses) {
    if (ALL.test(clause)) return []
    // "Update the changelog and nothing else": what is to be done with it is no part of its name.
    const subject = clause.trim().replace(REFUSED_DEED, '').replace(WORKS, '').split(SAID_OF)[0] ?? ''
    const named = targetsIn(subject, false).filter(({ is }) => is !== 'everything')
    if (named.some(({ is }) => is === 'path')) return named.filter((target) => target.is !== 'words' || target.isPlace)
    const inside = pathsIn(clause).map((path): Target => ({ is: 'path', path }))
    if (inside.length > 0) return inside
    if (named.length > 0) return named
  }
  return []
}

/** "Use the types of api.d.ts in fetch.ts. Types are generated, never edit them": of what was named those that are spoken of. */
export function amongNamed(named: Target[], said: string): Target[] {
  const subject = new Set(words(said).map(stem))
  const meant = named.filter(
    (target) =>
      target.is === 'path' &&
      identifiers(target.path)
        .flatMap(identifierParts)
        .some((part) => subject.has(stem(part))),
  )
  return meant.length > 0 ? meant : named
}

/** What the last thought says something of, in a word or two. */
export function placeSpokenOf(text: string): Target[] {
  const thought = text.split(/[;:,()]/).findLast((clause) => IS.test(clause)) ?? ''
  const subject = thought.trim().split(IS)[0]!
  return subject.split(' ').length <= 3 ? targetsIn(subject, true).filter(({ is }) => is === 'words') : []
}

/** How things are, and not how they should be. */
const IS = /\s(?:is|are|was|were|has been|belongs?|comes?)\s/

const STOP =
  /[;!?。！？；]|(?<!following|these|files?|component|folder|directory|module|package|path|class):\s|\.(?=\s|$)|\s[-–—]+\s|\s(?:to (?:make|get|fix|satisfy|silence|work around|achieve|accomplish|let|keep|have|pass)|because|since|coz|cause|bc|so|but|while|when|whenever|even if|even when|if|unless|until|though|although|for now|right now|yet|please|per favore|por favor|s['’]il (?:te|vous) pla[iî]t|svp|stp|bitte|alsjeblieft|proszę|пожалуйста|thanks|instead|except|apart from|other than|then|which|who|as (?:it|they|we|i|you|people|that|those|these)|weil|aber|wenn|sondern|car|mais|parce|porque|pero|si|ma|perché|mas|maar|omdat|ale|bo|потому|но|если)(?=\s|$|[,.;!?])/i

export const ACTS =
  /\b(?:change|fix|edit|update|add|put|move|rename|remove|delete|rewrite|adapt|adjust|use|make|set|refactor|extend|write|do|upgrade|bump|implement|create|build|improve|convert|migrate|replace|clean|handle|introduce|extract|split|merge|port|simplify|speed|bring|translate|enable|disable)\b|änder|anpass|behebe|füge?\s|lösch|entfern|ersetz|modif|supprim|corrig|ajoute|répar|remplac|refon|cambi|arregla|añad|elimina|aggiung|corregg|rimuov|sostitu|muda|altere|adicion|corrij|remov|arrum|zmień|popraw|dodaj|usuń|измени|исправь|добавь|поменяй|удали|убери|замени|почини|виправ|додай|видали|değiştir|düzelt|ekle|sil\s|改|修|変更|修正|수정|변경/i

/** What follows up to where the thought ends; a comma goes on only with more of the same kind. */
export function objectAfter(text: string): string {
  const thought = text.split(STOP)[0] ?? ''
  // A list in brackets belongs to what stands before it.
  const [first = '', ...more] = thought.split(/,\s*(?![^(]{0,200}\))/)
  const listed = [first]
  for (const [at, part] of more.entries()) {
    const item = part.replace(/^(?:and|or|nor)\s/, '')
    // "…, speed up the parser (src/lexer.rs)", "…, just the css (a.css)": what is wanted, and no further item.
    if (INSTEAD.test(item) || (/[(（]/.test(item) && pathsIn(item).length > 0 && pathsIn(first).length === 0)) break
    // "Booking, confirmation, layout.tsx": what stands in a list with files is one of them.
    if (isAmong(item, more.slice(at + 1))) {
      listed.push(part)
      continue
    }
    const beside = pathsIn(item).reduce((rest, path) => rest.replace(path, ' '), item)
    if (
      item.split(/\s+/).length > 4 ||
      ACTS.test(beside) ||
      ELSEWHERE.test(item) ||
      targetsIn(item, false).length === 0
    )
      break
    listed.push(part)
  }
  return listed.join(', ').trim()
}

function isAmong(item: string, later: readonly string[]): boolean {
  return /^[\w-]{2,40}(?: [\w-]{2,40})?$/.test(item) && !ACTS.test(item) && later.some((one) => isPathAlone(one))
}

function isPathAlone(item: string): boolean {
  return /^(?:and |or )?\S{1,120}$/.test(item) && pathsIn(item).length > 0
}

const INSTEAD =
  /^(?:just|only|rather|instead|but|nur|sondern|lieber|seulement|juste|plutôt|solo|sólo|sino|bensì|só|apenas|mas|alleen|maar|tylko|только|лишь|а)\s/iu

/** "…, somewhere in a.ts": where the work is done, and no further item. */
const ELSEWHERE = /\b(?:in|inside|under|within|from)\s+\S{0,80}[./]/

export function objectBefore(text: string): string {
  const thought =
    text
      .split(
        /[;:!?(。！？；，]|\.\s|,\s(?!(?:and|or)\s|\S+\.\w)|\s[-–—]+\s|\s(?:because|since|so|but|while|that(?!\s(?:one|file|folder)\s?$)|aber|mais|pero|ma|mas|maar|ale|но)\s/,
      )
      .at(-1) ?? ''
  const subject = thought.split(/\s(?:have|has|had|is|are|was|were|do|does|runs?)\s/)[0] ?? ''
  return subject.trim().replace(/^(?:(?:and|but|so|then|because|since|und|aber|et|mais|y|pero)\s+)+/i, '')
}
