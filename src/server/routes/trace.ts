import type { FastifyInstance, FastifyReply } from 'fastify'
import type { GuardWorld } from '#core/ports/guard.ts'
import type { Project } from '#core/session.ts'
import { traceBlame } from '#supervisor/guard/trace-blame.ts'
import { traceLog } from '#supervisor/guard/trace-log.ts'
import { traceVerify } from '#supervisor/guard/trace-verify.ts'
import type { TraceWorld } from '#supervisor/guard/trace-world.ts'
import { guardedAmong, noProject } from './intents.ts'

export interface TraceNeeds {
  guard: GuardWorld
  trace: TraceWorld
  projects(): Promise<Project[]>
}

type Query = Record<string, string | undefined>
const MOST = 500

/** `/api/trace`: the log, blame of a file, and how commit and ledger fit. */
export async function traceRoutes(app: FastifyInstance, { guard, trace, projects }: TraceNeeds): Promise<void> {
  /** The project asked for; without one, the first that has intents. */
  const projectOf = async ({ project }: Query) => (await guardedAmong(guard, await projects(), project))[0]

  app.get<{ Querystring: Query }>('/api/trace', async ({ query }, reply) => {
    const found = await projectOf(query)
    if (!found) return noProject(reply, query.project)
    const limit = wholeNumber(query.limit ?? '50')
    const before = query.before === undefined ? undefined : wholeNumber(query.before)
    if (!limit || limit > MOST || (query.before !== undefined && before === undefined)) {
      return bad(reply, `limit must be a number from 1 to ${MOST}, before a time in milliseconds.`)
    }
    const { intent, session, file } = query
    const page = await traceLog(trace, found.guardedProject, {
      limit,
      ...(before !== undefined && { before }),
      ...(intent && { intent }),
      ...(session && { session }),
      ...(file && { path: file }),
    })
    return { project: { id: found.project.id, name: found.project.name }, ...page }
  })

  app.get<{ Querystring: Query }>('/api/trace/blame', async ({ query }, reply) => {
    const found = await projectOf(query)
    if (!found) return noProject(reply, query.project)
    const { file, rev } = query
    const place = file && guard.paths.resolve(found.guardedProject.root, found.guardedProject.root, file)
    // The page shows text, so a path that leads out of the project is not answered.
    if (!place || place.outside || place.relative === undefined)
      return bad(reply, 'file must name a file of the project.')
    const revision = rev === undefined ? undefined : await commit(found.guardedProject.root, rev)
    if (rev !== undefined && !revision) return bad(reply, `There is no commit ${rev}.`)
    const lines = await traceBlame(trace, found.guardedProject, place.relative, revision)
    return lines ? { file: place.relative, lines } : bad(reply, `There is no text file ${file}.`, 404)
  })

  app.get<{ Querystring: Query }>('/api/trace/verify', async ({ query }, reply) => {
    const found = await projectOf(query)
    if (!found) return noProject(reply, query.project)
    const revision = await commit(found.guardedProject.root, query.rev ?? 'HEAD')
    const since = query.since === undefined ? undefined : await commit(found.guardedProject.root, query.since)
    if (!revision || (query.since !== undefined && !since)) return bad(reply, 'rev and since must be commits.')
    return traceVerify(trace, found.guardedProject, { revision, ...(since && { since }) })
  })

  /** Names come from outside; one that begins with a dash would be an option to git. */
  async function commit(root: string, name: string): Promise<string | undefined> {
    return /^[\w./@^~-]+$/.test(name) && !name.startsWith('-') ? trace.git.revision(root, name) : undefined
  }
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function bad(reply: FastifyReply, message: string, status = 400) {
  return reply.status(status).send({
    status: 'error',
    code: status === 404 ? 'not_found' : 'bad_request',
    message,
    suggestion: 'Correct the request and send it again.',
  })
}
