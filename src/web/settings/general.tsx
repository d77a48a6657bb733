import { useState } from 'react'
import { NOTIFY } from '../shell/notifications.ts'
import { setTheme, type Theme, useTheme } from '../shell/theme.ts'
import { Segments } from '../ui/segments.tsx'
import { useStored } from '../ui/stored.ts'
import { Pauses } from './pauses.tsx'

/** Where a browser has no notifications at all, they are forbidden too. */
function permissionNow(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied'
}

/** What concerns this browser, and whether Grove works at all. */
export function General() {
  const theme = useTheme()
  const [wanted, setNotify] = useStored(NOTIFY, false)
  const [permission, setPermission] = useState(permissionNow)
  const notify = wanted && permission === 'granted'
  const wish = async (isOn: boolean) => {
    if (isOn && 'Notification' in window && Notification.permission !== 'granted')
      await Notification.requestPermission()
    setPermission(permissionNow())
    setNotify(isOn && permissionNow() === 'granted')
  }
  const isBlocked = permission === 'denied'
  return (
    <div className="stack-3">
      <Pauses />
      <section>
        <h2>This browser</h2>
        <dl className="pairs" style={{ marginTop: 8 }}>
          <dt>Theme</dt>
          <dd>
            <Segments
              label="Theme"
              value={theme}
              onChoose={(value: Theme) => setTheme(value)}
              choices={[
                { value: 'system', label: 'As the system' },
                { value: 'light', label: 'Light' },
                { value: 'dark', label: 'Dark' },
              ]}
            />
          </dd>
          <dt>Notifications</dt>
          <dd>
            <label className="tick">
              <input type="checkbox" checked={notify} onChange={({ target }) => void wish(target.checked)} />
              <span>Notify me of new items while this tab is in the background</span>
            </label>
            {isBlocked && (
              <p className="problem">The browser forbids notifications for this address; allow them in its settings.</p>
            )}
          </dd>
        </dl>
      </section>
    </div>
  )
}
