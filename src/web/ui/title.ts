import { useEffect } from 'react'

/** The title of the tab; the count of what waits is put in front of it by the frame. */
export function useTitle(title: string): void {
  useEffect(() => {
    const count = /^\(\d+\) /.exec(document.title)?.[0] ?? ''
    document.title = `${count}${title} · Grove`
  }, [title])
}
