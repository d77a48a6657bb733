import { useCallback, useState } from 'react'

/** The width of an element, kept true while it changes. */
export function useWidth<E extends HTMLElement>(): [(element: E | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(600)
  const ref = useCallback((element: E | null) => {
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    observer.observe(element)
    setWidth(Math.round(element.clientWidth))
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
