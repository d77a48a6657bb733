import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { MemoryPlace } from '#core/ports/store.ts'
import {
  editMemory,
  listMemories,
  type Refused,
  removeMemory,
  searchMemories,
  showMemory,
} from '#supervisor/memory/catalogue.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'

const MOST = 500

const Edit = z
  .object({
    goal: z.string().trim().min(1),
    reasoningTrace: z.array(z.string()),
    decisions: z.array(z.object({ choice: z.string(), reason: z.string() })),
    constraints: z.array(z.string()),
    files: z.array(z.string()),
    tags: z.array(z.string()),
    status: z.enum(['complete', 'partial', 'abandoned']),
  })
  .partial()
  .strict()

/** A parameter that was given more than once comes as a list. */
type Query = Record<string, string | string[] | undefined>

/** `/api/memories`: list, search, show, edit, delete. */
export async function memoryRoutes(app: FastifyInstance, world: MemoryWorld): Promise<void> {
  app.get<{ Querystring: Query }>('/api/memories', async ({ query }, reply) => {
    const limit = limitIn(query, 50)
    const place = oneIn(query, 'before')
    const before = place === undefined ? {} : placeIn(place)
    if (limit === undefined || before === undefined) return badPage(reply)
    const { memories, next } = await listMemories(world, { limit, ...before, ...projectIn(query) })
    return { memories, ...(next && { next: textOf(next) }) }
  })

  app.get<{ Querystring: Query }>('/api/memories/search', async ({ query }, reply) => {
    const limit = limitIn(query, 20)
    const text = allIn(query, 'q').join(' ').trim()
    if (limit === undefined) return badPage(reply)
    if (!text) return refuse(reply, 400, 'no_question', 'There is nothing to search for.', 'Give the words as q.')
    const files = allIn(query, 'files')
      .flatMap((list) => list.split(','))
      .filter((file) => file !== '')
    return { hits: await searchMemories(world, { text, files, limit, ...projectIn(query) }) }
  })

  app.get<{ Params: { id: string } }>('/api/memories/:id', async ({ params }, reply) => {
    return answer(reply, await showMemory(world, params.id))
  })

  app.patch<{ Params: { id: string }; Body: unknown }>('/api/memories/:id', async ({ params, body }, reply) => {
    const edit = Edit.safeParse(body)
    if (!edit.success) {
      return refuse(reply, 400, 'bad_edit', z.prettifyError(edit.error), 'Send only the fields that are to change.')
    }
    const given = Object.entries(edit.data).filter(([, value]) => value !== undefined)
    if (given.length === 0) {
      return refuse(reply, 400, 'bad_edit', 'Nothing is to be changed.', 'Send the fields that are to change.')
    }
    return answer(reply, await editMemory(world, params.id, Object.fromEntries(given)))
  })

  app.delete<{ Params: { id: string } }>('/api/memories/:id', async ({ params }, reply) => {
    const removed = await removeMemory(world, params.id)
    return 'refused' in removed ? answer(reply, removed) : { deleted: removed.id }
  })
}

function answer<T extends object>(reply: FastifyReply, outcome: T | Refused) {
  if (!('refused' in outcome)) return outcome
  const status = { not_found: 404, ambiguous: 409 }[outcome.refused]
  return refuse(reply, status, `memory_${outcome.refused}`, outcome.message, outcome.suggestion)
}

function allIn(query: Query, name: string): string[] {
  return [query[name] ?? []].flat()
}

/** The last one said counts. */
function oneIn(query: Query, name: string): string | undefined {
  return allIn(query, name).at(-1)
}

function limitIn(query: Query, otherwise: number): number | undefined {
  const limit = oneIn(query, 'limit')
  if (limit === undefined) return otherwise
  const wanted = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  return wanted >= 1 && wanted <= MOST ? wanted : undefined
}

function projectIn(query: Query): { projectId?: string } {
  const project = oneIn(query, 'project')
  return project === undefined ? {} : { projectId: project }
}

/** A place travels as its time and id; a bare time is understood as well. */
function placeIn(text: string): { before: number | MemoryPlace } | undefined {
  const match = /^(\d{1,15})(?:-([\w-]+))?$/.exec(text)
  if (!match) return undefined
  const [, time, id] = match
  return { before: id ? { createdAt: Number(time), id: Buffer.from(id, 'base64url').toString('utf8') } : Number(time) }
}

function textOf({ createdAt, id }: MemoryPlace): string {
  return `${createdAt}-${Buffer.from(id, 'utf8').toString('base64url')}`
}

function badPage(reply: FastifyReply) {
  const message = `limit must be a number from 1 to ${MOST}, before a place in the list.`
  return refuse(reply, 400, 'bad_page', message, 'Take before from next in the earlier answer.')
}

function refuse(reply: FastifyReply, status: number, code: string, message: string, suggestion: string) {
  return reply.status(status).send({ status: 'error', code, message, suggestion })
}
