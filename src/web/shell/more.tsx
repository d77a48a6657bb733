import { Link } from 'wouter'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { PLACES } from './places.ts'

/** The places that the bar of a phone has no room for. */
export function More({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="More places" onClose={onClose}>
      <div className="sheet">
        {PLACES.filter(({ deep }) => deep).map(({ path, name, icon }) => (
          <Link key={path} href={path} className="menu-item" onClick={onClose}>
            <Icon name={icon} />
            {name}
          </Link>
        ))}
      </div>
    </Dialog>
  )
}
