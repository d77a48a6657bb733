import { outbox } from '../api/actions.ts'
import { isKnown } from '../api/client.ts'
import type { LiveSocket } from '../api/live.ts'
import { connection } from '../api/queries.ts'
import { countdown, plural } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { useSeconds } from '../ui/now.ts'
import { Button } from '../ui/small.tsx'
import { useStore } from '../ui/store.ts'

/** Says that the connection is broken, what happens with what is done meanwhile, and the way out. */
export function Banner({ socket }: { socket: LiveSocket }) {
  const now = useSeconds()
  const link = useStore(connection)
  const known = useStore(isKnown)
  const isBroken = link.state !== 'open' && link.state !== 'connecting'
  // A socket that was let in before stays open, while nothing is answered any more.
  if (!isBroken && known) return null
  const kept = outbox.all().filter(({ notBefore }) => notBefore === undefined).length
  const wait = isBroken ? countdown(link.retryAt - now) : undefined
  const isLost = link.state === 'lost' || !known
  return (
    <div className={isLost ? 'banner wrong' : 'banner'}>
      <Mark shape={isLost ? 'wrong' : 'works'} tone={isLost ? 'wrong' : 'rest'} />
      <span className="grow">
        {/* Told once: a screen reader would read a countdown every second. */}
        <span role="status">
          <b>{!known ? 'Grove does not know this browser any more.' : isLost ? 'Connection lost.' : 'Reconnecting…'}</b>{' '}
          {kept > 0
            ? `${plural(kept, 'action')} of yours will be sent then.`
            : 'What you see may be old; what you do is kept and sent later.'}{' '}
          {!known ? (
            <>
              Let it in again with <code>grove open</code>, or with a new invitation.
            </>
          ) : (
            isLost && (
              <>
                Is Grove running? Start it with <code>grove up</code>.
              </>
            )
          )}
        </span>{' '}
        {wait && <span className="num">Next try in {wait}.</span>}
      </span>
      {isBroken && <Button onClick={() => socket.retry()}>Try now</Button>}
      {isLost && (
        <Button look="quiet" onClick={() => location.reload()}>
          Reload the page
        </Button>
      )}
    </div>
  )
}
