import { Link, useLocation } from 'wouter'
import { connection, useAsk } from '../api/queries.ts'
import { Icon } from '../ui/icon.tsx'
import { Mark, State } from '../ui/mark.tsx'
import { MOD } from '../ui/mod-key.ts'
import { useStore } from '../ui/store.ts'
import { PLACES } from './places.ts'

interface Props {
  waiting: number
  counts: Record<string, number | undefined>
  onMore(): void
  onPalette(): void
}

export function Rail({ waiting, counts, onMore, onPalette }: Props) {
  const [path] = useLocation()
  const health = useAsk('health', 'show', {})
  const link = useStore(connection)
  return (
    <nav className="rail" aria-label="Places">
      <Link href="/inbox" className="brand" aria-label="Grove, to the inbox">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 1.5l5.2 8.3h-2.7l3.9 6.4H13v6.3h-2v-6.3H5.6l3.9-6.4H6.8z" />
        </svg>
        <span>Grove</span>
      </Link>
      {PLACES.map((place) => (
        <Link
          key={place.path}
          href={place.path}
          className={place.deep ? 'place deep' : 'place'}
          {...(path.startsWith(place.path) && { 'aria-current': 'page' as const })}
        >
          <Icon name={place.icon} />
          <span>{place.name}</span>
          {place.path === '/inbox' && waiting > 0 ? (
            <span className="count wait">
              <Mark shape="waits" />
              {waiting}
              <span className="hidden-label"> waiting</span>
            </span>
          ) : (
            (counts[place.path] ?? 0) > 0 && <span className="count">{counts[place.path]}</span>
          )}
        </Link>
      ))}
      <button
        type="button"
        className="place more"
        onClick={onMore}
        {...(PLACES.some((place) => place.deep && path.startsWith(place.path)) && { 'aria-current': true as const })}
      >
        <Icon name="more" />
        <span>More</span>
      </button>
      <div className="rail-foot">
        {link.state === 'open' ? <State shape="works">Connected</State> : <State shape="paused">Not connected</State>}
        <p>{location.host}</p>
        <p>{health.data ? `Grove ${health.data.version}` : ' '}</p>
        <button type="button" className="link" onClick={onPalette}>
          Go anywhere
        </button>{' '}
        <kbd>{MOD} K</kbd>
      </div>
    </nav>
  )
}
