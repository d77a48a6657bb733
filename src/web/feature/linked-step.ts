import { useEffect, useState } from 'react'

export interface LinkedStep {
  id: string
}

const MARK = '#step-'

/** Where a link to a step leads, from the address of its feature on; from within that feature nothing else is needed. */
export const linkToStep = (stepId: string, featureAddress = ''): string =>
  `${featureAddress}?view=tree${MARK}${encodeURIComponent(stepId)}`

/**
 * The step that the address names. A new object each time a link is followed, also the same link again: a plan scrolls by itself, since
 * a browser finds only what is in the page, and of a long plan not all is.
 */
export function useLinkedStep(): LinkedStep | undefined {
  const [linked, setLinked] = useState(namedStep)
  useEffect(() => {
    const follow = () => setLinked(namedStep())
    for (const moved of MOVES) window.addEventListener(moved, follow)
    return () => {
      for (const moved of MOVES) window.removeEventListener(moved, follow)
    }
  }, [])
  return linked
}

/** The router tells of what it puts into the history under these names. */
const MOVES = ['pushState', 'popstate', 'hashchange']

function namedStep(): LinkedStep | undefined {
  const { hash } = location
  if (!hash.startsWith(MARK)) return undefined
  try {
    return { id: decodeURIComponent(hash.slice(MARK.length)) }
  } catch {
    return undefined // A percent sign that stands for nothing: no step has such a name.
  }
}
