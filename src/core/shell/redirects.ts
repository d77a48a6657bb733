import type { ShellRedirect } from './ast.ts'
import { copyPlace, expandOne, type Place } from './expand.ts'
import type { Output, Value } from './values.ts'
import type { Walk } from './walk.ts'

/** Records the files that redirections write; returns every file they name, and the standard input they give. */
export function followRedirects(
  walk: Walk,
  redirects: ShellRedirect[],
  place: Place,
): { input?: Value[] | undefined; files: Value[]; inputFile?: Value | undefined } {
  let input: Output
  let inputFile: Value | undefined
  const files: Value[] = []
  for (const redirect of redirects) {
    if (redirect.type === 'text') {
      input = [expandOne(redirect.body, place, walk.substituteIn(place))]
      continue
    }
    const process = redirect.target[0]
    if (process?.type === 'process') {
      const output = walk.list(process.script, copyPlace(place), undefined)
      if (!process.into) input = output
      continue
    }
    const target = expandOne(redirect.target, place, walk.substituteIn(place))
    if (redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(target.text)) continue
    files.push(target)
    if (redirect.operator === '<') {
      inputFile = target
      input = [walk.files.contentOf(target, place)]
    }
    if (redirect.operator === '<' || redirect.operator === '<&') continue
    const adds = redirect.operator.endsWith('>>') || redirect.operator === '<>'
    walk.files.write(target, adds ? 'modify' : 'create', place)
  }
  return { input, files, inputFile }
}
