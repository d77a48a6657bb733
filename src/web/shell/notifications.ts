import { useEffect, useRef } from 'react'
import { readStored } from '../ui/stored.ts'

/** What says, outside the page, that something waits: the title, a dot on the icon, a notification. */

export const NOTIFY = 'grove.notify'

/** `undefined` while it is not known yet what waits: what was there before the page is no news. */
export function useNotifications(waiting: { id: string; title: string }[] | undefined): void {
  const known = useRef<Set<string> | undefined>(undefined)
  const count = waiting?.length ?? 0
  useEffect(() => {
    const own = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${own}` : own
    paintIcon(count > 0)
  })
  useEffect(() => {
    if (!waiting) return
    const ids = new Set(waiting.map(({ id }) => id))
    const fresh = known.current ? waiting.filter(({ id }) => !known.current?.has(id)) : []
    known.current = ids
    const isWanted = readStored(NOTIFY, false) && 'Notification' in window && Notification.permission === 'granted'
    if (fresh.length === 0 || !isWanted || document.visibilityState === 'visible') return
    const shown = new Notification(fresh.length === 1 ? fresh[0]!.title : `${fresh.length} new things wait for you`, {
      tag: 'grove',
      icon: '/icon.svg',
    })
    shown.onclick = () => window.focus()
  }, [waiting])
}

function paintIcon(hasDot: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  const dot = '<circle cx="18.5" cy="5.5" r="5" fill="#d89d2f" stroke="#fff" stroke-width="1.5"/>'
  const tree = '<path fill="#23854f" d="M12 1.5l5.2 8.3h-2.7l3.9 6.4H13v6.3h-2v-6.3H5.6l3.9-6.4H6.8z"/>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${tree}${dot}</svg>`
  const wanted = hasDot ? `data:image/svg+xml,${encodeURIComponent(svg)}` : '/icon.svg'
  if (link.getAttribute('href') !== wanted) link.setAttribute('href', wanted)
}
