import { z } from 'zod'
import { FindingKind } from './api/canary.ts'
import { Level, Mode } from './api/fields.ts'
import { RefusalCode } from './api/refusal.ts'
import { WorkflowEvent } from './workflow/events.ts'
import { OutputLine } from './workflow/output.ts'

/**
 * What the daemon pushes over its websocket while agents work. `GET /ws?after=<seq>` replays what came after that number,
 * then follows.
 */

const session = { sessionId: z.string() }
const task = { ...session, taskId: z.string() }

/** What the guard tells: requests to a person, the choice of an intent, refusals. */
export const GuardEvent = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('approval:asked'), ...session, approvalId: z.string(), what: z.string() })
    .describe('An agent asks a person for something.'),
  z
    .strictObject({ type: z.literal('approval:answered'), ...session, approvalId: z.string(), approved: z.boolean() })
    .describe('A person has answered, or the agent has gone on without the answer.'),
  z
    .strictObject({ type: z.literal('intent:selected'), ...session, intentId: z.string() })
    .describe('An agent has said which intent it works for.'),
  z
    .strictObject({ type: z.literal('guard:denied'), ...session, code: RefusalCode, message: z.string() })
    .describe('A tool call was refused before it ran.'),
  z
    .strictObject({ type: z.literal('guard:violation'), ...session, paths: z.array(z.string()) })
    .describe('Files outside the scope changed while a tool ran.'),
])
export type GuardEvent = z.infer<typeof GuardEvent>

/** Events of feature sessions that are not kept: a client that missed them reads the state anew. */
export const FeatureSign = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('output.line'),
      ...session,
      projectId: z.string(),
      featureId: z.string(),
      line: OutputLine,
    })
    .describe('A line of what Claude does in a feature session; `sessionId` is that of the feature session.'),
  z
    .strictObject({
      type: z.literal('output.part'),
      ...session,
      projectId: z.string(),
      featureId: z.string(),
      text: z.string(),
    })
    .describe('A piece of text while Claude writes it.'),
  z
    .strictObject({ type: z.literal('inbox.changed'), waiting: z.int() })
    .describe('What waits for a person has changed; `GET /api/inbox` lists it.'),
])
export type FeatureSign = z.infer<typeof FeatureSign>

/** Everything that happens while agents work. */
export const LiveEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('session:seen'), ...session }).describe('An agent session has done something.'),
  z.strictObject({ type: z.literal('session:ended'), ...session }).describe('An agent session is over.'),
  z.strictObject({ type: z.literal('task:started'), ...task, goal: z.string() }).describe('A new task begins.'),
  z
    .strictObject({ type: z.literal('task:finished'), ...task, status: z.enum(['completed', 'abandoned']) })
    .describe('A task is over.'),
  z
    .strictObject({
      type: z.literal('step'),
      ...task,
      stepId: z.string(),
      tool: z.string(),
      files: z.array(z.string()),
      score: z.number(),
    })
    .describe('An action was kept as a step of the task.'),
  z
    .strictObject({
      type: z.literal('drift'),
      ...task,
      level: Level,
      score: z.number(),
      reason: z.string(),
      mode: Mode,
    })
    .describe('An action leads away from the goal, and is corrected.'),
  z.strictObject({ type: z.literal('recovered'), ...task }).describe('The agent is back on its goal.'),
  z
    .strictObject({
      type: z.literal('injected'),
      ...session,
      kind: z.string(),
      tokens: z.number(),
      why: z.string(),
    })
    .describe('Grove has put a text before the agent.'),
  z
    .strictObject({ type: z.literal('tokens'), ...session, contextTokens: z.number(), window: z.number() })
    .describe('How full the context window is.'),
  z
    .strictObject({ type: z.literal('cleared'), ...session, before: z.number() })
    .describe('The older part of the conversation was replaced by a summary; `before` is how many tokens it had.'),
  z
    .strictObject({
      type: z.literal('client:finding'),
      sessionId: z.string().exactOptional(),
      version: z.string(),
      kind: FindingKind,
      subject: z.string().exactOptional(),
    })
    .describe('Something of a client version is not understood; told once per version. `GET /api/canary` explains it.'),
  ...GuardEvent.options,
  ...WorkflowEvent.options,
  ...FeatureSign.options,
])
export type LiveEvent = z.infer<typeof LiveEvent>

/** An event as it goes over the socket: numbered, so that a client that was away can ask for what it missed. */
export const NumberedEvent = z
  .strictObject({ seq: z.int(), at: z.number(), event: LiveEvent })
  .describe('One event, with its number and its time in milliseconds.')
export type NumberedEvent = z.infer<typeof NumberedEvent>

/** Something that was asked for is no longer kept: read the state anew. */
export const Gap = z
  .strictObject({ type: z.literal('gap') })
  .describe('Events between `after` and the next one are no longer kept; read the state anew.')

/** Sent every 30 seconds. */
export const Heartbeat = z.strictObject({ type: z.literal('heartbeat') }).describe('The connection is alive.')

/** A message of the socket. */
export const LiveMessage = z.union([NumberedEvent, Gap, Heartbeat])
export type LiveMessage = z.infer<typeof LiveMessage>

/** The query of the socket's address. */
export const LiveQuery = z.object({
  after: z
    .string()
    .exactOptional()
    .describe('The number of the last event that the client has seen; without it nothing is replayed'),
  feature: z
    .union([z.string(), z.array(z.string())])
    .exactOptional()
    .describe(
      '`<projectId>/<featureId>:<number>`, as often as wanted: replays every event of that feature session after this number, from its own record, which outlives restarts',
    ),
})
export type LiveQuery = z.infer<typeof LiveQuery>
