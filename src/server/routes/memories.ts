import type { MemoryPlace } from '#core/ports/store.ts'
import { refusal } from '#core/refusal.ts'
import type { memoryRoutes } from '#protocol/api/memories.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { editMemory, listMemories, removeMemory, searchMemories, showMemory } from '#supervisor/memory/catalogue.ts'
import { importLines } from '#supervisor/memory/import-lines.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import type { Agents } from '../agents.ts'
import { type Driving, namedByFeature } from '../feature-titles.ts'
import type { Handlers } from '../serve-route.ts'

/** `/api/memories`: list, search, show, edit, delete. */
export function memoryHandlers({
  memory,
  agents,
  features,
}: {
  memory: MemoryWorld
  agents: Pick<Agents, 'shownTo'>
  features: Driving
}): Handlers<typeof memoryRoutes> {
  return {
    async list({ query: { project, limit, before } }) {
      const { memories, next } = await listMemories(memory, {
        limit,
        ...(before !== undefined && { before: placeIn(before) }),
        ...(project !== undefined && { projectId: project }),
      })
      return { memories, ...(next && { next: textOf(next) }) }
    },

    async search({ query: { q, files, project, limit } }) {
      const text = q.join(' ').trim()
      if (!text) return refusal('no_question', 'There is nothing to search for.', 'Give the words as q.')
      const named = files.flatMap((list) => list.split(',')).filter((file) => file !== '')
      const wish = { text, files: named, limit, ...(project !== undefined && { projectId: project }) }
      return { hits: await searchMemories(memory, wish) }
    },

    async import({ body: { lines, project } }) {
      const known = await memory.store.projects.get(project)
      if (!known)
        return refusal('project_not_found', `No project ${project} is known.`, 'GET /api/projects lists them.')
      const closed = (await memory.store.projects.list())
        .filter(({ root }) => !memory.settingsAt(root).remember)
        .map(({ id }) => id)
      const report = await importLines(memory.store.memories, each(lines), { projectId: project, closed })
      const leftOut = Object.entries(report.left).map(([why, count]) => ({ why, count }))
      return { read: report.read, kept: report.kept, leftOut }
    },

    show: ({ params }) => showMemory(memory, params.id),

    async uses({ params }) {
      const found = await showMemory(memory, params.id)
      return isRefusal(found) ? found : { uses: namedByFeature(features, await agents.shownTo(found.id)) }
    },

    edit: ({ params, body }) => editMemory(memory, params.id, body),

    async remove({ params }) {
      const removed = await removeMemory(memory, params.id)
      return isRefusal(removed) ? removed : { deleted: removed.id }
    },
  }
}

async function* each<T>(values: T[]): AsyncGenerator<T> {
  yield* values
}

/** A place travels as its time and id; a bare time is understood as well. */
function placeIn(text: string): number | MemoryPlace {
  const dash = text.indexOf('-')
  if (dash < 0) return Number(text)
  const id = Buffer.from(text.slice(dash + 1), 'base64url').toString('utf8')
  return { createdAt: Number(text.slice(0, dash)), id }
}

function textOf({ createdAt, id }: MemoryPlace): string {
  return `${createdAt}-${Buffer.from(id, 'utf8').toString('base64url')}`
}
