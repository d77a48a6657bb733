/**
 * Locks that others wait for: a connection in use, an answer that is being found. When work that blocks the event loop is ended, V8
 * drops every continuation that was due at that moment, whatever it belonged to; a lock that one of them was to release would be
 * held for ever, and everything queued behind it would wait for ever.
 */

/** Notes the locks that are held now; what it returns releases those of them that are still held. */
type NoteHeld = () => () => void

const all = new Set<NoteHeld>()

/** From now on these locks are released when they were lost. What it returns ends that. */
export function mayBeLost(held: NoteHeld): () => void {
  all.add(held)
  return () => all.delete(held)
}

/**
 * Called when work was ended: notes the locks that are held. The function it returns is called a while later and releases
 * those that are still held; work that goes on has released its own by then.
 */
export function noteLostLocks(): () => void {
  const held = [...all].map((note) => note())
  return () => {
    for (const release of held) release()
  }
}
