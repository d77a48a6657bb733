import type { Attachment } from '#core/session.ts'
import type { SessionState } from './session-state.ts'

/** Through what the session is seen in this run of the client, and what of that is not understood. */
export interface Attachments {
  readonly heard: readonly Attachment[]
  readonly notUnderstood: readonly Attachment[]
}

export const NOT_ATTACHED: Attachments = { heard: [], notUnderstood: [] }

/** The client starts, perhaps in another version. */
export function resetAttachments(session: SessionState): void {
  session.attachments = NOT_ATTACHED
}

export function noteHeard(session: SessionState, through: Attachment): void {
  const { heard } = session.attachments
  if (!heard.includes(through)) session.attachments = { ...session.attachments, heard: [...heard, through] }
}

export function noteNotUnderstood(session: SessionState, through: Attachment): void {
  const { notUnderstood } = session.attachments
  if (!notUnderstood.includes(through))
    session.attachments = { ...session.attachments, notUnderstood: [...notUnderstood, through] }
}

/** What this attachment tells is left aside, because it is not understood and the other one is. */
export function isLeftAside({ attachments: { heard, notUnderstood } }: SessionState, through: Attachment): boolean {
  const other = through === 'proxy' ? 'hooks' : 'proxy'
  return notUnderstood.includes(through) && heard.includes(other) && !notUnderstood.includes(other)
}
