import type { RequestEdit } from './observer.ts'

type Edit = RequestEdit | undefined

/**
 * Asks for an edit and goes on exactly once: with the edit, or without one when it fails or takes too long. An edit that
 * comes at once costs no promise.
 */
export function prepareWithin(
  ms: number,
  ask: () => Edit | Promise<Edit>,
  goOn: (edit: Edit) => void,
  trouble: (error: unknown) => void,
): void {
  let edit: Edit | Promise<Edit>
  try {
    edit = ask()
  } catch (error) {
    trouble(error)
    goOn(undefined)
    return
  }
  if (!(edit instanceof Promise)) {
    goOn(edit)
    return
  }

  let decided = false
  const decide = (outcome: Edit) => {
    if (decided) return
    decided = true
    clearTimeout(timer)
    goOn(outcome)
  }
  const timer = setTimeout(() => {
    trouble(new Error(`no decision within ${ms} ms`))
    decide(undefined)
  }, ms)
  edit.then(decide, (error) => {
    if (!decided) trouble(error)
    decide(undefined)
  })
}
