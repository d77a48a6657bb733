import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { SessionSummary } from '#protocol/api/sessions.ts'
import { FeatureRow } from './feature-row.tsx'

export type Row = { type: 'head'; title: string; count: number } | { type: 'feature'; feature: SessionSummary }

/** Only the rows in sight are there: 500 features scroll like five. */
export function Rows({ rows, wanted }: { rows: Row[]; wanted: string | undefined }) {
  const list = useRef<HTMLUListElement>(null)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.type === 'head' ? 43 : 61),
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => {
      const row = rows[index]!
      return row.type === 'head' ? row.title : row.feature.id
    },
  })
  // The wanted feature comes into sight, and has the focus as soon as it is there.
  const wantedAt = rows.findIndex((row) => row.type === 'feature' && row.feature.id === wanted)
  const focused = useRef(-1)
  useEffect(() => {
    if (wantedAt >= 0) virtual.scrollToIndex(wantedAt)
  }, [wantedAt, virtual])
  useEffect(() => {
    if (wantedAt === focused.current) return
    const title = list.current?.querySelector<HTMLElement>(`[data-index="${wantedAt}"] .title`)
    if (!title) return
    focused.current = wantedAt
    title.focus({ preventScroll: true })
  })
  return (
    <ul ref={list} style={{ height: virtual.getTotalSize(), position: 'relative' }} aria-label="Features">
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]!
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            style={{
              position: 'absolute',
              insetInline: 0,
              top: 0,
              transform: `translateY(${start - virtual.options.scrollMargin}px)`,
            }}
          >
            {row.type === 'head' ? (
              <Head title={row.title} count={row.count} hasNames={index === 0} />
            ) : (
              <FeatureRow feature={row.feature} />
            )}
          </li>
        )
      })}
    </ul>
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
