import { z } from 'zod'
import { limit, texts, time } from './fields.ts'
import { route } from './route.ts'

const decisions = z.array(z.strictObject({ choice: z.string(), reason: z.string() }))
const status = z.enum(['complete', 'partial', 'abandoned'])

const MemoryEntry = z
  .strictObject({
    id: z.string(),
    projectId: z.string(),
    user: z.string().exactOptional().describe('Who did the work'),
    instruction: z.string().describe("The user's own words"),
    goal: z.string(),
    reasoningTrace: texts,
    decisions,
    constraints: texts,
    files: texts,
    tags: texts,
    status,
    trigger: z.enum(['complete', 'threshold', 'abandoned', 'import']).describe('Why it was kept'),
    branch: z.string().exactOptional(),
    merged: z.boolean().exactOptional().describe('The work of `branch` has reached the default branch'),
    linkedCommit: z.string().exactOptional(),
    parentId: z.string().exactOptional(),
    sessionId: z.string().exactOptional(),
    supersededBy: z
      .string()
      .exactOptional()
      .describe('A later memory that says the same better, or the opposite with reason'),
    createdAt: time,
    updatedAt: time.exactOptional().describe('Absent as long as it was never changed'),
    updatedBy: z.string().exactOptional(),
    standing: z
      .enum(['main', 'here', 'open'])
      .describe('`open`: its work lies on a branch that has not reached the default branch'),
    usefulness: z
      .strictObject({ shown: z.int(), used: z.int() })
      .describe('How often it was shown to agents, and how often they then acted on it'),
  })
  .meta({ id: 'MemoryEntry', description: 'The summary of finished work that the team shares.' })

const byId = z.strictObject({ id: z.string().describe('The id, or its beginning where that is enough') })
const project = z.string().exactOptional().describe('The id of one project')
const invalidPage = { code: 'bad_page', suggestion: 'Take before from next in the earlier answer.' } as const

const MemoryEdit = z
  .strictObject({
    goal: z.string().trim().min(1).exactOptional(),
    reasoningTrace: texts.exactOptional(),
    decisions: decisions.exactOptional(),
    constraints: texts.exactOptional(),
    files: texts.exactOptional(),
    tags: texts.exactOptional(),
    status: status.exactOptional(),
  })
  .refine((edit) => Object.keys(edit).length > 0, 'There is nothing to change.')

export const memoryRoutes = {
  list: route({
    method: 'GET',
    path: '/api/memories',
    summary: 'Lists memories, newest first, of one project or of all.',
    query: z.object({
      project,
      limit: limit(50),
      before: z
        .string()
        .regex(/^\d{1,15}(?:-[\w-]+)?$/, 'before must be a place in the list')
        .exactOptional()
        .describe('`next` of the page before, or a time in milliseconds'),
    }),
    answer: z.strictObject({
      memories: z.array(MemoryEntry),
      next: z.string().exactOptional().describe('Where the next page begins; absent on the last one'),
    }),
    invalid: invalidPage,
  }),
  search: route({
    method: 'GET',
    path: '/api/memories/search',
    summary: 'Finds the memories that bear on a text, best first, each with the reason.',
    query: z.object({
      q: texts.default([]).describe('Words, identifiers, file names or an error message'),
      files: texts
        .default([])
        .describe('Files being worked on, also separated by commas; memories about them rank higher'),
      project,
      limit: limit(20),
    }),
    answer: z.strictObject({
      hits: z.array(
        z.strictObject({
          entry: MemoryEntry,
          confidence: z.number().describe('How likely it bears on the question, from 0 to 1'),
          why: z.string(),
        }),
      ),
    }),
    invalid: invalidPage,
    refusals: ['no_question'],
  }),
  import: route({
    method: 'POST',
    path: '/api/memories/import',
    summary: 'Takes memories from JSON lines, as `grove export` writes them; a newer copy replaces an older one.',
    person: true,
    body: z.strictObject({
      lines: z.array(z.string().max(200_000)).min(1).max(500),
      project: z.string().describe('The id of the project for lines that name none'),
    }),
    answer: z.strictObject({
      read: z.int(),
      kept: z.int(),
      leftOut: z.array(z.strictObject({ why: z.string(), count: z.int() })),
    }),
    refusals: ['project_not_found'],
  }),
  show: route({
    method: 'GET',
    path: '/api/memories/:id',
    summary: 'Shows one memory.',
    params: byId,
    answer: MemoryEntry,
    refusals: ['memory_not_found', 'memory_ambiguous'],
  }),
  uses: route({
    method: 'GET',
    path: '/api/memories/:id/uses',
    summary: 'Tells to which agent sessions a memory was shown, why, and what they did with it; newest first.',
    params: byId,
    answer: z.strictObject({
      uses: z.array(
        z.strictObject({
          sessionId: z.string(),
          goal: z.string().exactOptional().describe('What the agent was to do; the title of the feature that drove it'),
          why: z.string().exactOptional().describe('Why it was shown, as the injection has it'),
          shownAt: time,
          usedAt: time.exactOptional(),
          how: z
            .enum(['files', 'words', 'opened'])
            .exactOptional()
            .describe('The agent went to its files, spoke its words, or looked it up'),
        }),
      ),
    }),
    refusals: ['memory_not_found', 'memory_ambiguous'],
  }),
  edit: route({
    method: 'PATCH',
    path: '/api/memories/:id',
    summary: 'Changes a memory, for the whole team; only the fields that are sent.',
    params: byId,
    body: MemoryEdit,
    answer: MemoryEntry,
    invalid: { code: 'bad_edit', suggestion: 'Send only the fields that are to change.' },
    refusals: ['memory_not_found', 'memory_ambiguous'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/memories/:id',
    summary: 'Deletes a memory for good, for the whole team.',
    person: true,
    params: byId,
    answer: z.strictObject({ deleted: z.string().describe('Its id') }),
    refusals: ['memory_not_found', 'memory_ambiguous'],
  }),
}
