import { REST_IN } from '../languages/clause-words.ts'
import { ONLY, OUTSIDE, REFUSED_VERB } from '../languages/refusing.ts'
import { amongNamed } from '../limits/spoken-of.ts'
import { pathsIn } from '../paths-in.ts'
import { OTHERS_OF, type Target } from '../targets.ts'
import { clausesOf, wordsIn } from './clauses-of.ts'
import { keptIn } from './kept.ts'
import { pathTargets, WITHIN } from './named-places.ts'
import { keptTo } from './only.ts'
import { goesOn, refersBack } from './refers-back.ts'
import { calledClosed, deniedOutright, leftOut, refusedIn } from './refused.ts'
import { isChanged, isClosing } from './refuses.ts'
import { beforeOutside, besideRest, isRestLeft, placesNamed } from './the-rest.ts'
import { WORKS } from './work-verbs.ts'

/** What a sentence closes, by what its clauses are made of and not by how it is worded. */
export interface Closing {
  forbids: 'named' | 'others'
  targets: Target[]
  /** It takes the sentence before to know what is meant. */
  isAfter?: boolean
  /** It is not to be removed, and may be changed. */
  isKept?: true
}

/**
 * The patterns of a language know the usual ways to close something; people find others every day. Here a clause closes what
 * it names where it refuses to touch or to change that, calls it closed, or leaves it out; where it is unclear what is
 * named, or whether somebody speaks of the program, it closes nothing.
 */
export function closedIn(sentence: string, before: string, meant: (text: string) => Target[]): Closing[] {
  const found: Closing[] = []
  const clauses = clausesOf(sentence)
  for (const [at, clause] of clauses.entries()) {
    // "If it exists, update the script; if not, leave it as it is": what is to be done in one of several cases.
    if (at > 0 && IN_CASE.test(clauses[at - 1]!)) continue
    // "X以外は触らない", "X 외의 파일은 건드리지 마세요".
    const spared =
      /(?:以外|之外|외의|외에|제외)/.test(clause) && REFUSED_VERB.test(clause) ? beforeOutside(clause) : undefined
    if (spared) {
      found.push({ forbids: 'others', targets: spared })
      continue
    }
    const outside = OUTSIDE.exec(clause)
    if (outside && (isClosing(clause) || isDenied(clauses.slice(0, at + 1)))) {
      const targets = pathTargets(clause.slice(outside.index))
      // "Nothing under locales/ other than en.json": closed is what lies there, and the rest is not spoken of.
      const around = pathTargets(clause.slice(0, outside.index))
      if (targets && around) found.push({ forbids: 'named', targets: around })
      else if (targets) found.push({ forbids: 'others', targets })
      continue
    }
    const named = isRestLeft(clause)
      ? besideRest(clause)
      : (refusedIn(clause) ??
        calledClosed(clause) ??
        leftOut(clause) ??
        deniedOutright(clause) ??
        goesOn(clause, found.at(-1), clauses[at - 1] ?? ''))
    const back = named ? undefined : refersBack(clause)
    if (back) {
      const own = meant(clauses.slice(0, at).join(', '))
      // "Other packages are not ours, leave them": what is meant stands here, and cannot be told.
      const targets = own.length > 0 || isOfOthersThings(clauses[at - 1]) ? own : amongNamed(meant(before), sentence)
      if (targets.length > 0) found.push({ forbids: back, targets, isAfter: own.length === 0 })
      continue
    }
    if (named) {
      // "infra/ is another team's, oraya dokunma": a word that names no place stands for one that was named.
      const last = clauses[at - 1] ?? ''
      const own = named.every(isVague) && isSpokenOf(last) ? meant(last).filter((target) => !isVague(target)) : []
      found.push({ forbids: 'named', targets: own.length > 0 ? own : named })
      continue
    }
    const around = REST_IN.exec(clause)
    // "The rest under tests/ stays off limits": closed is what lies there, and the rest is not spoken of.
    if (isRestLeft(clause) && around) {
      const targets = pathTargets(clause.slice(around.index))
      if (targets) found.push({ forbids: 'named', targets })
      continue
    }
    if (isRestLeft(clause)) {
      const own = placesNamed(clauses.slice(0, at + 1))
      const targets = own ?? placesNamed([before])
      if (targets) found.push({ forbids: 'others', targets, isAfter: own === undefined })
      continue
    }
    const open = keptTo(clause)
    if (open) found.push({ forbids: 'others', targets: open })
    const kept = keptIn(clause, clauses.slice(0, at).join(', '), meant)
    if (kept) found.push({ forbids: 'named', targets: kept, isKept: true })
  }
  return found
}

/** "No source, test, or doc change beyond a.md": of a list the first item alone bears the refusal. */
function isDenied(clauses: readonly string[]): boolean {
  const list = clauses.slice(-5)
  return (
    /^no\s/i.test(list[0] ?? '') &&
    list
      .at(-1)!
      .split(/\s/)
      .slice(0, 4)
      .some((word) => CHANGES.test(word))
  )
}

const CHANGES = /^(?:changes?|edits?|modifications?|additions?|rewrites?)$/i

function isOfOthersThings(clause: string | undefined): boolean {
  return clause !== undefined && OTHERS_OF.test(clause)
}

/** Whether a clause tells of the place that it begins with; one that asks for a change, or keeps to a place, closes nothing of it. */
function isSpokenOf(clause: string): boolean {
  const [path] = pathsIn(clause)
  const before = wordsIn(path === undefined ? '' : clause.slice(0, clause.indexOf(path)))
  const isAhead = path !== undefined && before.length < 2 && !before.some(({ text }) => WITHIN.test(text))
  const asks = WORKS.test(clause) || ONLY.test(clause) || (!isClosing(clause) && wordsIn(clause).some(isChanged))
  return isAhead && !asks
}

function isVague(target: Target): boolean {
  return target.is === 'words' && !target.isFile
}

const IN_CASE = /(?:^|\s)(?:if (?:not|so)|otherwise|wenn nicht|falls nicht|ansonsten|sinon|si no|se não|altrimenti)$/i
