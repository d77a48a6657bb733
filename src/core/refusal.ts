/**
 * Why something is not done. Models, people and programs read the code, so a code is never renamed; the HTTP status and
 * the meaning of each stand in `protocol/refusal.ts`.
 */
export type RefusalCode =
  // What an agent may not do.
  | 'intent_required'
  | 'intent_not_found'
  | 'scope_violation'
  | 'stale_file'
  | 'user_rejected'
  | 'recovery_required'
  | 'stage_rule'
  // Who may not ask.
  | 'host_not_allowed'
  | 'origin_not_allowed'
  | 'pairing_required'
  | 'token_required'
  | 'only_people'
  | 'gesture_required'
  | 'bad_name'
  | 'name_taken'
  | 'person_not_found'
  // What cannot be answered.
  | 'bad_request'
  | 'not_found'
  | 'internal_error'
  | 'project_not_found'
  | 'agent_not_found'
  | 'approval_not_found'
  | 'bad_answer'
  | 'bad_intent'
  | 'intent_exists'
  | 'no_question'
  | 'bad_page'
  | 'bad_edit'
  | 'memory_not_found'
  | 'memory_ambiguous'
  | 'learning_not_found'
  | 'learning_ambiguous'
  | 'learning_superseded'
  | 'learning_invalid'
  | 'learning_not_editable'
  // What a feature session cannot do.
  | 'workflow_off'
  | 'session_not_found'
  | 'session_busy'
  | 'session_active'
  | 'stale_revision'
  | 'not_possible_now'
  | 'bad_form'
  | 'bad_project'
  | 'bad_branch'
  | 'dirty_tree'
  | 'repository_trouble'
  | 'plan_not_found'
  | 'plan_changed'
  | 'signoff_required'
  | 'question_not_found'
  | 'answer_not_offered'
  | 'choice_not_offered'
  | 'branch_exists'
  | 'agent_busy'
  | 'agent_failed'

/** The one shape of a refusal: what is wrong, and what would be right. */
export interface Refusal<Code extends RefusalCode = RefusalCode> {
  status: 'error'
  code: Code
  message: string
  suggestion: string
}

export function refusal<const Code extends RefusalCode>(
  code: Code,
  message: string,
  suggestion: string,
): Refusal<Code> {
  return { status: 'error', code, message, suggestion }
}
