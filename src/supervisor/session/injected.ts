import type { Conversation } from '../inject/conversation.ts'
import type { SessionState } from './session-state.ts'

/** What was put into the session's requests. It must stand where it stood in every later one: the prompt cache matches a prefix. */
export interface Injected {
  /** What is added to `system`, chosen at the first request and never again; the text is empty when nothing is. */
  readonly system?: { readonly text: string; readonly why: string }
  readonly conversations: readonly Conversation[]
}

export const NOTHING_INJECTED: Injected = { conversations: [] }

const CONVERSATIONS = 4

export function chooseSystem(session: SessionState, system: { text: string; why: string }): void {
  session.injected = { ...session.injected, system: { text: system.text, why: system.why } }
}

export function keepConversation(session: SessionState, conversation: Conversation): void {
  const others = session.injected.conversations.filter(({ key }) => key !== conversation.key)
  session.injected = { ...session.injected, conversations: [...others, conversation].slice(-CONVERSATIONS) }
}
