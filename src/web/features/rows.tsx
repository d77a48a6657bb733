import { useEffect, useRef } from 'react'
import type { SessionSummary } from '#protocol/api/sessions.ts'
import { WindowList, type WindowListHandle } from '../ui/window-list.tsx'
import { FeatureRow } from './feature-row.tsx'

export type Row = { type: 'head'; title: string; count: number } | { type: 'feature'; feature: SessionSummary }

/** Groups of features; the wanted one comes into sight, and has the focus as soon as it is there. */
export function Rows({ rows, wanted }: { rows: Row[]; wanted: string | undefined }) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<WindowListHandle>(null)
  const wantedAt = rows.findIndex((row) => row.type === 'feature' && row.feature.id === wanted)
  const focused = useRef(-1)
  useEffect(() => {
    if (wantedAt >= 0) list.current?.show(wantedAt)
  }, [wantedAt])
  useEffect(() => {
    if (wantedAt === focused.current) return
    const title = box.current?.querySelector<HTMLElement>(`[data-index="${wantedAt}"] .title`)
    if (!title) return
    focused.current = wantedAt
    title.focus({ preventScroll: true })
  })
  return (
    <div ref={box}>
      <WindowList
        label="Features"
        handle={list}
        count={rows.length}
        estimate={(index) => (rows[index]?.type === 'head' ? 43 : 61)}
        keyOf={(index) => {
          const row = rows[index]!
          return row.type === 'head' ? row.title : row.feature.id
        }}
        render={(index) => {
          const row = rows[index]!
          return row.type === 'head' ? (
            <Head title={row.title} count={row.count} hasNames={index === 0} />
          ) : (
            <FeatureRow feature={row.feature} />
          )
        }}
      />
    </div>
  )
}

function Head({ title, count, hasNames }: { title: string; count: number; hasNames: boolean }) {
  return (
    <div className="feature-head">
      <h2 className="group-title small">
        {title} <span className="faint">{count}</span>
      </h2>
      {hasNames && (
        <>
          <span>Stage</span>
          <span>State</span>
          <span className="cost right" title="What Claude Code’s runs have cost">
            Cost
          </span>
          <span className="right">Active</span>
        </>
      )}
    </div>
  )
}
