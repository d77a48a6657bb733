import { placesAskedFor, targetsAskedFor, variantsAskedFor } from '../asked.ts'
import { clausesOf } from '../clauses/clauses-of.ts'
import { isClosing } from '../clauses/refuses.ts'
import { sortOf } from '../kinds-of-files.ts'
import type { Target } from '../targets.ts'
import { clip, type Limit, LONGEST } from './limit.ts'

/** "Only a.ts and its test in b.ts": what one sentence leaves open, by whatever ways it was read, is open together. */
export function keptTogether(found: readonly Limit[]): Limit[] {
  const isOpening = ({ forbids, targets }: Limit) => forbids === 'others' && targets.length > 0
  return found.flatMap((limit) => {
    if (!isOpening(limit)) return [limit]
    const same = found.filter((one) => isOpening(one) && one.said === limit.said)
    if (same.length === 1) return [limit]
    if (same[0] !== limit) return []
    const isLearned = same.every((one) => one.isLearned)
    const { isLearned: _, ...first } = limit
    const targets = same.flatMap((one) => one.targets)
    return [
      {
        ...first,
        targets,
        except: same.flatMap(({ except }) => except),
        ...(isLearned && { isLearned: true as const }),
      },
    ]
  })
}

/** "Only in dashboard/, the API stays as it is": who opens a folder speaks of parts beside it, and not of files in it. */
export function openWithin(found: readonly Limit[], sentences: readonly string[]): Limit[] {
  const only = found.find(({ forbids, targets }) => forbids === 'others' && targets.some(({ is }) => is === 'path'))
  if (!only) return [...found]
  const open = only.targets.filter(({ is }) => is === 'path')
  const place = ({ said }: Limit) => sentences.findIndex((sentence) => said.endsWith(clip(sentence)))
  return found.flatMap((one) => {
    const isOther = (target: Target) =>
      target.is !== 'path' || one.said.includes(target.path) || !open.some((place) => sameTarget(place, target))
    const limit = one.forbids === 'named' ? { ...one, targets: one.targets.filter(isOther) } : one
    if (limit.targets.length === 0 && limit.forbids === 'named') return []
    // "Only a.ts; put the rest into a comment, not in the code": the code that was opened is not meant.
    if (limit.said === only.said && limit.forbids === 'named' && limit.targets.some(({ is }) => is === 'code'))
      return [{ ...limit, except: [...limit.except, ...open] }]
    const parts = limit.forbids === 'named' ? limit.targets.filter(isPart) : []
    if (parts.length === 0) return [limit]
    const targets = limit.targets.filter((target) => !parts.includes(target))
    const both = place(limit) < place(only) ? [limit.said, only.said] : [only.said, limit.said]
    const joined = limit.said.includes(only.said) ? limit.said : both.map(stopped).join(' ')
    if (joined.length > LONGEST) return [limit]
    const apart = { ...limit, said: clip(joined), targets: parts, except: [...limit.except, ...open] }
    return targets.length > 0 ? [{ ...limit, targets }, apart] : [apart]
  })
}

/** Whether a clause of its own closes a path. */
export function isClosedByName(path: string, sentences: readonly string[]): boolean {
  return sentences.flatMap(clausesOf).some((clause) => clause.includes(path) && isClosing(clause))
}

/** "Write a README section on the tests. Don't change them": no pronoun closes what the same words ask to change. */
export function spareNamedWork(found: readonly Limit[], sentences: readonly string[]): Limit[] {
  const asked = placesAskedFor(sentences)
  const isWork = (target: Target) =>
    target.is === 'path' && asked.includes(target.path) && !isClosedByName(target.path, sentences)
  return found.flatMap((limit) => {
    if (limit.forbids === 'others') return [limit]
    const targets = limit.targets.filter((target) => !isWork(target))
    return targets.length > 0 ? [{ ...limit, targets }] : []
  })
}

/** A part of the system by a name of its own; tests and other kinds of files are wherever the work is. */
function isPart(target: Target): boolean {
  return target.is === 'words' && target.sorts.every((sort) => SIDES.has(sortOf.get(sort)))
}

const SIDES = new Set(['backend', 'frontend', 'database', 'schema'].map((sort) => sortOf.get(sort)))

/**
 * "No other files. Also write a unit test": what is asked for in another sentence is no part of the rest. That sentence
 * becomes part of the words, which must mean the same when they are read alone.
 */
export function spareAsked(found: readonly Limit[], sentences: readonly string[]): Limit[] {
  const asking = saying(sentences, targetsAskedFor)
  // "Translate it (values-pl). The english strings.xml stays": of all files of that name one is asked for.
  const variants = found.some(isNameAlone) ? saying(sentences, variantsAskedFor) : []
  if (asking.length === 0 && variants.length === 0) return [...found]
  const wide = new Set(found.filter(isWide).map(({ said }) => said))
  return found.map((limit) => {
    const beside = wide.has(limit.said) ? asking : isNameAlone(limit) ? variants : []
    if (beside.length === 0) return limit
    const isIn = ({ sentence }: { sentence: string }) => limit.said.includes(clip(sentence))
    const own = sentences.findIndex((sentence) => limit.said.endsWith(clip(sentence)))
    const further = beside.filter((one) => !isIn(one))
    const place = (sentence: string) => (sentences.indexOf(sentence) < own ? 0 : 1)
    const said = further.reduce((words, { sentence }) => {
      const both = place(sentence) === 0 ? [sentence, words] : [words, sentence]
      const joined = both.map(stopped).join(' ')
      return joined.length <= LONGEST ? joined : words
    }, limit.said)
    const spared = beside.filter((one) => said.includes(clip(one.sentence))).flatMap(({ targets }) => targets)
    const spares = isWide(limit) || isNameAlone(limit)
    return { ...limit, said: clip(said), except: spares ? [...limit.except, ...spared] : limit.except }
  })
}

function saying(sentences: readonly string[], asked: (sentence: string) => Target[]) {
  return sentences
    .map((sentence) => ({ sentence, targets: asked(sentence) }))
    .filter(({ targets }) => targets.length > 0)
}

/** Closes a file by its name, which others may have in other folders. */
function isNameAlone({ forbids, targets }: Limit): boolean {
  return forbids === 'named' && targets.every((target) => target.is === 'path' && /^[^/*]+\.\w+$/.test(target.path))
}

/** Closes more than it names. */
export function isWide({ forbids, targets }: Limit): boolean {
  return forbids === 'others' || targets.some(({ is }) => is === 'code')
}

export function stopped(sentence: string): string {
  return /[.!?。！？]$/.test(sentence) ? sentence : `${sentence}.`
}

/** "No file other than a.ts", "a.ts, that file alone": what a sentence leaves open it does not close. */
export function spareOpened(found: Limit[], sentence: string): void {
  const isHere = ({ said }: Limit) => said.endsWith(sentence)
  const open = found.filter((limit) => limit.forbids === 'others' && isHere(limit)).flatMap(({ targets }) => targets)
  if (open.length === 0) return
  const isOpen = (target: Target) => open.some((one) => JSON.stringify(one) === JSON.stringify(target))
  for (const [at, limit] of [...found.entries()].reverse()) {
    if (limit.forbids === 'others' || !isHere(limit)) continue
    limit.targets = limit.targets.filter((target) => !isOpen(target))
    if (limit.targets.length === 0) found.splice(at, 1)
  }
}

export function sameTarget(a: Target, b: Target): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
