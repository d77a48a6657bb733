import { z } from 'zod'
import { flag, inProject, ProjectName, texts } from './fields.ts'
import { route } from './route.ts'
import { TraceEntry } from './trace.ts'

const Intent = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status: z.string().describe('As the file has it: `planned`, `in_progress`, `done` …'),
    ownedScope: texts.describe('Globs, read one after the other; `!` takes away again'),
    constraints: texts,
    acceptanceCriteria: texts,
    owner: z.string().exactOptional(),
    dependencies: texts.describe('Ids of intents that come first'),
  })
  .meta({ id: 'Intent', description: 'Declared work: what may be changed for it, and when it is done.' })

const ListedIntent = Intent.extend({
  needsApproval: z.boolean().describe('Every change for it waits for a person'),
}).meta({ id: 'ListedIntent', description: 'An intent, and whether its changes need approval.' })

const text = z.string().trim().min(1)
const list = z.array(text).default([])
const project = text.describe('The id or the name of the project')
const byId = z.strictObject({ id: z.string() })
const invalid = { code: 'bad_intent', suggestion: 'Correct the request and send it again.' } as const

export const intentRoutes = {
  list: route({
    method: 'GET',
    path: '/api/intents',
    summary: 'Lists the open intents of every project that has some.',
    query: z.object({ ...inProject, all: flag('Also those that are closed') }),
    answer: z.strictObject({
      projects: z.array(
        z.strictObject({
          project: ProjectName,
          problems: z
            .array(z.strictObject({ line: z.int(), column: z.int(), message: z.string() }))
            .describe('What is wrong in the file'),
          intents: z.array(ListedIntent),
        }),
      ),
    }),
  }),
  show: route({
    method: 'GET',
    path: '/api/intents/:id',
    summary: 'Shows one intent, with the latest changes that were made for it.',
    params: byId,
    query: z.object(inProject),
    answer: z.strictObject({ project: ProjectName, intent: ListedIntent, recent: z.array(TraceEntry) }),
    refusals: ['intent_not_found'],
  }),
  scope: route({
    method: 'GET',
    path: '/api/intents/scope',
    summary: 'Lists the files of a project, each with the intents that own it.',
    query: z.object({
      project: z.string().describe('The id or the name of the project'),
      all: flag('Also for those that are closed'),
    }),
    answer: z.strictObject({
      files: z.array(z.strictObject({ path: z.string(), intents: texts })),
      truncated: z.boolean(),
    }),
    refusals: ['project_not_found'],
  }),
  add: route({
    method: 'POST',
    path: '/api/intents',
    summary: 'Declares an intent in the file of a project.',
    person: true,
    body: z.strictObject({
      project,
      id: text.exactOptional().describe('The next number if left out'),
      name: text,
      status: text.default('in_progress'),
      ownedScope: list,
      constraints: list,
      acceptanceCriteria: list,
      owner: text.exactOptional(),
      dependencies: list,
    }),
    answer: z.strictObject({ intent: Intent }),
    status: 201,
    invalid,
    refusals: ['project_not_found', 'intent_exists', 'bad_intent'],
  }),
  change: route({
    method: 'PATCH',
    path: '/api/intents/:id',
    summary: 'Gives an intent another status.',
    person: true,
    params: byId,
    body: z.strictObject({ project, status: text }),
    answer: z.strictObject({ intent: Intent }),
    invalid,
    refusals: ['project_not_found', 'intent_not_found'],
  }),
}
