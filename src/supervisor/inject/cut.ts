import { type Cut, fingerprint } from './conversation.ts'
import type { Layout } from './forward.ts'
import { roleOf } from './messages.ts'
import { spokenIn } from './opening.ts'

/**
 * Where CLEAR cuts. What remains must be valid, so the cut falls right before an assistant message: its tool calls and
 * their results all come after it, and the opening that stands for the rest is a user message. The newest exchange
 * always stays, so an open tool call is never lost.
 */
export function planCut(layout: Layout, keepBytes: number, summary: string): Cut | undefined {
  const index = cutIndex(layout, keepBytes)
  if (index === undefined) return undefined
  const print = fingerprint(layout.body, layout.messages[index]!)
  const spoken = lastSpokenBefore(layout, index)
  return { index, print, summary, ...(spoken !== undefined && { spoken }) }
}

/** The earliest assistant message from which everything fits into `keepBytes`, but at the latest the newest one. */
function cutIndex({ body, messages }: Layout, keepBytes: number): number | undefined {
  const end = messages.at(-1)!.end
  let chosen: number | undefined
  for (let index = messages.length - 1; index > 0; index--) {
    const message = messages[index]!
    if (chosen !== undefined && end - message.start > keepBytes) break
    if (roleOf(body, message) === 'assistant') chosen = index
  }
  return chosen
}

/** Where the user's newest instruction stands that the cut would leave out. */
function lastSpokenBefore({ body, messages }: Layout, index: number): number | undefined {
  const at = messages
    .slice(0, index)
    .findLastIndex((message) => roleOf(body, message) === 'user' && spokenIn(body, message).length > 0)
  return at === -1 ? undefined : at
}
