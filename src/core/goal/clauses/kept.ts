import { REFUSING, REMOVING } from '../languages/refusing.ts'
import { type Target, targetsIn } from '../targets.ts'
import { wordsIn } from './clauses-of.ts'
import { THERE } from './refers-back.ts'
import { isOfOthers, refusedBy } from './refused.ts'
import { isEmpty } from './refuses.ts'

/** "Do not delete the fixtures", "keep the migrations": they are to be there afterwards, as whatever they then are. */
export function keptIn(clause: string, told: string, meant: (text: string) => Target[]): Target[] | undefined {
  const words = wordsIn(clause)
  const what = KEEP.exec(clause)?.groups?.what
  if (what !== undefined) {
    const kept = KINDS.test(what) ? targetsIn(what, false).filter(isThere) : []
    return kept.length > 0 ? kept : undefined
  }
  if (!words.some(({ text }) => REMOVING.has(text)) || words.some(({ text }) => UNABLE.test(text))) return undefined
  const refusal = words.findIndex(({ text }) => REFUSING.has(text))
  if (refusal < 0 || isOfOthers(words, refusal) || IT_MUST_NOT.test(clause)) return undefined
  const rest = words.filter(({ text }) => !isEmpty(text) && !REMOVING.has(text) && text !== 'do')
  // "The auditors want the fixtures, so do not delete them".
  const isBack =
    rest.length === 0 ? /\s(?:it|them|there)$/i.test(clause) : THERE.test(rest.map((one) => one.text).join(' '))
  const isAll =
    targetsIn(rest.map((one) => one.text).join(' ') || clause.split(' ').at(-1)!, false)[0]?.is === 'everything'
  if (isAll && !isBack) return [{ is: 'everything' }]
  const kept = isBack ? meant(told) : refusedBy(clause, words, REMOVING, REMOVING)
  const targets = kept?.filter(isThere) ?? []
  return targets.length > 0 ? targets : undefined
}

function isThere(target: Target): boolean {
  if (target.is !== 'words') return target.is === 'path'
  return target.isPlace === true || target.words.some((word) => KINDS.test(word))
}

const KEEP =
  /^(?:(?:please|but|and|just|also|so|bitte)\s){0,3}(?:keep|behalte|conserve|garde|conserva|behoud|zachowaj|сохрани) (?<what>(?:\S{1,40} ){0,3}\S{1,60})$/i

/** Files that stand beside the code. */
const KINDS =
  /(?:fixtures?|fixtur|testdata|samples?|sampl|snapshots?|migrations?|translations?|locales?|docs|tests|files?|folders?|director(?:y|ies))$/i

/** "The cleanup must not delete open files": a program is spoken of; "the files must not be deleted" is said to the agent. */
const IT_MUST_NOT =
  /(?:^|\s)(?!you\b|u\b|we\b)\S+ (?:must|should|shall|may|can|could|will|would|does|did) (?:not|never) (?!(?:ever )?(?:be|get)\b)/i

/** What happens, and no order. */
const UNABLE = /^(?:cannot|can['’]?t|won['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|nothing|nobody|if|when|whether)$/
