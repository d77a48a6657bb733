/** Why Grove refuses an action. The model reads the code, so a code is never renamed. */
export type RefusalCode =
  | 'intent_required'
  | 'scope_violation'
  | 'user_rejected'
  | 'intent_not_found'
  | 'stale_file'
  | 'recovery_required'

/** A refusal as the agent sees it: what is wrong, and what would be right. */
export interface Refusal {
  status: 'error'
  code: RefusalCode
  message: string
  suggestion: string
}

/** A refusal in its standard shape. */
export function refusal(code: RefusalCode, message: string, suggestion: string): Refusal {
  return { status: 'error', code, message, suggestion }
}

/** The refusal as the one JSON line that goes into a hook reason or a tool result. */
export function refusalText({ status, code, message, suggestion }: Refusal): string {
  return JSON.stringify({ status, code, message, suggestion })
}
