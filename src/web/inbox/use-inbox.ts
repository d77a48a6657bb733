import { useMemo } from 'react'
import { useAsk } from '../api/queries.ts'
import { useNow } from '../ui/now.ts'
import { useStored } from '../ui/stored.ts'
import { inboxItems, type Snoozed, splitSnoozed } from './derive-inbox.ts'

const NOTHING: Snoozed = {}

/** What waits for a person, over everything. */
export function useInbox() {
  const approvals = useAsk('approvals', 'list', { query: {} })
  const features = useAsk('inbox', 'list', { query: {} })
  const canary = useAsk('canary', 'list', {})
  const [snoozed, setSnoozed] = useStored<Snoozed>('grove.snoozed', NOTHING)
  const now = useNow()
  const items = useMemo(
    () =>
      inboxItems({
        approvals: approvals.data?.approvals ?? [],
        findings: canary.data?.findings ?? [],
        waiting: features.data?.waiting ?? [],
      }),
    [approvals.data, canary.data, features.data],
  )
  const { open, resting } = useMemo(() => splitSnoozed(items, snoozed, now), [items, snoozed, now])
  const snooze = (id: string, until: number | undefined) => {
    const rest = Object.fromEntries(Object.entries(snoozed).filter(([key, time]) => key !== id && time > now))
    setSnoozed(until === undefined ? rest : { ...rest, [id]: until })
  }
  // Nothing is counted, or said to be empty, before everything was read.
  const isLoading = approvals.isPending || features.isPending
  return { open, resting, snooze, isLoading, error: approvals.error ?? features.error }
}
