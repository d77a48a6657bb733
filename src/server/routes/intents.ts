import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { isOpen } from '#core/intent/intent.ts'
import type { GuardedProject, GuardWorld } from '#core/ports/guard.ts'
import type { Project } from '#core/session.ts'
import { addIntent, setStatus } from '#supervisor/guard/intents.ts'

export interface IntentNeeds {
  guard: GuardWorld
  /** The projects Grove knows, newest first; those without `.orchestration` have no intents. */
  projects(): Promise<Project[]>
}

const text = z.string().trim().min(1)
const texts = z.array(text).default([])
const Added = z.strictObject({
  project: text,
  id: text.optional(),
  name: text,
  status: text.default('in_progress'),
  owned_scope: texts,
  constraints: texts,
  acceptance_criteria: texts,
  owner: text.optional(),
  dependencies: texts,
})
const Changed = z.strictObject({ project: text, status: text })

type Query = Record<string, string | undefined>

/** `/api/intents`: list, show, add, change the status. */
export async function intentRoutes(app: FastifyInstance, { guard, projects }: IntentNeeds): Promise<void> {
  app.get<{ Querystring: Query }>('/api/intents', async ({ query }) => {
    const wanted = await guardedAmong(guard, await projects(), query.project)
    const shown = await Promise.all(
      wanted.map(async ({ project, guardedProject }) => {
        const [book, needApproval] = await Promise.all([
          guard.intents.open(guardedProject),
          guard.intents.ignored(guardedProject),
        ])
        const intents = book.all().filter((intent) => query.all === 'true' || isOpen(intent))
        return {
          project: { id: project.id, name: project.name },
          problems: book.problems,
          intents: intents.map((intent) => ({ ...asJson(intent), needs_approval: needApproval.includes(intent.id) })),
        }
      }),
    )
    return { projects: shown }
  })

  app.get<{ Querystring: Query; Params: { id: string } }>('/api/intents/:id', async ({ query, params }, reply) => {
    for (const { project, guardedProject } of await guardedAmong(guard, await projects(), query.project)) {
      const intent = (await guard.intents.open(guardedProject)).find(params.id)
      if (!intent) continue
      const ignored = await guard.intents.ignored(guardedProject)
      return {
        project: { id: project.id, name: project.name },
        intent: { ...asJson(intent), needs_approval: ignored.includes(intent.id) },
        recent: await guard.ledger.recentOf(guardedProject, intent.id, 20),
      }
    }
    return noIntent(reply, params.id)
  })

  app.post<{ Body: unknown }>('/api/intents', async ({ body }, reply) => {
    const wanted = Added.safeParse(body)
    if (!wanted.success) return badBody(reply, wanted.error)
    const { project, id, owner, name, status, dependencies, constraints } = wanted.data
    const [found] = await guardedAmong(guard, await projects(), project)
    if (!found) return noProject(reply, project)
    const added = await addIntent(guard, found.guardedProject, {
      ...(id && { id }),
      name,
      status,
      ownedScope: wanted.data.owned_scope,
      constraints,
      acceptanceCriteria: wanted.data.acceptance_criteria,
      ...(owner && { owner }),
      dependencies,
    })
    if (added) return reply.status(201).send({ intent: asJson(added) })
    return refuse(
      reply,
      409,
      'intent_exists',
      `There is an intent ${id} already.`,
      'Choose another id, or leave it out.',
    )
  })

  app.patch<{ Body: unknown; Params: { id: string } }>('/api/intents/:id', async ({ body, params }, reply) => {
    const change = Changed.safeParse(body)
    if (!change.success) return badBody(reply, change.error)
    const [found] = await guardedAmong(guard, await projects(), change.data.project)
    if (!found) return noProject(reply, change.data.project)
    if (!(await setStatus(guard, found.guardedProject, params.id, change.data.status)))
      return noIntent(reply, params.id)
    const intent = (await guard.intents.open(found.guardedProject)).find(params.id)
    return { intent: intent && asJson(intent) }
  })
}

/** Projects with intents: all, or the one that was asked for by id or name. */
export async function guardedAmong(
  { projects }: Pick<GuardWorld, 'projects'>,
  all: readonly Project[],
  wanted: string | undefined,
): Promise<{ project: Project; guardedProject: GuardedProject }[]> {
  return all
    .filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
    .flatMap((project) => {
      const guardedProject = projects.at(project.root)
      return guardedProject ? [{ project, guardedProject }] : []
    })
}

function asJson(intent: ReturnType<Awaited<ReturnType<GuardWorld['intents']['open']>>['all']>[number]) {
  const { id, name, status, ownedScope, constraints, acceptanceCriteria, owner, dependencies } = intent
  return {
    id,
    name,
    status,
    owned_scope: ownedScope,
    constraints,
    acceptance_criteria: acceptanceCriteria,
    ...(owner && { owner }),
    dependencies,
  }
}

function badBody(reply: FastifyReply, error: z.ZodError) {
  return refuse(reply, 400, 'bad_intent', z.prettifyError(error), 'Correct the request and send it again.')
}

function noIntent(reply: FastifyReply, id: string) {
  return refuse(reply, 404, 'intent_not_found', `There is no intent ${id}.`, 'GET /api/intents lists them.')
}

/** The same answer for every route that is asked about a project without intents. */
export function noProject(reply: FastifyReply, project: string | undefined) {
  return refuse(
    reply,
    404,
    'project_not_found',
    project === undefined ? 'No project with intents is known.' : `No project ${project} with intents is known.`,
    'GET /api/intents lists those that are; `grove intent add` in a project makes it one.',
  )
}

function refuse(reply: FastifyReply, status: number, code: string, message: string, suggestion: string) {
  return reply.status(status).send({ status: 'error', code, message, suggestion })
}
