import { type Kysely, sql, type Transaction } from 'kysely'
import { type Memory, versionOf } from '#core/memory/memory.ts'
import { replaces, type SharedItem } from '#core/memory/sync.ts'
import type { SharingStore } from '#core/ports/sharing.ts'
import { readMemory } from '#protocol/memory-json.ts'
import { MEMORY, toMemory, toMemoryRow } from './memory-rows.ts'
import { chunks, queueForIndex, writeMemories } from './memory-store.ts'
import { withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

const ROWS_AT_ONCE = 200

export function sharingStore(db: Kysely<Schema>): SharingStore {
  return {
    async waiting() {
      const rows = await db
        .selectFrom('outbox')
        .select(({ fn }) => ['project_id', fn.countAll<number>().as('items')])
        .groupBy('project_id')
        .orderBy('project_id')
        .execute()
      return rows.map(({ project_id, items }) => ({ projectId: project_id, items }))
    },

    async outgoing(projectId, limit) {
      // One snapshot, or a memory deleted in between would be found nowhere.
      return db.transaction().execute(async (trx) => {
        const queued = await trx
          .selectFrom('outbox')
          .select('id')
          .where('project_id', '=', projectId)
          .where('kind', '=', MEMORY)
          .orderBy('version')
          .orderBy('id')
          .limit(limit)
          .execute()
        const ids = queued.map(({ id }) => id)
        const items: SharedItem[] = []
        for (const some of chunks(ids, ROWS_AT_ONCE)) {
          items.push(...(await livingItems(trx, some)), ...(await deletedItems(trx, some)))
        }
        const found = new Map(items.map((item) => [item.id, item]))
        return ids.flatMap((id) => found.get(id) ?? [])
      })
    },

    async sent(items) {
      await db.transaction().execute(async (trx) => {
        for (const { kind, id, version } of items) {
          await trx
            .deleteFrom('outbox')
            .where('kind', '=', kind)
            .where('id', '=', id)
            .where('version', '<=', version)
            .execute()
        }
      })
    },

    async extent(projectId) {
      const row = await db
        .selectFrom('memories')
        .select(({ fn }) => [
          fn.countAll<number>().as('memories'),
          fn.min<number | null>('created_at').as('from'),
          fn.max<number | null>('created_at').as('to'),
        ])
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return withoutNulls(row)
    },

    async resend(projectId) {
      const version = sql<number>`coalesce(updated_at, created_at)`
      const again = db
        .selectFrom('memories')
        .select([sql.lit(MEMORY).as('kind'), 'id', 'project_id', version.as('version')])
        .where('project_id', '=', projectId)
        .unionAll(
          db
            .selectFrom('deletions')
            .select(['kind', 'id', 'project_id', 'at as version'])
            .where('project_id', '=', projectId),
        )
      await db
        .insertInto('outbox')
        .columns(['kind', 'id', 'project_id', 'version'])
        // SQLite would take the conflict clause for a join without a condition here.
        .expression(db.selectFrom(again.as('again')).selectAll().where(sql<boolean>`true`))
        .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
        .execute()
    },

    async mark(kind, projectId) {
      const row = await db
        .selectFrom('pulls')
        .select(['epoch', 'change'])
        .where('kind', '=', kind)
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      return row && { epoch: row.epoch, change: row.change }
    },

    async take(kind, projectId, { items, mark }) {
      return db.transaction().execute(async (trx) => {
        let taken = 0
        for (const some of chunks(lastOfEach(items), ROWS_AT_ONCE)) taken += await takeMemories(trx, some)
        await trx
          .insertInto('pulls')
          .values({ kind, project_id: projectId, ...mark })
          .onConflict((conflict) => conflict.columns(['kind', 'project_id']).doUpdateSet(mark))
          .execute()
        return taken
      })
    },

    async marked() {
      const rows = await db.selectFrom('pulls').select('project_id').distinct().orderBy('project_id').execute()
      return rows.map(({ project_id }) => project_id)
    },

    async unmark(projectId) {
      const pulls = db.deleteFrom('pulls')
      await (projectId === undefined ? pulls : pulls.where('project_id', '=', projectId)).execute()
    },
  }
}

async function livingItems(trx: Transaction<Schema>, ids: string[]): Promise<SharedItem[]> {
  const rows = await trx.selectFrom('memories').selectAll().where('id', 'in', ids).execute()
  return rows.map((row) => toItem(toMemory(row)))
}

function toItem(memory: Memory): SharedItem {
  const { id, projectId, ...body } = memory
  const by = memory.updatedBy ?? memory.user
  return { kind: MEMORY, id, projectId, version: versionOf(memory), ...(by !== undefined && { by }), body }
}

async function deletedItems(trx: Transaction<Schema>, ids: string[]): Promise<SharedItem[]> {
  const rows = await trx
    .selectFrom('deletions')
    .select(['kind', 'id', 'project_id as projectId', 'at as version', 'author as by'])
    .where('kind', '=', MEMORY)
    .where('id', 'in', ids)
    .execute()
  return rows.map((row): SharedItem => withoutNulls(row))
}

async function takeMemories(trx: Transaction<Schema>, items: SharedItem[]): Promise<number> {
  const [ours, deleted] = await knownHere(
    trx,
    items.map(({ id }) => id),
  )
  const news = items.filter((item) => {
    const our = ours.get(item.id)
    // A member of one project must not reach into another by guessing an id.
    if (our && our.projectId !== item.projectId) return false
    return !deleted.has(item.id) && replaces(item, our?.version)
  })
  const memories = news.flatMap(({ id, projectId, body }) => (body && readMemory({ ...body, id, projectId })) ?? [])
  const deletions = news.filter(({ body }) => body === undefined)
  // Our own come back with the next look, and after a restoration everything does: writing them again would be in vain.
  const had = await hadAlready(
    trx,
    memories.filter((memory) => ours.get(memory.id)?.version === versionOf(memory)),
  )
  await writeMemories(
    trx,
    memories.filter(({ id }) => !had.has(id)),
  )
  await takeDeletions(trx, deletions)
  // What lost against the team's copy needs no sending any more.
  const settled = [...memories, ...deletions].map(({ id }) => id)
  if (settled.length > 0) {
    await trx.deleteFrom('outbox').where('kind', '=', MEMORY).where('id', 'in', settled).execute()
  }
  return settled.length - had.size
}

async function hadAlready(trx: Transaction<Schema>, memories: Memory[]): Promise<Set<string>> {
  if (memories.length === 0) return new Set()
  const ids = memories.map(({ id }) => id)
  const rows = await trx.selectFrom('memories').selectAll().where('id', 'in', ids).execute()
  const ours = new Map(rows.map((row) => [row.id, textOf(toMemory(row))]))
  return new Set(memories.filter((memory) => ours.get(memory.id) === textOf(memory)).map(({ id }) => id))
}

/** The same for the same content, whatever order its fields came in. */
function textOf(memory: Memory): string {
  return JSON.stringify(toMemoryRow(readMemory({ ...memory }) ?? memory))
}

async function knownHere(trx: Transaction<Schema>, ids: string[]) {
  const rows = await trx
    .selectFrom('memories')
    .select(['id', 'project_id', 'created_at', 'updated_at'])
    .where('id', 'in', ids)
    .execute()
  const gone = await trx
    .selectFrom('deletions')
    .select('id')
    .where('kind', '=', MEMORY)
    .where('id', 'in', ids)
    .execute()
  const ours = rows.map(({ id, project_id, created_at, updated_at }) => {
    return [id, { projectId: project_id, version: updated_at ?? created_at }] as const
  })
  return [new Map(ours), new Set(gone.map(({ id }) => id))] as const
}

async function takeDeletions(trx: Transaction<Schema>, items: SharedItem[]) {
  if (items.length === 0) return
  const rows = items.map(({ kind, id, projectId, version, by }) => ({
    kind,
    id,
    project_id: projectId,
    at: version,
    author: by ?? null,
  }))
  await trx
    .insertInto('deletions')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
    .execute()
  await trx
    .deleteFrom('memories')
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .execute()
  await queueForIndex(
    trx,
    rows.map(({ kind, id, project_id }) => ({ kind, id, project_id })),
  )
}

function lastOfEach(items: SharedItem[]): SharedItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
