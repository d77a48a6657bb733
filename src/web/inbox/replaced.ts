import { useLayoutEffect, useRef } from 'react'
import { deafen } from '../shell/keys.ts'

/**
 * Watches over what a person is about to answer: when it goes (answered by this click, by another tab, by the agent) and
 * something else takes its place, what is clicked or pressed in that moment was not meant for it.
 */
export function useReplaced(ids: string[], open: string | undefined): void {
  const before = useRef<string>(undefined)
  useLayoutEffect(() => {
    const last = before.current
    before.current = open
    if (last !== undefined && open !== undefined && last !== open && !ids.includes(last)) deafen()
  })
}
