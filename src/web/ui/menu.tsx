import * as Radix from '@radix-ui/react-dropdown-menu'
import { useRef } from 'react'
import { Icon } from './icon.tsx'

export interface MenuItem {
  label: string
  run(): void
  danger?: boolean
  /** Only where the page has no button of its own for it. */
  isPhone?: boolean
}

/** What can also be done, behind three dots. */
export function Menu({
  label,
  items,
  look = '',
}: {
  label: string
  items: (MenuItem | '-' | false | undefined)[]
  look?: '' | 'quiet'
}) {
  const chosen = useRef<() => void>(undefined)
  // What was chosen happens when the menu is gone and its button has the focus again: a dialog gives it back there.
  const runChosen = () => {
    const run = chosen.current
    chosen.current = undefined
    if (run) setTimeout(run)
  }
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>
        <button type="button" className={`button only-icon ${look}`} aria-label={label}>
          <Icon name="more" />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align="end" sideOffset={4} onCloseAutoFocus={runChosen}>
          {items.map((item, index) => {
            if (!item || (item !== '-' && item.isPhone && !matchMedia('(max-width: 640px)').matches)) return null
            // biome-ignore lint/suspicious/noArrayIndexKey: separators have no name
            if (item === '-') return <hr key={index} />
            return (
              <Radix.Item
                key={item.label}
                className={item.danger ? 'menu-item wrong' : 'menu-item'}
                onSelect={() => {
                  chosen.current = item.run
                }}
              >
                {item.label}
              </Radix.Item>
            )
          })}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
