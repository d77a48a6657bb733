import { type Kysely, sql } from 'kysely'
import { type SetAside, SHARED_LIMITS, tooLarge } from '#core/memory/admit-shared.ts'
import type { PullMark, PullPage, SharedItem, TeamProject } from '#core/memory/sync.ts'
import type { SentItem, TeamDatabase } from '#core/ports/sharing.ts'
import { migrate } from '../migrate.ts'
import { StorageError } from '../storage-error.ts'
import { connectPostgres, type TeamOptions } from './connect.ts'
import { TEAM_SCHEMA, TEAM_SCHEMA_NAME } from './schema.ts'

/** Connects to the team's database, and prepares it when we are the first and may. */
export async function openTeamDatabase(options: TeamOptions): Promise<TeamDatabase> {
  const db = await connectTeam(options)
  return {
    survey: (projectIds) => survey(db, projectIds),
    push: (projectId, items) => push(db, projectId, items),
    pull: (kind, projectId, after, limit) => pull(db, kind, projectId, after, limit),
    pick: (kind, projectId, ids) => pick(db, kind, projectId, ids),
    projects: () => projects(db),
    sentBy: (projectId, author) => sentBy(db, projectId, author),
    close: () => db.destroy(),
  }
}

/** A connection whose tables are there and are ours to read. */
export async function connectTeam(options: TeamOptions): Promise<Kysely<unknown>> {
  const db = connectPostgres(options)
  try {
    await migrate(db.withSchema(TEAM_SCHEMA_NAME), TEAM_SCHEMA)
    return db
  } catch (error) {
    await db.destroy()
    throw explain(error)
  }
}

/** A login that may not see the tables needs the owner's grant; a wrong password or name is for the user to fix. */
function explain(error: unknown): unknown {
  if (!(error instanceof StorageError) || error.code !== 'refused' || !mayNot(error.cause)) return error
  return new StorageError(
    'refused',
    error.message.replace(error.suggestion, '').trim(),
    'The owner of the database runs `grove team join` once to prepare it, and `grove team grant <login>` to let you in.',
    { cause: error },
  )
}

function mayNot(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '42501'
}

/**
 * One statement, so it is over on the server whether or not we hear of it, and holds the project's row for no longer than
 * it takes. Sent again it changes nothing.
 */
async function push(db: Kysely<unknown>, projectId: string, items: SharedItem[]) {
  if (items.length === 0) return
  const rows = items.map(({ kind, id, version, by, body }) => ({ kind, id, version, author: by, body }))
  await sql`
    with incoming as (
      select *, row_number() over (order by version, id) as place, count(*) over () as many
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row(kind text, id text, version bigint, author text, body jsonb)
    ), counted as (
      insert into grove_team.projects as project (id, change) values (${projectId}, ${items.length})
      on conflict (id) do update set change = project.change + excluded.change
      returning change
    )
    insert into grove_team.items as item (project_id, kind, id, version, author, body, change)
    select ${projectId}, kind, id, version, author, body, counted.change - many + place from incoming, counted
    on conflict (project_id, kind, id) do update
      set version = excluded.version, author = excluded.author, body = excluded.body, change = excluded.change
      where item.body is not null and (excluded.body is null or excluded.version > item.version)
  `.execute(db)
}

interface PulledRow {
  epoch: string
  latest: number
  kind: string | null
  id: string
  version: number
  author: string | null
  /** Null for what is deleted, and for what is too large to be fetched. */
  body: string | null
  size: number | null
  change: number
  /** How many rows were found, those included that this page has no room for. */
  many: number
}

/** What is too large, or too long for a name, is cut off there and set aside here. */
const COLUMNS = sql`
  kind, left(id, ${SHARED_LIMITS.name + 1}) as id, version, left(author, ${SHARED_LIMITS.name + 1}) as author, change,
  octet_length(body::text) as size,
  case when octet_length(body::text) <= ${SHARED_LIMITS.bytes} then body::text end as body`

/** A page is read, masked and stored in one go: as many rows of the largest size as a limit allows would stop everything else meanwhile. */
const PAGE_BYTES = 2 * 1024 * 1024

async function pull(
  db: Kysely<unknown>,
  kind: string,
  projectId: string,
  after: PullMark | undefined,
  limit: number,
): Promise<PullPage> {
  // Where a damaged counter was stored, everything is read again.
  const since = Number.isSafeInteger(after?.change) ? after!.change : 0
  const rows = await rowsAfter(db, kind, projectId, since, limit)
  const [first] = rows
  // Nothing of this project was shared yet, or we may not see it.
  if (!first) return { items: [], mark: after ?? { epoch: '', change: 0 }, more: false, anew: false }
  const { epoch, latest } = first
  const restored = after !== undefined && after.epoch !== '' && (after.epoch !== epoch || after.change > latest)
  if (restored) return { ...pageOf(await rowsAfter(db, kind, projectId, 0, limit), projectId, limit), anew: true }
  return { ...pageOf(rows, projectId, limit), anew: false }
}

/** The project's row comes first, with or without things behind it. */
async function rowsAfter(db: Kysely<unknown>, kind: string, projectId: string, change: number, limit: number) {
  const { rows } = await sql<PulledRow>`
    select project.epoch::text as epoch, project.change as latest, item.*
    from grove_team.projects project
    left join lateral (
      select * from (
        select *, count(*) over () as many, sum(coalesce(octet_length(body), 0)) over (order by change rows unbounded preceding) as total
        from (
          select ${COLUMNS} from grove_team.items
          where project_id = project.id and kind = ${kind} and change > ${change} order by change limit ${limit}
        ) found
      ) page
      where total - coalesce(octet_length(body), 0) < ${PAGE_BYTES}
    ) item on true
    where project.id = ${projectId} order by item.change
  `.execute(db)
  if (rows.some(({ latest, change }) => !Number.isSafeInteger(latest) || !Number.isSafeInteger(change ?? 0)))
    throw damagedCounter()
  return rows
}

/** Kept as how far was read, it would outlast the repair of the counter. */
function damagedCounter(): StorageError {
  return new StorageError(
    'refused',
    "The counter of this project in the team's database is damaged, so nothing is fetched.",
    'The owner sets it to the highest change that the project has: update grove_team.projects set change = coalesce((select max(change) from grove_team.items where project_id = projects.id), 0).',
  )
}

function pageOf(rows: PulledRow[], projectId: string, limit: number): Omit<PullPage, 'anew'> {
  const found = rows.filter((row) => row.kind !== null)
  const { epoch = '', latest = 0, many = 0 } = rows[0] ?? {}
  const more = many === limit || found.length < many
  return {
    ...readRows(found, projectId),
    mark: { epoch, change: more ? found.at(-1)!.change : latest },
    more,
  }
}

type ItemRow = Omit<PulledRow, 'epoch' | 'latest' | 'many'>

/** Row by row: one that is no memory must not keep the others from being read. */
function readRows(rows: readonly ItemRow[], projectId: string): Required<Pick<PullPage, 'items' | 'unreadable'>> {
  const items: SharedItem[] = []
  const unreadable: SetAside[] = []
  for (const { kind, id, version, author, body, size } of rows) {
    const value = body === null ? undefined : parsed(body)
    if (size !== null && size > SHARED_LIMITS.bytes) unreadable.push({ id, reason: tooLarge })
    else if (value !== undefined && !isRecord(value)) unreadable.push({ id, reason: 'it is no memory' })
    else
      items.push({
        ...{ kind: kind!, id, projectId, version },
        ...(author !== null && { by: author }),
        ...(value && { body: value }),
      })
  }
  return { items, unreadable }
}

/** Null where it is no JSON: the column may have been given another type. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function pick(db: Kysely<unknown>, kind: string, projectId: string, ids: string[]) {
  const { rows } = await sql<ItemRow>`
    select ${COLUMNS} from grove_team.items
    where project_id = ${projectId} and kind = ${kind}
      and id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
  `.execute(db)
  return readRows(rows, projectId)
}

interface SurveyedRow {
  id: string
  epoch: string | null
  change: number
  reads: boolean
  writes: boolean
}

async function survey(db: Kysely<unknown>, projectIds: string[]): Promise<Map<string, TeamProject>> {
  const { rows } = await sql<SurveyedRow>`
    with free as (select not row_security_active('grove_team.items') as anything),
         mine as (select grove_team.my_projects(false) as id),
         writable as (select grove_team.my_projects(true) as id)
    select asked.id, project.epoch::text as epoch, project.change,
      free.anything or exists (select from mine where mine.id in ('*', asked.id)) as reads,
      (free.anything or exists (select from writable where writable.id in ('*', asked.id)))
        and has_table_privilege('grove_team.items', 'insert') and has_table_privilege('grove_team.items', 'update')
        and not pg_is_in_recovery() as writes
    from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb) asked(id)
    cross join free left join grove_team.projects project on project.id = asked.id
  `.execute(db)
  return new Map(rows.map((row) => [row.id, surveyed(row)]))
}

function surveyed({ epoch, change, reads, writes }: SurveyedRow): TeamProject {
  const rights = writes ? 'write' : reads ? 'read' : 'none'
  return { rights, ...(epoch !== null && change !== null && { head: { epoch, change } }) }
}

async function projects(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct project_id as id from grove_team.items where body is not null order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Who wrote a memory stands in it; `author` is who made its last version. */
async function sentBy(db: Kysely<unknown>, projectId: string, author: string): Promise<SentItem[]> {
  const { rows } = await sql<SentItem & { author: string | null }>`
    select kind, id, version, coalesce(body ->> 'user', author) as author,
      pushed_by as login, pushed_by = session_user as "isOurLogin"
    from grove_team.items
    where project_id = ${projectId} and body is not null
      and (coalesce(body ->> 'user', author) = ${author} or pushed_by = session_user)
    order by change`.execute(db)
  return rows.map(({ author: name, ...item }) => ({ ...item, ...(name !== null && { author: name }) }))
}
