import { z } from 'zod'
import { inProject, limit, ProjectName, texts, time } from './fields.ts'
import { route } from './route.ts'

const mutation = z
  .enum(['AST_REFACTOR', 'INTENT_EVOLUTION'])
  .describe('`AST_REFACTOR`: the program says the same in other words. `INTENT_EVOLUTION`: it says something else')
const range = { start: z.int(), end: z.int() }
const origin = {
  id: z.string(),
  at: time,
  intent: z.string().exactOptional(),
  session: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  model: z.string().exactOptional(),
  task: z.string().exactOptional().describe('What the session worked on: its goal, or the id of the task'),
  tool: z.string().exactOptional(),
}

export const TraceEntry = z
  .strictObject({
    ...origin,
    toolUseId: z.string().exactOptional(),
    revision: z.string().exactOptional().describe('The commit that was checked out'),
    mutationClass: mutation.exactOptional(),
    declared: mutation.exactOptional().describe('What the agent had said it would be'),
    scopeViolation: z.boolean(),
    files: z.array(
      z.strictObject({
        path: z.string(),
        change: z.enum(['create', 'modify', 'delete']).exactOptional(),
        ranges: z.array(
          z.strictObject({
            ...range,
            hash: z.string().exactOptional(),
            lines: z.array(z.number()).describe('The hash of each line; empty when only the whole is known'),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'TraceEntry', description: 'One change that an agent made, as the ledger has it.' })

const commit = z.string().exactOptional()

export const traceRoutes = {
  log: route({
    method: 'GET',
    path: '/api/trace',
    summary: 'Lists changes, newest first; without a project, of the first one that has intents.',
    query: z.object({
      ...inProject,
      intent: z.string().exactOptional(),
      session: z.string().exactOptional(),
      file: z.string().exactOptional().describe('A path from the root of the project'),
      limit: limit(50),
      before: z.coerce.number<string | number>().int().min(0).exactOptional().describe('`next` of the page before'),
    }),
    answer: z.strictObject({
      project: ProjectName,
      records: z.array(TraceEntry),
      next: time.exactOptional().describe('The `before` of the next page; absent on the last one'),
    }),
    refusals: ['project_not_found'],
  }),
  blame: route({
    method: 'GET',
    path: '/api/trace/blame',
    summary: 'Tells for every line of a file which change wrote it.',
    query: z.object({
      ...inProject,
      file: z.string().describe('A path from the root of the project'),
      rev: commit.describe('A commit; the file on the disk if left out'),
    }),
    answer: z.strictObject({
      file: z.string(),
      lines: z.array(
        z.strictObject({
          line: z.int(),
          text: z.string(),
          origin: z.strictObject(origin).exactOptional().describe('Absent: no change in the ledger wrote it'),
        }),
      ),
    }),
    refusals: ['project_not_found', 'bad_request', 'not_found'],
  }),
  stats: route({
    method: 'GET',
    path: '/api/trace/stats',
    summary: 'Counts the lines that agents and people added in each commit, newest first; merges are left out.',
    query: z.object({
      ...inProject,
      range: commit.describe('Commits, such as `main..HEAD`; those that lead to `HEAD` if left out'),
      limit: limit(20),
    }),
    answer: z.strictObject({
      commits: z.array(
        z.strictObject({
          revision: z.string(),
          at: time,
          author: z.string(),
          subject: z.string(),
          agentLines: z.int(),
          humanLines: z.int(),
          sessions: z.array(z.strictObject({ session: z.string(), model: z.string().exactOptional(), lines: z.int() })),
        }),
      ),
    }),
    refusals: ['project_not_found', 'bad_request'],
  }),
  verify: route({
    method: 'GET',
    path: '/api/trace/verify',
    summary: 'Compares a commit with the ledger: lines without an intent, records without a line, damage.',
    query: z.object({
      ...inProject,
      rev: commit.describe('`HEAD` if left out'),
      since: commit.describe('Count only lines that came after this commit'),
    }),
    answer: z.strictObject({
      revision: z.string(),
      lines: z.strictObject({ total: z.int(), traced: z.int() }),
      untraced: z
        .array(z.strictObject({ path: z.string(), lines: z.int(), ranges: z.array(z.strictObject(range)) }))
        .describe('Files with lines that no intent accounts for, most first'),
      records: z.strictObject({
        total: z.int(),
        whole: z.int().describe('All that was written is there'),
        partly: z.int(),
        gone: z
          .array(z.strictObject({ id: z.string(), at: time, intent: z.string().exactOptional(), paths: texts }))
          .describe('Nothing of it is left'),
        goneCount: z.int(),
      }),
      ledger: z.strictObject({
        lines: z.int(),
        damaged: z.array(z.strictObject({ line: z.int(), offset: z.int() })),
        broken: z
          .array(z.strictObject({ line: z.int(), id: z.string(), problem: z.enum(['changed', 'missing', 'moved']) }))
          .describe('Records that were changed or moved, or that follow one which was taken out'),
        cutOff: z.boolean().describe('The last record that was written here on this branch is not there any more'),
      }),
    }),
    refusals: ['project_not_found', 'bad_request'],
  }),
}
