import { z } from 'zod'
import { Level, Mode, texts, time } from './fields.ts'
import { route } from './route.ts'

const attachments = z.array(z.enum(['proxy', 'hooks'])).describe('How Grove sees the session')
const kind = z.enum(['read', 'edit', 'write', 'search', 'bash', 'web', 'agent', 'mcp', 'other'])

const Gate = z
  .strictObject({
    status: z.enum(['idle', 'active', 'pending', 'blocked', 'reflected', 'skipped']),
    ticket: z.string().exactOptional(),
    attended: z
      .boolean()
      .exactOptional()
      .describe('Whether a person is at the terminal; absent until the client has said so'),
    learnings: z
      .array(z.strictObject({ id: z.string(), outcome: z.enum(['pending', 'referenced', 'dismissed']) }))
      .describe('What it was shown of earlier learnings, and what became of them'),
  })
  .meta({ id: 'AgentGate', description: 'Where the learning gate stands for a session.' })
export type AgentGate = z.infer<typeof Gate>

const DrivingFeature = z.strictObject({ projectId: z.string(), featureId: z.string(), title: z.string() })

/** A live agent session in one line. */
export const AgentSummary = z
  .strictObject({
    sessionId: z.string(),
    projectId: z.string().exactOptional(),
    project: z.string().exactOptional().describe('The name of the project, or the folder the agent works in'),
    cwd: z.string().exactOptional(),
    goal: z.string().exactOptional(),
    finished: z
      .enum(['completed', 'abandoned'])
      .exactOptional()
      .describe('How the work on this goal ended; absent while it continues'),
    mode: Mode.exactOptional(),
    model: z.string().exactOptional(),
    contextTokens: z.number().describe('How many tokens are in the window now'),
    window: z.number().exactOptional().describe('How many tokens fit'),
    actions: z.int().describe('How many actions it has taken, rejected ones too'),
    lastScore: z.number().exactOptional().describe('The score of the latest action that could be scored'),
    corrections: z.int(),
    memories: z.int().describe("How many of the team's memories the agent was given"),
    stoppedWrites: z.int().describe('How many of its writes the guard has stopped'),
    injections: z
      .strictObject({ count: z.int(), tokens: z.number() })
      .describe('What Grove has put before the agent, and about how many tokens that was'),
    judgeCostUsd: z.number().describe('What the judge has cost in this session, in dollars'),
    tokens: z.number().describe('Of all model calls of the session together; 0 where the proxy did not see them'),
    gate: Gate.exactOptional(),
    waitsFor: z
      .strictObject({
        what: z.string().describe('In a line: what it asks for, or what its feature session waits for'),
        count: z.int().describe('How many such things there are'),
        feature: DrivingFeature.exactOptional().describe('Where it is answered; otherwise, at the agent itself'),
      })
      .exactOptional()
      .describe('Absent where no person is needed'),
    attachments,
    startedAt: time,
    lastSeenAt: time,
  })
  .meta({ id: 'AgentSummary', description: 'A live agent session in one line.' })
export type AgentSummary = z.infer<typeof AgentSummary>

const FinishedWork = z
  .strictObject({
    sessionId: z.string(),
    goal: z.string(),
    project: z.string(),
    outcome: z.string().describe('What became of it, as its memory says'),
    memories: z.int().describe("How many of the team's memories the agent was given"),
    corrections: z.int(),
    stoppedWrites: z.int().describe('How many of its writes the guard has stopped'),
    at: time,
  })
  .meta({ id: 'FinishedWork', description: 'A piece of finished work, and what Grove has done for it.' })
export type FinishedWork = z.infer<typeof FinishedWork>

const AgentSession = z
  .strictObject({
    id: z.string().describe("Claude Code's own session id"),
    projectId: z.string().exactOptional(),
    cwd: z.string().exactOptional(),
    model: z.string().exactOptional(),
    attachments,
    contextTokens: z.number().describe('How full the context window is now'),
    startedAt: time,
    lastSeenAt: time,
    endedAt: time.exactOptional(),
  })
  .meta({ id: 'AgentSession' })

const Task = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    projectId: z.string().exactOptional(),
    kind: z.enum(['main', 'subtask', 'parallel']),
    parentId: z.string().exactOptional(),
    instruction: z.string().describe("The user's words this task began with"),
    goal: z.string(),
    expectedScope: texts,
    constraints: texts,
    keywords: texts,
    mode: Mode,
    status: z.enum(['active', 'completed', 'abandoned']),
    escalation: z.int().describe('How many corrections in a row were not followed'),
    promptCount: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Task', description: 'One unit of tracked work in an agent session.' })

const Step = z
  .strictObject({
    id: z.string().describe('The `tool_use_id`'),
    sessionId: z.string(),
    taskId: z.string(),
    agentId: z.string().exactOptional().describe('Set when a subagent took the step'),
    tool: z.string(),
    kind,
    files: texts,
    folders: texts,
    command: z.string().exactOptional(),
    query: z.string().exactOptional(),
    excerpt: z.string().exactOptional().describe('A short piece of what was written'),
    reasoning: z.string().exactOptional(),
    keywords: texts,
    driftScore: z.number().exactOptional(),
    driftType: z.enum(['none', 'minor', 'major', 'critical']).exactOptional(),
    keyDecision: z.boolean(),
    at: time,
    outcome: z.enum(['failed', 'denied']).exactOptional().describe('What became of it; missing when it ran'),
    changes: texts.exactOptional().describe('Files and folders that it changed, through the shell too'),
    level: Level.exactOptional().describe('How it was answered'),
    correction: z.string().exactOptional().describe('The words of that answer'),
  })
  .meta({ id: 'Step', description: 'One action that the agent took.' })

const DriftEvent = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    taskId: z.string(),
    stepId: z.string().describe('The `tool_use_id` of the rejected action'),
    tool: z.string(),
    kind,
    files: texts,
    score: z.number(),
    level: Level,
    reason: z.string(),
    correction: z.string(),
    recoveryPlan: texts,
    recovered: z.boolean(),
    at: time,
  })
  .meta({ id: 'DriftEvent', description: 'A rejected action, with its correction and the way back.' })

const Injection = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    taskId: z.string().exactOptional(),
    kind: z.string(),
    place: z.enum(['system', 'message', 'hook', 'clear']),
    text: z.string(),
    why: z.string(),
    tokens: z.number(),
    at: time,
  })
  .meta({ id: 'Injection', description: 'A text that Grove has put into the conversation, and why.' })

/** All that is known about one agent session. */
export const AgentDetail = z.strictObject({
  session: AgentSession,
  tasks: z.array(Task),
  actions: z.int().describe('How many actions it has taken, rejected ones too; the newest are in the lists'),
  steps: z.array(Step).describe('Newest first'),
  driftEvents: z.array(DriftEvent).describe('Newest first'),
  injections: z.array(Injection).describe('Newest first'),
  tokens: z
    .strictObject({
      input: z.number(),
      output: z.number(),
      cacheRead: z.number(),
      cacheWrite: z.number(),
      turns: z.int(),
    })
    .describe('Of all model calls together'),
  memories: z
    .array(
      z.strictObject({
        id: z.string(),
        goal: z.string(),
        shownAt: time,
        usedAt: time.exactOptional(),
        how: z.enum(['files', 'words', 'opened']).exactOptional(),
      }),
    )
    .describe("What the agent was shown of the team's memory, in the order in which it was"),
  judgeCostUsd: z.number(),
  gate: Gate.exactOptional(),
  feature: DrivingFeature.exactOptional().describe('The feature session that drives the agent'),
})
export type AgentDetail = z.infer<typeof AgentDetail>

export const agentRoutes = {
  list: route({
    method: 'GET',
    path: '/api/agents',
    summary: 'Lists the agent sessions that are live, at most the 200 that were seen last.',
    answer: z.strictObject({
      agents: z.array(AgentSummary),
      judge: z.strictObject({ costTodayUsd: z.number() }).describe('What the judge has cost today in all, in dollars'),
    }),
  }),
  finished: route({
    method: 'GET',
    path: '/api/agents/finished',
    summary: 'Lists the work that was finished in the last seven days, newest first.',
    answer: z.strictObject({ finished: z.array(FinishedWork) }),
  }),
  show: route({
    method: 'GET',
    path: '/api/agents/:sessionId',
    summary: 'Shows one agent session, live or not, with its tasks, steps, drift events, injections and tokens.',
    params: z.strictObject({ sessionId: z.string() }),
    answer: AgentDetail,
    refusals: ['agent_not_found'],
  }),
}
