import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import { STATUSES } from '#core/learning/learning.ts'
import type { Library } from '#core/ports/learning.ts'
import type { Project } from '#core/session.ts'
import { learningJson } from '#protocol/learning-json.ts'
import {
  type Entry,
  editLearning,
  findEntry,
  isRefused,
  listLearnings,
  type Refused,
  setAside,
} from '#supervisor/learning/catalogue.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'

export interface LearningNeeds {
  world: LearningWorld
  /** The projects Grove knows. */
  projects(): Promise<Project[]>
}

const Wanted = z.object({
  project: z.string().optional(),
  status: z.enum([...STATUSES, 'any']).default('active'),
  q: z.string().min(1).optional(),
  tag: z.string().min(1).optional(),
  category: z.string().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
const text = z.string()
const Change = z.strictObject({
  summary: text.exactOptional(),
  detail: text.exactOptional(),
  category: text.exactOptional(),
  confidence: text.exactOptional(),
  tags: z.array(text).exactOptional(),
  context_files: z.array(text).exactOptional(),
})
const Reason = z.object({ reason: text.max(300).optional() }).nullish()

type ById = { Params: { id: string }; Querystring: { project?: string } }

/** `/api/learnings`: list and search, show, change, archive and restore. */
export async function learningRoutes(app: FastifyInstance, { world, projects }: LearningNeeds): Promise<void> {
  app.get('/api/learnings', async ({ query }, reply) => {
    const wanted = Wanted.safeParse(query)
    if (!wanted.success) return bad(reply, wanted.error)
    const { project, status, q, tag, category, limit } = wanted.data
    const shelves = await shelvesOf(world, projects, project)
    const found = await Promise.all(
      shelves.map(async ({ project: { id, name }, library }) => {
        const entries = await listLearnings(world, library, {
          status,
          limit,
          ...(q && { text: q }),
          ...(tag && { tag }),
          ...(category && { category }),
        })
        return entries.map((entry) => ({ project: { id, name }, ...learningJson(entry) }))
      }),
    )
    const all = found.flat()
    const order =
      q === undefined
        ? (entry: (typeof all)[number]) => entry.at
        : ({ relevance }: (typeof all)[number]) => relevance ?? 0
    // A person's own learnings are on every shelf.
    const once = [...new Map(all.map((entry) => [entry.id, entry])).values()]
    return { learnings: once.sort((a, b) => order(b) - order(a)).slice(0, limit) }
  })

  app.get<ById>('/api/learnings/:id', ({ params, query }, reply) =>
    onShelf(reply, query.project, params.id, async (_, entry) => entry),
  )

  app.patch<ById>('/api/learnings/:id', async ({ params, query, body }, reply) => {
    const change = Change.safeParse(body)
    if (!change.success) return bad(reply, change.error)
    return onShelf(reply, query.project, params.id, (library, { id }) => editLearning(world, library, id, change.data))
  })

  for (const [verb, to] of [
    ['archive', 'archived'],
    ['restore', 'restored'],
  ] as const) {
    app.post<ById>(`/api/learnings/:id/${verb}`, async ({ params, query, body }, reply) => {
      const given = Reason.safeParse(body)
      if (!given.success) return bad(reply, given.error)
      const reason = given.data?.reason
      return onShelf(reply, query.project, params.id, (library, { id }) => setAside(world, library, id, to, reason))
    })
  }

  /** Does something with a learning, on whichever project's shelf it is. */
  async function onShelf(
    reply: FastifyReply,
    project: string | undefined,
    id: string,
    work: (library: Library, entry: Entry) => Promise<Entry | Refused>,
  ) {
    const missing: Refused = {
      code: 'learning_not_found',
      message: `There is no learning ${id}.`,
      suggestion: 'GET /api/learnings?status=any lists all of them.',
    }
    for (const { library } of await shelvesOf(world, projects, project)) {
      const entry = await findEntry(world, library, id)
      if (isRefused(entry)) continue
      const done = await work(library, entry)
      return isRefused(done) ? refused(reply, done) : { learning: learningJson(done) }
    }
    return refused(reply, missing)
  }
}

interface Shelf {
  project: Project
  library: Library
}

/** The libraries of the projects that are meant: all, or one by id or name. */
export async function shelvesOf(
  world: LearningWorld,
  projects: LearningNeeds['projects'],
  wanted: string | undefined,
): Promise<Shelf[]> {
  const all = await projects()
  return all
    .filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
    .map((project) => ({ project, library: world.libraryAt(project.root, world.settingsAt(project.root)) }))
}

const STATUS: Record<Refused['code'], number> = {
  learning_not_found: 404,
  learning_ambiguous: 409,
  learning_not_editable: 409,
  learning_superseded: 409,
  learning_invalid: 400,
}

function refused(reply: FastifyReply, { code, message, suggestion }: Refused) {
  return reply.status(STATUS[code]).send({ status: 'error', code, message, suggestion })
}

function bad(reply: FastifyReply, error: z.ZodError) {
  const suggestion = 'Correct the request and send it again.'
  return reply.status(400).send({ status: 'error', code: 'bad_request', message: z.prettifyError(error), suggestion })
}
