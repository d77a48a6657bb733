import type { EditedBody } from './observe/observer.ts'

type Edit = EditedBody | undefined

/**
 * Asks for an edited body and goes on exactly once: with it, or without one when asking fails or takes too long. It is
 * committed only while it `isWanted`. An answer that comes at once costs no promise.
 */
export function prepareWithin(
  ms: number,
  ask: () => Edit | Promise<Edit>,
  isWanted: () => boolean,
  goOn: (body: readonly Uint8Array[] | undefined) => void,
  trouble: (error: unknown) => void,
): void {
  const use = (edit: Edit) => {
    try {
      if (edit && isWanted()) edit.commit()
    } catch (error) {
      trouble(error)
      return goOn(undefined)
    }
    goOn(edit?.body)
  }
  let decided = false
  const decide = (outcome: Edit) => {
    if (decided) return
    decided = true
    clearTimeout(timer)
    use(outcome)
  }
  // Before asking: what blocks the event loop is terminated without a word, and then only this is left.
  const timer = setTimeout(() => {
    trouble(new Error(`no decision within ${ms} ms`))
    decide(undefined)
  }, ms)
  let edit: Edit | Promise<Edit>
  try {
    edit = ask()
  } catch (error) {
    trouble(error)
    return decide(undefined)
  }
  if (!(edit instanceof Promise)) return decide(edit)
  edit.then(decide, (error) => {
    if (!decided) trouble(error)
    decide(undefined)
  })
}
