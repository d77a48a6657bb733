import { isClosing } from '../clauses/refuses.ts'
import { EXCEPTING } from '../languages/refusing.ts'
import { pathsIn } from '../paths-in.ts'
import { type Target, targetsIn } from '../targets.ts'

const OPENS =
  /(?<what>(?<![\w./@*-])[\w./@*-]{1,200}(?:\s{1,8}[\w./@*-]{1,200}){0,3}?)\s{1,8}(?:(?:changes?|edits?)\s{1,8})?(?:is|are|would be|may be|can be)?\s{0,8}(?:fine|ok|okay|allowed|permitted|welcome|acceptable)\b|(?<![Nn]o\s)\b(?<may>[\w./@*-]+(?:\s+[\w./@*-]+){0,2}?)\s+(?:can|may)\s+(?!not\b|only\b|wait\b|stay\b|remain\b|come\b|be (?:left|skipped|ignored)\b|change\b|be (?:changed|altered|touched|edited|modified))\w+/gi

/** "A V3 is fine", "README can link to it", "and its spec": open all the same. */
export function exceptions(sentence: string, closed: readonly Target[] = []): Target[] {
  const found: Target[] = []
  for (const { 0: said, index, groups = {} } of sentence.matchAll(OPENS)) {
    const phrase = groups.what ?? groups.may ?? ''
    if (FINE_AND_LEFT.test(sentence.slice(index + said.length))) continue
    const named = targetsIn(phrase, false).filter(({ is }) => is === 'path' || is === 'words')
    // "a.ts is fine and stays as it is".
    found.push(...named.filter((target) => !closed.some((one) => JSON.stringify(one) === JSON.stringify(target))))
  }
  // "Leave all tests alone except login.test.ts".
  const except = EXCEPTING.exec(sentence)
  if (except && (isClosing(sentence.slice(0, except.index)) || LEAVES.test(sentence.slice(0, except.index))))
    found.push(...pathsIn(sentence.slice(except.index)).map((path): Target => ({ is: 'path', path })))
  const version = /\b(?:a|one)\s+(?:new\s+)?(v\d+)\b/i.exec(sentence)?.[1]
  if (version)
    found.push({ is: 'words', words: [version.toLowerCase()[0]!, version.slice(1)], sorts: [], isFile: true })
  return found
}

/** "The config is fine, leave that". */
const FINE_AND_LEFT = /^[\s,;.-]{1,4}(?:so |and |please |just )*(?:leave|keep|don['’]?t|do not|no need)\b/i

const LEAVES = /\b(?:leave|keep|lass|laisse|deja|lascia|deixa|laat|zostaw)\b|остав/i
