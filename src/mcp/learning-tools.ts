import * as z from 'zod'
import { CATEGORIES, CONFIDENCES, CRITERIA, SCOPES } from '#core/learning/learning.ts'
import { learningsContext } from '#core/learning/present.ts'
import { listLearnings } from '#supervisor/learning/catalogue.ts'
import { observe, skip } from '#supervisor/learning/notes.ts'
import { type Reflection, reflect } from '#supervisor/learning/reflect.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { type McpTool, mcpTool } from './tools.ts'

/** The schema is strict, the reader lenient: each candidate is judged alone, so one mistake costs one candidate. */
const Candidate = z.looseObject({
  category: z.string().describe(`One of ${CATEGORIES.join(', ')}`),
  summary: z.string().describe('One sentence that can be acted on, 10 to 200 characters'),
  detail: z
    .string()
    .describe(
      'What happens, why, and what to do; name files, and put commands and names in backticks. 20 to 2000 characters',
    ),
  scope: z
    .string()
    .optional()
    .describe(`One of ${SCOPES.join(', ')}; project if left out`),
  confidence: z
    .string()
    .optional()
    .describe(`One of ${CONFIDENCES.join(', ')}`),
  criteria_met: z.array(z.string()).describe(`What makes it worth keeping, at least one of ${CRITERIA.join(', ')}`),
  tags: z.array(z.string()).describe('1 to 10 words it is found by'),
  context_files: z.array(z.string()).optional().describe('Files it is about, relative to the project'),
  ticket_id: z.string().optional().describe('The ticket it comes from, if not the one just closed'),
  supersedes: z.string().optional().describe('The id of a learning that turned out wrong and that this one corrects'),
})

/** What an agent does with learnings. */
export function learningTools(world: LearningWorld): McpTool[] {
  return [
    mcpTool({
      name: 'reflect',
      title: 'Reflect',
      description:
        'Hands in what is worth keeping from this work, for later sessions of the whole team. Call it when Grove asks for a reflection, or when a piece of work is done: one to three insights that are specific to this project and would change what somebody does. Answers for each one whether it was kept, and why not.',
      input: z.object({
        session_id: z.string().optional().describe('The agent session it is about; the calling one if left out'),
        candidates: z.array(z.union([Candidate, z.unknown()])).min(1),
      }),
      readOnly: false,
      async handle({ candidates, session_id: sessionId }, { cwd, sessionId: ownId }) {
        const session = { ...(sessionId && { sessionId }), ...(ownId && { ownId }) }
        const reflection = await reflect(world, { cwd, candidates, ...session })
        const text = told(reflection)
        return reflection.ok
          ? text
          : { error: `${text}\nNothing was kept. Correct what is named and call again, or call skip.` }
      },
    }),
    mcpTool({
      name: 'skip',
      title: 'Skip the reflection',
      description:
        'Says that this work left nothing worth keeping, and why. A good answer when it is true: the session may then end.',
      input: z.object({ reason: z.string().trim().min(1).describe('Why there is nothing to keep') }),
      readOnly: false,
      async handle({ reason }, { cwd, sessionId }) {
        const session = await skip(world, { cwd, reason, decider: 'agent', ...(sessionId && { sessionId }) })
        if (!session) return { error: 'Grove does not know this session, so there is nothing to skip.' }
        return session.gate.status === 'skipped'
          ? 'Noted. You may finish now.'
          : `Noted. The gate is ${session.gate.status}.`
      },
    }),
    mcpTool({
      name: 'observe',
      title: 'Note an observation',
      description:
        'Leaves a short note for the reflection at the end of this work. For subagents above all: what you notice is gone with you otherwise.',
      input: z.object({ note: z.string().trim().min(1).max(2000).describe('What you noticed, in a sentence or two') }),
      readOnly: false,
      async handle({ note }, { cwd, sessionId, agentId }) {
        const session = await observe(world, {
          cwd,
          note,
          ...(sessionId && { sessionId }),
          ...(agentId && { agentId }),
        })
        return session ? 'Saved for the next reflection.' : { error: 'Grove does not know this session yet.' }
      },
    }),
    mcpTool({
      name: 'search_learnings',
      title: 'Search learnings',
      description:
        'Finds what earlier sessions learned about a part of this project: pitfalls, conventions, decisions. Call it before you start on something unfamiliar. Returns the learnings in full, with their ids.',
      input: z.object({
        query: z.string().min(1).describe('What you want to know, in words, tags or file names'),
        limit: z.number().int().min(1).max(20).default(5),
      }),
      readOnly: true,
      async handle({ query, limit }, { cwd }) {
        const library = world.libraryAt(world.rootOf(cwd), world.settingsAt(cwd))
        const found = await listLearnings(world, library, { text: query, limit })
        return found.length > 0 ? learningsContext(found) : 'Nothing was learned about that yet.'
      },
    }),
  ]
}

function told({ accepted, rejected, lost, gate, notes }: Reflection): string {
  return [
    ...accepted.map(({ id, summary }) => `Kept ${id}: ${summary}`),
    ...lost.map((summary) => `Accepted, but it could not be written: ${summary}`),
    ...rejected.map(({ summary, reasons }) => `Not kept${summary ? ` "${summary}"` : ''}: ${reasons.join('; ')}`),
    ...(gate === 'reflected' ? ['You may finish now.'] : []),
    ...notes,
  ].join('\n')
}
