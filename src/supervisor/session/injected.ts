import type { Conversation } from '../inject/conversation.ts'
import type { SessionState } from './session-state.ts'

/** What was put into the session's requests. It must stand where it stood in every later one: the prompt cache matches a prefix. */
export interface Injected {
  readonly conversations: readonly Conversation[]
}

export const NOTHING_INJECTED: Injected = { conversations: [] }

const CONVERSATIONS = 4

export function keepConversation(session: SessionState, conversation: Conversation): void {
  const others = session.injected.conversations.filter(({ key }) => key !== conversation.key)
  session.injected = { ...session.injected, conversations: [...others, conversation].slice(-CONVERSATIONS) }
}
