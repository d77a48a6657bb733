import type { Refusal, RefusalCode } from '#core/refusal.ts'

interface Meaning {
  /** The status of an HTTP answer that is this refusal. */
  http: 400 | 401 | 403 | 404 | 409 | 500
  means: string
}

/** Every refusal there is. A code that is missing here, or in `core/refusal.ts`, does not compile. */
export const REFUSALS: Record<RefusalCode, Meaning> = {
  intent_required: { http: 403, means: 'The agent has selected no intent, or one that is closed.' },
  intent_not_found: { http: 404, means: 'There is no such intent, or the intents cannot be read.' },
  scope_violation: { http: 403, means: 'The path lies outside what the intent owns.' },
  stale_file: { http: 409, means: 'The file has changed since the agent read it, or another agent is writing it.' },
  user_rejected: { http: 403, means: 'A person has said no, or has not answered in time.' },
  recovery_required: { http: 403, means: 'Earlier corrections were not followed; only the way back is open.' },
  stage_rule: { http: 403, means: 'The stage of the feature session does not allow the call.' },
  host_not_allowed: { http: 403, means: 'The server does not answer to this name (the `Host` header).' },
  origin_not_allowed: { http: 403, means: 'The request comes from another web page.' },
  pairing_required: { http: 401, means: 'The visitor shows neither the cookie of the page nor the token.' },
  token_required: {
    http: 401,
    means: 'A request that changes something needs the token, unless it comes from the page.',
  },
  only_people: {
    http: 403,
    means: "Only people may do this, and the request came from a program that may be an agent's.",
  },
  gesture_required: {
    http: 403,
    means: "The page must send the one-time code of a person's click (`x-grove-gesture`).",
  },
  bad_name: { http: 400, means: 'The name is empty, too long, or has characters that names do not have.' },
  name_taken: { http: 409, means: 'Another person who works with this Grove has this name.' },
  person_not_found: { http: 404, means: 'There is no such person.' },
  bad_request: { http: 400, means: 'The request has the wrong shape; the message names the field.' },
  not_found: { http: 404, means: 'There is nothing at this address, or no such file.' },
  internal_error: { http: 500, means: 'Grove failed; the log file says why.' },
  project_not_found: { http: 404, means: 'No such project with intents is known.' },
  agent_not_found: { http: 404, means: 'No such agent session is known.' },
  approval_not_found: { http: 404, means: 'There is no such request.' },
  bad_answer: { http: 400, means: 'The answer to a request has the wrong shape.' },
  bad_intent: { http: 400, means: 'The intent, or the change to it, has the wrong shape.' },
  intent_exists: { http: 409, means: 'The id is taken.' },
  no_question: { http: 400, means: 'There are no words to search for.' },
  bad_page: { http: 400, means: '`limit` or `before` cannot be read.' },
  bad_edit: { http: 400, means: 'The change to a memory has the wrong shape, or changes nothing.' },
  memory_not_found: { http: 404, means: 'There is no such memory.' },
  memory_ambiguous: { http: 409, means: 'Several memories begin with this id.' },
  learning_not_found: { http: 404, means: 'There is no such learning.' },
  learning_ambiguous: { http: 409, means: 'Several learnings begin with this id.' },
  learning_superseded: { http: 409, means: 'A later learning has replaced it.' },
  learning_invalid: { http: 400, means: 'The changed learning would not pass the write gate.' },
  learning_not_editable: { http: 409, means: 'The server that keeps the learning cannot change it.' },
  workflow_off: { http: 409, means: 'Feature sessions cannot run here: Claude Code or git is missing or too old.' },
  session_not_found: { http: 404, means: 'There is no such feature session.' },
  session_busy: { http: 409, means: 'The feature session is being changed by another command.' },
  session_active: { http: 409, means: 'Another feature session works in this checkout already.' },
  stale_revision: { http: 409, means: 'The feature session has changed since the page was read.' },
  not_possible_now: { http: 409, means: 'The feature session is in a state in which this cannot be done.' },
  bad_form: { http: 400, means: 'A field of the form is missing or wrong; the message names it.' },
  bad_project: { http: 400, means: 'The folder cannot be worked in; the message says why.' },
  bad_branch: { http: 400, means: 'The branch cannot be used; the message says why.' },
  dirty_tree: { http: 409, means: 'The checkout has uncommitted changes, and the session would work in it.' },
  repository_trouble: { http: 409, means: 'Git failed; the message says why.' },
  plan_not_found: { http: 404, means: 'There is no plan yet, or not in this version.' },
  plan_changed: { http: 409, means: 'The plan has changed since it was read.' },
  signoff_required: { http: 409, means: 'Fewer reviews than recommended; a person has to accept the risk.' },
  question_not_found: { http: 404, means: 'There is no such question, or it cannot be answered any more.' },
  answer_not_offered: { http: 400, means: 'The question does not take this answer.' },
  choice_not_offered: { http: 400, means: 'The choice is not offered, or it needs a text.' },
  branch_exists: { http: 409, means: 'There is a branch of this name already; the form may say to use it.' },
  agent_busy: { http: 409, means: 'Another process works with this conversation of Claude.' },
  agent_failed: { http: 500, means: 'Claude Code could not be started, or has ended.' },
}

/** Tells a refusal from the value that was asked for. */
export function isRefusal<T>(value: T): value is Extract<T, Refusal> {
  return typeof value === 'object' && value !== null && 'code' in value && 'status' in value && value.status === 'error'
}

/** The refusal as the one JSON line that goes into a hook reason or a tool result. */
export function refusalText({ status, code, message, suggestion }: Refusal): string {
  return JSON.stringify({ status, code, message, suggestion })
}
