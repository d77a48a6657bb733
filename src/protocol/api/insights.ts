import { z } from 'zod'
import { inProject, ProjectName, texts, time } from './fields.ts'
import { RejectionStage } from './rejected-learnings.ts'
import { route } from './route.ts'

const LearningUse = z.strictObject({ id: z.string(), summary: z.string(), surfaced: z.int(), referenced: z.int() })

const ProjectInsights = z
  .strictObject({
    project: ProjectName,
    learnings: z.strictObject({ active: z.int(), archived: z.int(), superseded: z.int() }),
    reflections: z.int(),
    candidates: z.strictObject({ produced: z.int(), accepted: z.int(), rejected: z.int() }),
    skipped: z.int(),
    tripped: z.int().describe('How often agents were let go because they never reflected'),
    surfaced: z.int(),
    referenced: z.int(),
    hitRate: z.number().exactOptional().describe('Absent before anything was shown'),
    byCategory: z.array(
      z.strictObject({ category: z.string(), learnings: z.int(), surfaced: z.int(), referenced: z.int() }),
    ),
    turnedDown: z
      .array(
        z.strictObject({
          summary: z.string(),
          stage: RejectionStage,
          reasons: texts,
          at: time,
        }),
      )
      .describe('Candidates that were turned down lately, newest first'),
    best: z.array(LearningUse).describe('Those that were used most'),
    worst: z.array(LearningUse).describe('Those that were shown and never used'),
    findings: z
      .array(
        z.strictObject({
          kind: z.enum([
            'rubber-stamping',
            'gate-too-strict',
            'gate-too-loose',
            'category-never-helps',
            'stale-area',
            'mostly-skipped',
            'agents-give-up',
          ]),
          what: z.string(),
          recommendation: z.string(),
        }),
      )
      .describe('What is worth changing'),
  })
  .meta({ id: 'ProjectInsights' })

const Day = z
  .strictObject({
    day: z.string().describe('As in 2026-03-31, in UTC'),
    sessions: z.int(),
    actions: z.int().describe('Steps of sessions that are still kept'),
    drifted: z.int().describe('Actions that were rejected'),
    recovered: z.int().describe('Of these: the agent came back to its goal'),
    injections: z.int(),
    injectedTokens: z.number(),
    tokens: z.number().describe('Of all model calls'),
    memories: z.int(),
    memoriesShown: z.int().describe('Memories that were put before agents'),
    memoriesUsed: z.int().describe('Of these: the agent then acted on it'),
    learned: z.int().describe('Candidates that passed the write gate'),
    turnedDown: z.int().describe('Candidates that did not'),
    judgeCostUsd: z.number(),
  })
  .meta({ id: 'InsightDay' })
export type InsightDay = z.infer<typeof Day>

export const insightRoutes = {
  days: route({
    method: 'GET',
    path: '/api/insights/days',
    summary: 'Counts day by day what agents did, how often they drifted and came back, and what Grove added.',
    query: z.object({
      ...inProject,
      days: z.coerce.number<string | number>().int().min(1).max(90).default(30),
    }),
    answer: z.strictObject({ days: z.array(Day).describe('Oldest first, every day once') }),
  }),
  list: route({
    method: 'GET',
    path: '/api/insights',
    summary: 'Tells how well learning works in each project, and what to change.',
    query: z.object(inProject),
    answer: z.strictObject({ projects: z.array(ProjectInsights) }),
  }),
}
