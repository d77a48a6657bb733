import { isGenerated } from '../text/generated-files.ts'

/** How much of a change is the agent's own work, and whether that is enough to ask what it has taught. */

/** Changed lines, by path from the project's folder. */
export type LinesByFile = Record<string, number>

export interface ChangeSize {
  lines: number
  files: number
  /** How many of the files are tests. */
  tests: number
}

/** From where on work is substantial: so many lines, in so many files or with so many tests. */
export type SubstantialWork = ChangeSize

export const NO_CHANGE: ChangeSize = { lines: 0, files: 0, tests: 0 }

export function isSubstantial({ lines, files, tests }: ChangeSize, least: SubstantialWork): boolean {
  return lines >= least.lines && (files >= least.files || tests >= least.tests)
}

/** The size of what was written by hand, beyond what was accounted for before. */
export function sizeOf(changed: LinesByFile, accounted: LinesByFile = {}): ChangeSize {
  const fresh = Object.entries(changed).flatMap(([file, lines]) => {
    const more = lines - (accounted[file] ?? 0)
    return more > 0 && !isGenerated(file) ? [{ file, lines: more }] : []
  })
  return {
    lines: fresh.reduce((sum, { lines }) => sum + lines, 0),
    files: fresh.length,
    tests: fresh.filter(({ file }) => isTest(file)).length,
  }
}

const TEST =
  /(^|\/)(tests?|__tests__|specs?|e2e)\/|(^|\/)test_[^/]+$|[._-](test|spec|tests)\.\w+$|[a-z](Test|Tests|Spec|IT)\.\w+$/

export function isTest(file: string): boolean {
  return TEST.test(file)
}
