import { toast } from '../ui/toasts.ts'
import {
  type Answer,
  type Input,
  type Name,
  type Noun,
  Refused,
  type RouteOf,
  requestOf,
  send,
  Unreachable,
} from './client.ts'
import { Outbox, type Waiting } from './outbox.ts'

/** Everything that changes something goes through here: sent once, kept while Grove cannot be reached. */

export const outbox = new Outbox(localStorage)

/** `kept`: it will be sent as soon as Grove is back. */
export type Done<T> = { sent: T } | { kept: true } | { refused: Refused }

/** Does something now. A refusal is shown to the person unless the caller says that it shows it itself. */
export async function act<N extends Noun, K extends Name<N>>(
  noun: N,
  name: K,
  input: Input<RouteOf<N, K>>,
  { label, quiet = false }: { label: string; quiet?: boolean },
): Promise<Done<Answer<N, K>>> {
  const key = crypto.randomUUID()
  const request = { ...requestOf(noun, name, input), key }
  try {
    return { sent: (await send(request)) as Answer<N, K> }
  } catch (error) {
    if (error instanceof Refused) {
      if (!quiet) tell(label, error)
      return { refused: error }
    }
    if (!(error instanceof Unreachable)) throw error
    outbox.add({ ...request, label, queuedAt: Date.now() })
    toast({ tone: 'rest', text: `${label}: kept, and sent when Grove is back.` })
    return { kept: true }
  }
}

const UNDO_MS = 7_000

/** Does something in a moment, so that it can be undone until then; survives a reload. */
export function actLater<N extends Noun, K extends Name<N>>(
  noun: N,
  name: K,
  input: Input<RouteOf<N, K>>,
  { label, onUndo, onDone }: { label: string; onUndo(): void; onDone(): void },
): void {
  const key = crypto.randomUUID()
  const request = { ...requestOf(noun, name, input), key }
  outbox.add({ ...request, label, queuedAt: Date.now(), notBefore: Date.now() + UNDO_MS })
  const timer = setTimeout(() => void flush().then(onDone), UNDO_MS + 50)
  toast({
    tone: 'rest',
    text: label,
    forMs: UNDO_MS,
    action: {
      label: 'Undo',
      run: () => {
        clearTimeout(timer)
        if (outbox.remove(key)) onUndo()
      },
    },
  })
}

/** Sends what waits and may go. One tab does so at a time. */
export async function flush(): Promise<void> {
  const work = async () => {
    for (const action of outbox.due(Date.now())) if (!(await sendKept(action))) return
  }
  if (navigator.locks) await navigator.locks.request('grove.outbox', work)
  else await work()
}

/** False when Grove cannot be reached. */
async function sendKept({ label, queuedAt, notBefore, ...request }: Waiting): Promise<boolean> {
  try {
    await send(request)
    if (notBefore === undefined) toast({ tone: 'go', text: `${label}: sent.` })
  } catch (error) {
    if (error instanceof Unreachable) return false
    if (error instanceof Refused) tell(label, error)
    else throw error
  }
  outbox.remove(request.key)
  return true
}

function tell(label: string, { refusal }: Refused): void {
  toast({ tone: 'wrong', text: `${label} was refused. ${refusal.message} ${refusal.suggestion}` })
}
