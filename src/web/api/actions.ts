import { storage } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import {
  type Answer,
  type Input,
  isClicked,
  type Name,
  type Noun,
  Refused,
  type RouteOf,
  requestOf,
  send,
  Unreachable,
} from './client.ts'
import { newId } from './new-id.ts'
import { Outbox, type Waiting } from './outbox.ts'

/** Everything that changes something goes through here: sent once, kept while Grove cannot be reached. */

export const OUTBOX = 'grove.outbox'

export const outbox = new Outbox(storage, OUTBOX)

/** `kept`: it will be sent as soon as Grove is back. */
export type Done<T> = { sent: T } | { kept: true } | { refused: Refused }

/** Does something now. A refusal is shown to the person unless the caller says that it shows it itself. */
export async function act<N extends Noun, K extends Name<N>>(
  noun: N,
  name: K,
  input: Input<RouteOf<N, K>>,
  { label, quiet = false }: { label: string; quiet?: boolean },
): Promise<Done<Answer<N, K>>> {
  const key = newId()
  const wasClicked = isClicked()
  const request = { ...requestOf(noun, name, input), key }
  try {
    return { sent: (await send(request, undefined, wasClicked)) as Answer<N, K> }
  } catch (error) {
    if (error instanceof Refused) {
      if (!quiet) tell(label, error)
      return { refused: error }
    }
    if (!(error instanceof Unreachable)) throw error
    // Pressed again while it waits, it is still one.
    if (!outbox.has(request)) outbox.add({ ...request, label, wasClicked, queuedAt: Date.now() })
    toast({ tone: 'rest', text: `${label}: kept, and sent when Grove is back.` })
    return { kept: true }
  }
}

const UNDO_MS = 7_000

/** Does something in a moment, so that it can be undone until then. It waits in the outbox, so a reload loses nothing. */
export function actLater<N extends Noun, K extends Name<N>>(
  noun: N,
  name: K,
  input: Input<RouteOf<N, K>>,
  { label }: { label: string },
): void {
  const key = newId()
  const request = { ...requestOf(noun, name, input), key }
  outbox.add({ ...request, label, wasClicked: isClicked(), queuedAt: Date.now(), notBefore: Date.now() + UNDO_MS })
  offerUndo(key, label, UNDO_MS)
}

/** After a reload: what was about to be done can still be undone. */
export function offerUndoAgain(): void {
  const now = Date.now()
  for (const { key, label, notBefore = 0 } of outbox.all()) if (notBefore > now) offerUndo(key, label, notBefore - now)
}

function offerUndo(key: string, label: string, forMs: number): void {
  toast({ tone: 'rest', text: label, forMs, action: { label: 'Undo', run: () => void outbox.remove(key) } })
}

/** Sends what waits and may go, one tab at a time; resolves to how many were sent. */
export async function flush(): Promise<number> {
  const work = async () => {
    let sent = 0
    for (const action of outbox.due(Date.now())) {
      if (!(await sendKept(action))) break
      sent++
    }
    return sent
  }
  return navigator.locks ? navigator.locks.request('grove.outbox', work) : work()
}

/** False when Grove cannot be reached, or does not know this browser any more: then it waits on. */
async function sendKept({ label, queuedAt, notBefore, wasClicked, ...request }: Waiting): Promise<boolean> {
  try {
    await send(request, undefined, wasClicked)
    if (notBefore === undefined) toast({ tone: 'go', text: `${label}: sent.` })
  } catch (error) {
    if (error instanceof Unreachable || (error instanceof Refused && error.isUnknown)) return false
    if (error instanceof Refused) tell(label, error)
    else throw error
  }
  outbox.remove(request.key)
  return true
}

function tell(label: string, refused: Refused): void {
  toast({ tone: 'wrong', text: `${label} was refused. ${refused.words}` })
}
