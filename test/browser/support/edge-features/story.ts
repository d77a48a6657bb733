import type { SessionSnapshot } from '../../../../src/protocol/api/sessions.ts'
import type { EventRecord, NewWorkflowEvent } from '../../../../src/protocol/workflow/events.ts'
import { iso } from './ago.ts'
import { RUN } from './pull-request.ts'
import { REVIEWS } from './reviewed.ts'

/** What happened in a feature session, and what it changed. */

const EVENTS: NewWorkflowEvent[] = [
  { type: 'session.created', title: 'Rotate refresh tokens' },
  { type: 'questions.batch', questionIds: ['a', 'b'], filtered: 0 },
  { type: 'question.answered', questionId: 'a', answer: { value: 'family', text: null } },
  { type: 'stage_transition', from: 1, to: 2, reason: 'plan_created' },
  { type: 'plan.created', planId: 'p', version: 3, hash: 'h', steps: [] },
  { type: 'question.filtered', questionId: 'q7', reason: 'There is an index on user_id since 0042_users.sql' },
  { type: 'review.findings', planId: 'p', iteration: 3, issues: REVIEWS[2]!.findings },
  { type: 'agent.ended', spawnId: 's', how: 'done', costUsd: 0.21 },
  {
    type: 'execution.denied',
    tool: 'Write',
    code: 'scope_violation',
    message: 'infra/mqtt/broker.conf lies outside the plan’s scope. The agent was told so and went on without it.',
  },
  { type: 'check.finished', run: RUN },
]

export function eventsOf({ summary: { id: sessionId, projectId, featureId } }: SessionSnapshot): EventRecord[] {
  return EVENTS.map((event, index) => ({
    id: `e${index}`,
    number: index + 31,
    eventType: event.type,
    stage: 'review',
    payload: { ...event, sessionId, projectId, featureId, number: index + 31 } as EventRecord['payload'],
    createdAt: iso(60 - index * 6),
  }))
}

export const PATCH = `diff --git a/src/auth/refresh.ts b/src/auth/refresh.ts
index 1111111..2222222 100644
--- a/src/auth/refresh.ts
+++ b/src/auth/refresh.ts
@@ -27,6 +27,9 @@ export async function refresh(token: string) {
   const row = await tokens.find(hash(token))
-  return issue(row.user)
+  const family = await families.of(row)
+  if (family.live !== row.id) return revoke(family)
+  return issue(row.user, family)
 }
 
 export function hash(token: string): string {
diff --git a/migrations/0043_families.sql b/migrations/0043_families.sql
new file mode 100644
--- /dev/null
+++ b/migrations/0043_families.sql
@@ -0,0 +1,2 @@
+ALTER TABLE sessions ADD COLUMN family TEXT;
+CREATE INDEX sessions_family ON sessions (family);
`
