import { isOpen } from '#core/intent/intent.ts'
import { leavesProject } from '#core/intent/scope.ts'
import { refusal } from '#core/refusal.ts'
import type { intentRoutes } from '#protocol/api/intents.ts'
import { addIntent, setStatus } from '#supervisor/guard/intents/change-intents.ts'
import { fewAtATime } from '../few-at-a-time.ts'
import { type GuardedNeeds, guardedProjects, noProject } from '../guarded-projects.ts'
import type { Handlers } from '../serve-route.ts'

interface IntentNeeds extends GuardedNeeds {
  /** The files of a work tree that git tracks or would track, at most `limit`. */
  files(root: string, limit: number): Promise<string[]>
}

/** More files than a person looks through. */
const MOST_FILES = 5_000

/** `/api/intents`: list, show, add, change the status. */
export function intentHandlers(needs: IntentNeeds): Handlers<typeof intentRoutes> {
  const { guard, files: filesIn } = needs
  return {
    async list({ query }) {
      const found = await guardedProjects(needs, query.project)
      const projects = await fewAtATime(found, async ({ project, guarded }) => {
        const [book, ignored] = await Promise.all([guard.intents.open(guarded), guard.intents.ignored(guarded)])
        const intents = book.all().filter((intent) => query.all === 'true' || isOpen(intent))
        return {
          project,
          problems: book.problems,
          intents: intents.map((intent) => ({ ...intent, needsApproval: ignored.includes(intent.id) })),
        }
      })
      return { projects }
    },

    async show({ query, params: { id } }) {
      for (const { project, guarded } of await guardedProjects(needs, query.project)) {
        const intent = (await guard.intents.open(guarded)).find(id)
        if (!intent) continue
        const ignored = await guard.intents.ignored(guarded)
        return {
          project,
          intent: { ...intent, needsApproval: ignored.includes(id) },
          recent: await guard.ledger.recentOf(guarded, id, 20),
        }
      }
      return noIntent(id)
    },

    async scope({ query }) {
      const [found] = await guardedProjects(needs, query.project)
      if (!found) return noProject(query.project)
      const [book, files] = await Promise.all([
        guard.intents.open(found.guarded),
        filesIn(found.guarded.root, MOST_FILES + 1),
      ])
      const intents = book.all().filter((intent) => query.all === 'true' || isOpen(intent))
      const owners = (path: string) =>
        intents.filter(({ ownedScope }) => guard.inScope(ownedScope, path).allowed).map(({ id }) => id)
      return {
        files: files.slice(0, MOST_FILES).map((path) => ({ path, intents: owners(path) })),
        truncated: files.length > MOST_FILES,
      }
    },

    async add({ body: { project, ...wanted } }) {
      const outside = wanted.ownedScope.find(leavesProject)
      if (outside !== undefined)
        return refusal(
          'bad_intent',
          `The scope ${outside} leaves the project.`,
          'Globs are counted from the root of the project: src/**',
        )
      const [found] = await guardedProjects(needs, project)
      if (!found) return noProject(project)
      const intent = await addIntent(guard, found.guarded, wanted)
      if (intent) return { intent }
      return refusal('intent_exists', `There is already an intent ${wanted.id}.`, 'Choose another id, or leave it out.')
    },

    async change({ params: { id }, body: { project, status } }) {
      const [found] = await guardedProjects(needs, project)
      if (!found) return noProject(project)
      const isChanged = await setStatus(guard, found.guarded, id, status)
      const intent = isChanged ? (await guard.intents.open(found.guarded)).find(id) : undefined
      return intent ? { intent } : noIntent(id)
    },
  }
}

function noIntent(id: string) {
  return refusal('intent_not_found', `There is no intent ${id}.`, 'GET /api/intents lists them.')
}
