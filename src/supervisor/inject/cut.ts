import { valueAt } from '#protocol/request-scan.ts'
import { type Cut, fingerprint } from './conversation.ts'
import { type Layout, roleOf } from './forward.ts'

/**
 * Where CLEAR cuts. What remains must be valid, so the cut falls right before an assistant message: its tool calls and
 * their results all come after it, and the opening that stands for the rest is a user message. The newest exchange
 * always stays, so an open tool call is never lost.
 */
export function planCut(layout: Layout, keepBytes: number, summary: string): Cut | undefined {
  const index = cutIndex(layout, keepBytes)
  if (index === undefined) return undefined
  const print = fingerprint(layout.body, layout.messages[index]!)
  const blocks = [...clientReminders(layout), summary, ...lastInstructionBefore(layout, index)]
  const opening = { role: 'user', content: blocks.map((text) => ({ type: 'text', text })) }
  return { index, print, opening: JSON.stringify(opening) }
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

/** What the client itself put before the first prompt (CLAUDE.md, the date) still holds after the cut. */
function clientReminders({ body, messages }: Layout): string[] {
  return textsOf(valueAt(body, messages[0]!)).filter((text) => text.trimStart().startsWith('<system-reminder>'))
}

/** The user's newest instruction, word for word, when the cut would leave it out. */
function lastInstructionBefore({ body, messages }: Layout, index: number): string[] {
  for (let at = index - 1; at >= 0; at--) {
    if (roleOf(body, messages[at]!) !== 'user') continue
    const texts = textsOf(valueAt(body, messages[at]!)).filter(
      (text) => !text.trimStart().startsWith('<system-reminder>'),
    )
    if (texts.length > 0) return texts
  }
  return []
}

function textsOf(message: unknown): string[] {
  const { content } = message as { content?: unknown }
  if (typeof content === 'string') return content === '' ? [] : [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((block: { type?: unknown; text?: unknown }) =>
    block?.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '' ? [block.text] : [],
  )
}
