import { refusal } from '#core/refusal.ts'
import type { traceRoutes } from '#protocol/api/trace.ts'
import { traceBlame } from '#supervisor/guard/trace/blame.ts'
import { traceLog } from '#supervisor/guard/trace/log.ts'
import { traceStats } from '#supervisor/guard/trace/stats.ts'
import { traceVerify } from '#supervisor/guard/trace/verify.ts'
import type { TraceWorld } from '#supervisor/guard/trace/world.ts'
import { type GuardedNeeds, noProject, tracedProjects } from '../guarded-projects.ts'
import { CORRECT_IT, type Handlers } from '../serve-route.ts'

/** `/api/trace`: the log, blame of a file, and how a commit and the ledger agree. */
export function traceHandlers(needs: GuardedNeeds & { trace: TraceWorld }): Handlers<typeof traceRoutes> {
  const { guard, trace } = needs
  return {
    async log({ query: { project: wanted, limit, before, intent, session, file } }) {
      const [found] = await tracedProjects(needs, wanted)
      if (!found) return noProject(wanted)
      const page = await traceLog(trace, found.guarded, {
        limit,
        ...(before !== undefined && { before }),
        ...(intent && { intent }),
        ...(session && { session }),
        ...(file && { path: file }),
      })
      return { project: found.project, ...page }
    },

    async blame({ query: { project: wanted, file, rev } }) {
      const [found] = await tracedProjects(needs, wanted)
      if (!found) return noProject(wanted)
      const { root } = found.guarded
      const place = guard.paths.resolve(root, root, file)
      // The page shows text, so a path that leads out of the project is not answered.
      if (!file || place.outside || place.relative === undefined) return bad('file must name a file of the project.')
      const revision = rev === undefined ? undefined : await commit(root, rev)
      if (rev !== undefined && !revision) return bad(`There is no commit ${rev}.`)
      const lines = await traceBlame(trace, found.guarded, place.relative, revision)
      return lines
        ? { file: place.relative, lines }
        : refusal('not_found', `There is no text file ${file}.`, CORRECT_IT)
    },

    async stats({ query: { project: wanted, range, limit } }) {
      const [found] = await tracedProjects(needs, wanted)
      if (!found) return noProject(wanted)
      const { root } = found.guarded
      const ends = range?.split(/\.{2,3}/).filter(Boolean) ?? []
      const known = await Promise.all(ends.map((end) => commit(root, end)))
      if (range !== undefined && (ends.length === 0 || known.includes(undefined)))
        return bad('range must name commits.')
      return { commits: await traceStats(trace, found.guarded, { limit, ...(range && { range }) }) }
    },

    async verify({ query: { project: wanted, rev, since: from } }) {
      const [found] = await tracedProjects(needs, wanted)
      if (!found) return noProject(wanted)
      const { root } = found.guarded
      const revision = await commit(root, rev ?? 'HEAD')
      const since = from === undefined ? undefined : await commit(root, from)
      if (!revision || (from !== undefined && !since)) return bad('rev and since must be commits.')
      return traceVerify(trace, found.guarded, { revision, ...(since && { since }) })
    },
  }

  /** Resolves a commit name from outside; one that begins with a dash would be an option to git. */
  async function commit(root: string, name: string): Promise<string | undefined> {
    return /^[\w./@^~-]+$/.test(name) && !name.startsWith('-') ? trace.git.revision(root, name) : undefined
  }
}

function bad(message: string) {
  return refusal('bad_request', message, CORRECT_IT)
}
