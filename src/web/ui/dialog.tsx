import * as Radix from '@radix-ui/react-dialog'
import { useState } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  title: string
  /** What it means, under the title. */
  about?: React.ReactNode
  onClose(): void
  wide?: boolean
  children: React.ReactNode
}

/** A decision that cannot be undone, or something that is looked at for a moment. The focus stays in it and returns. */
export function Dialog({ title, about, onClose, wide = false, children }: Props) {
  const [before] = useState(() => document.activeElement)
  // The library knows only a trigger of its own to go back to.
  const giveFocusBack = (event: Event) => {
    event.preventDefault()
    const place = before instanceof HTMLElement && before.isConnected ? before : document.getElementById('main')
    place?.focus({ preventScroll: true })
  }
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        {/* Not the library's own overlay: that one adds a style element, which the page's policy forbids. */}
        <div className="backdrop" aria-hidden="true" />
        <Radix.Content
          className={wide ? 'dialog wide' : 'dialog'}
          onCloseAutoFocus={giveFocusBack}
          {...(!about && { 'aria-describedby': undefined })}
        >
          <Radix.Title asChild>
            <h2>{title}</h2>
          </Radix.Title>
          {about && (
            <Radix.Description asChild>
              <div className="dim">{about}</div>
            </Radix.Description>
          )}
          {children}
          {/* Last in order, so that a dialog begins with what it is about. */}
          <Radix.Close asChild>
            <button type="button" className="button quiet only-icon close" aria-label="Close">
              <Icon name="close" />
            </button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
