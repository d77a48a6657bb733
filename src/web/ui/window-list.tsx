import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'

/** So many are simply there: all of them can be printed, and found with the browser's own search. */
const FEW = 40

export interface WindowListHandle {
  /** Brings a row into sight: all of it, or its beginning. */
  show(index: number): void
  /** Where a row begins in the window, if it is in the page. */
  topOf(index: number): number | undefined
}

interface Props {
  label: string
  count: number
  keyOf(index: number): string
  /** How high a row is, until it was measured. */
  estimate(index: number): number
  render(index: number): React.ReactNode
  /** A row that stays in the page when it is out of sight, since its field is being written in. */
  kept?: number
  handle?: React.Ref<WindowListHandle>
  className?: string
}

/** A list that scrolls with the window. Of a long one only the rows in sight are in the page. */
export function WindowList({ label, count, keyOf, estimate, render, kept = -1, handle, className }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // What stands above the list comes and goes.
  useLayoutEffect(() => {
    if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
  })
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: estimate,
    overscan: 12,
    scrollMargin: top,
    getItemKey: keyOf,
    rangeExtractor(range) {
      const seen = defaultRangeExtractor(range)
      return kept < 0 || kept >= count || seen.includes(kept) ? seen : [...seen, kept].toSorted((a, b) => a - b)
    },
  })
  const isWhole = count <= FEW
  const rowAt = (index: number) => list.current?.querySelector(`:scope > [data-index="${index}"]`)
  useImperativeHandle(handle, () => ({
    show(index) {
      const row = rowAt(index)
      if (!row) return virtual.scrollToIndex(index)
      const isTall = row.getBoundingClientRect().height > window.innerHeight
      row.scrollIntoView({ block: isTall ? 'start' : 'nearest' })
    },
    topOf: (index) => rowAt(index)?.getBoundingClientRect().top,
  }))
  const rows = isWhole
    ? Array.from({ length: count }, (_, index) => ({ index, key: keyOf(index), start: 0 }))
    : virtual.getVirtualItems()
  return (
    <ul
      ref={list}
      aria-label={label}
      className={className}
      {...(!isWhole && { style: { height: virtual.getTotalSize(), position: 'relative' } })}
    >
      {rows.map(({ index, key, start }) => (
        <li
          key={key}
          ref={isWhole ? undefined : virtual.measureElement}
          data-index={index}
          {...(!isWhole && {
            'aria-setsize': count,
            'aria-posinset': index + 1,
            style: { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - top}px)` },
          })}
        >
          {render(index)}
        </li>
      ))}
    </ul>
  )
}
