/** Says in terms that can be checked why an action looks foreign: which places the work concerns, and where this one is. */
import { folderOf } from '../action/paths.ts'
import { stems, weight } from './gist.ts'
import { saysWhatItIsBuiltWith, speaksOfBuilding } from './stray.ts'

export interface DriftReason {
  file?: string
  why: string
}

/** The reason where the user only asked a question; the way back is derived from it, too. */
export const ANSWER_WANTED = 'asked for an answer, not for a change'
/** The reason where the user forbade every change: "no further edits until I say so". */
export const NO_CHANGE = 'wants nothing changed now'

/** Marks reasons about going in circles, which is not other work. */
export const CIRCLES = 'times without anything new'

/** Begins reasons about any change that was not requested. */
export const NOT_ASKED_TO = 'the request does not ask to'
/** The same for a command that removes or renews more than files. */
export const NOT_ASKED_FOR = 'the request does not ask for'
/** Begins reasons about removals. */
export const NOT_TO_REMOVE = `${NOT_ASKED_TO} throw`

/** What the work is about, as far as it is known: the user's words, the files that it has touched, and those that the words name. */
export interface KnownWork {
  instruction: string
  touched: readonly string[]
  named: readonly string[]
}

const MOST_PLACES = 3

/** Why a file, or a command, looks as if it belonged to other work. */
export function whyForeign(what: { path?: string | undefined; command?: string | undefined }, work: KnownWork): string {
  const { path } = what
  const others = (files: readonly string[]) => distinct(files).filter((file) => file !== path)
  const touched = others(work.touched)
  if (path !== undefined && saysWhatItIsBuiltWith(path) && !speaksOfBuilding(work.instruction))
    return `${NOT_ASKED_TO} change packages, build or CI`
  if (path !== undefined && touched.length > 0) return otherPlace(path, touched)
  const named = others(work.named).slice(0, MOST_PLACES)
  if (path !== undefined && named.length > 0) return `the request names ${listed(named, 'and')}, not this file`
  const unnamed = tellingWords(path ?? what.command ?? '', work.instruction)
  return unnamed.length > 0
    ? `the request does not mention ${listed(unnamed, 'or')}`
    : 'nothing in the request asks for it'
}

/** The folders part them where they lie apart, else the names of the files. */
function otherPlace(path: string, others: readonly string[]): string {
  const mine = folderOf(path)
  const theirs = distinct(others.map(folderOf))
  // "It is in lib; this is in lib/model" parts nothing.
  if (theirs.some((one) => isWithin(one, mine) || isWithin(mine, one))) {
    return `the work so far concerns ${listed(others.slice(0, MOST_PLACES), 'and')}, not this file`
  }
  const places = theirs.map((folder) => folder || 'the top folder').slice(0, MOST_PLACES)
  return `the work so far is in ${listed(places, 'and')}; this is in ${mine || 'the top folder'}`
}

function isWithin(folder: string, other: string): boolean {
  return folder === other || (other !== '' && folder.startsWith(`${other}/`))
}

/** Words of a path or a command that say something, and that the user did not use. */
function tellingWords(text: string, instruction: string): string[] {
  const said = new Set(stems(instruction))
  const words = text.match(/[A-Za-z][\w-]{2,}/g) ?? []
  return distinct(words)
    .filter((word) => stems(word).every((stem) => !said.has(stem) && weight(stem) > 0.3))
    .slice(-2)
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}

export function listed(values: readonly string[], word: 'and' | 'or'): string {
  return values.length < 2 ? (values[0] ?? '') : `${values.slice(0, -1).join(', ')} ${word} ${values.at(-1)}`
}
