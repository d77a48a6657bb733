import { outbox } from '../api/actions.ts'
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
  if (link.state === 'open' || link.state === 'connecting') return null
  const kept = outbox.all().filter(({ notBefore }) => notBefore === undefined).length
  const wait = countdown(link.retryAt - now)
  const isLost = link.state === 'lost'
  return (
    <div className={isLost ? 'banner wrong' : 'banner'} role="status">
      <Mark shape={isLost ? 'wrong' : 'works'} tone={isLost ? 'wrong' : 'rest'} />
      <span className="grow">
        <b>{isLost ? 'Connection lost.' : 'Reconnecting…'}</b> Next try in {wait}.{' '}
        {kept > 0
          ? `${plural(kept, 'action')} of yours will be sent then.`
          : 'What you see may be old; what you do is kept and sent later.'}{' '}
        {isLost && (
          <>
            Is Grove running? Start it with <code>grove up</code>.
          </>
        )}
      </span>
      <Button onClick={() => socket.retry()}>Try now</Button>
      {isLost && (
        <Button look="quiet" onClick={() => location.reload()}>
          Reload the page
        </Button>
      )}
    </div>
  )
}
