/** The lines that a change has added and removed, whichever way it was made. */
import { commandFinder } from '../action/command-patterns.ts'
import type { DriftAction } from './gist.ts'

/** Nothing for a new file: it replaces nothing. */
export function addedBy(action: DriftAction): string {
  return linesWith('+', replacing(action))
}

export function removedBy(action: DriftAction): string {
  return linesWith('-', replacing(action))
}

/** An edit as it is told, or the replacements that a command makes in place: `sed -i 's/old/new/'`. */
function replacing({ kind, diff = '', ran = [] }: DriftAction): string {
  if (kind === 'edit') return diff
  if (kind !== 'write') return ''
  return ran
    .filter((one) => IN_PLACE(one))
    .flatMap(({ args }) => args.flatMap(substitutions))
    .slice(0, MOST)
    .map(([old, now]) => `-${old}\n+${now}`)
    .join('\n')
}

const IN_PLACE = commandFinder(['sed|gsed|perl|ruby -i|--in-place'])
const BEGINS = /(?:^|[\s;{(])s([/|#,@!~%])/g
const LONGEST = 400
const MOST = 20

/** The two sides of each `s/…/…/` in a script. */
function substitutions(script: string): [string, string][] {
  const found: [string, string][] = []
  for (const begin of script.matchAll(BEGINS)) {
    const from = begin.index + begin[0].length
    const [old, now, end] = script.slice(from, from + 2 * LONGEST).split(begin[1]!, 3)
    if (old && now !== undefined && end !== undefined) found.push([old, now])
    if (found.length === MOST) break
  }
  return found
}

function linesWith(sign: '-' | '+', diff: string): string {
  return diff
    .split('\n')
    .filter((line) => line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n')
}
