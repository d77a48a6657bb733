/**
 * Turns that others wait for: a connection in use, an answer that is being found. When work that blocks the event loop is ended, V8
 * drops every continuation that was due at that moment, whosever it was; a turn that was to be given back by one of them would be
 * taken for ever, and everything queued behind it would wait for ever.
 */

/** Notes the turn that is taken now; what it returns gives that turn back, should it still be taken. */
type NoteTaken = () => () => void

const all = new Set<NoteTaken>()

/** From now on this one's turns are given back when they were lost. What it returns ends that. */
export function mayBeLost(taken: NoteTaken): () => void {
  all.add(taken)
  return () => all.delete(taken)
}

/**
 * Called when work was ended: notes the turns that are taken. The function it returns is called a while later and gives back
 * those that are still taken; work that goes on has released its own by then.
 */
export function passLostTurns(): () => void {
  const taken = [...all].map((note) => note())
  return () => {
    for (const giveBack of taken) giveBack()
  }
}
