import { type Span, valueAt } from '#protocol/request-scan.ts'
import type { Cut } from './conversation.ts'

interface Messages {
  body: Buffer
  messages: readonly Span[]
}

/**
 * The message that stands for what CLEAR leaves out: what the client itself put before the first prompt (CLAUDE.md, the
 * date), the summary, and the user's newest instruction, word for word. The same request gives the same bytes.
 */
export function openingOf({ body, messages }: Messages, { summary, spoken }: Cut): string {
  const reminders = textsOf(body, messages[0]!).filter(isReminder)
  const instruction = spoken === undefined ? [] : spokenIn(body, messages[spoken]!)
  const content = [...reminders, summary, ...instruction].map((text) => ({ type: 'text', text }))
  return JSON.stringify({ role: 'user', content })
}

/** What a user message says in words of its own. */
export function spokenIn(body: Buffer, message: Span): string[] {
  return textsOf(body, message).filter((text) => !isReminder(text))
}

function isReminder(text: string): boolean {
  return text.trimStart().startsWith('<system-reminder>')
}

function textsOf(body: Buffer, message: Span): string[] {
  const { content } = valueAt(body, message) as { content?: unknown }
  if (typeof content === 'string') return content === '' ? [] : [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((block: { type?: unknown; text?: unknown }) =>
    block?.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '' ? [block.text] : [],
  )
}
