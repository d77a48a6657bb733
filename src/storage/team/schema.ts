import { type Kysely, sql } from 'kysely'
import type { Migration, SchemaHistory } from '../migrate.ts'

/** A PostgreSQL schema for Grove alone, so that a team may give it a corner of a database it already has. */
export const TEAM_SCHEMA_NAME = 'grove_team'

/** The key of the advisory lock; any number will do, as long as every Grove uses the same and no other program does. */
const MIGRATION_LOCK = 0x67_72_6f_76_65

/**
 * What the team shares, each thing as one document. `change` numbers what happens in a project in the order in which it
 * is committed: a writer holds the project's row until the end of the transaction, so no reader that has read up to a
 * number can find a lower one later. Row-level security keeps projects apart; it does not bind the owner of the tables.
 */
const sharedItems: Migration = {
  name: '001-shared-items',
  async up(db) {
    for (const statement of STATEMENTS) await run(db, statement)
  },
}

/**
 * Triggers let a member's own SQL raise a counter only by what it writes: one set to its end, or back, would keep all other
 * members from sending, or from reading what was sent. The owner is exempt and repairs a counter by hand.
 */
const honestCounters: Migration = {
  name: '002-honest-counters',
  async up(db) {
    for (const statement of COUNTERS) await run(db, statement)
  },
}

/** More rows than one member sends at once. */
const MOST_AT_ONCE = 100_000

const COUNTERS = [
  `create function grove_team.count_up() returns trigger language plpgsql as $$
     declare before bigint := 0;
     begin
       if not row_security_active('grove_team.projects') then return new; end if;
       if tg_op = 'UPDATE' then
         before := old.change;
         if new.epoch <> old.epoch then raise exception 'only the owner begins a new epoch'; end if;
       end if;
       if new.change < before or new.change > before + ${MOST_AT_ONCE} then
         raise exception 'changes are counted up one by one';
       end if;
       return new;
     end $$`,
  `create trigger count_up before insert or update on grove_team.projects
     for each row execute function grove_team.count_up()`,
  `create function grove_team.be_counted() returns trigger language plpgsql as $$
     begin
       if row_security_active('grove_team.items') and not exists (
         select from grove_team.projects where id = new.project_id and new.change between 1 and change
       ) then raise exception 'a change has a number that its project has counted'; end if;
       return new;
     end $$`,
  `create trigger be_counted after insert or update on grove_team.items
     for each row execute function grove_team.be_counted()`,
]

const STATEMENTS = [
  `create table grove_team.projects (
     id text primary key,
     change bigint not null,
     -- A new epoch tells every member to read and send everything again: set one after restoring a backup.
     epoch uuid not null default gen_random_uuid()
   )`,

  `create table grove_team.items (
     project_id text not null,
     kind text not null,
     id text not null,
     version bigint not null,
     author text,
     -- Null when the thing was deleted: the place of a deletion is kept, its content is not.
     body jsonb,
     change bigint not null,
     pushed_by text not null,
     pushed_at timestamptz not null,
     primary key (project_id, kind, id)
   )`,
  `create unique index items_by_change on grove_team.items (project_id, kind, change)`,

  // Who may read or write which project; '*' is every project. A login may be a group role.
  `create table grove_team.access (
     login text not null,
     project_id text not null,
     may_write boolean not null,
     primary key (login, project_id)
   )`,

  `create function grove_team.stamp() returns trigger language plpgsql as $$
     begin
       new.pushed_by := session_user;
       new.pushed_at := now();
       return new;
     end $$`,
  `create trigger stamp before insert or update on grove_team.items
     for each row execute function grove_team.stamp()`,

  // Members cannot read who else has access, so the question is answered in the owner's name.
  `create function grove_team.my_projects(writing boolean) returns setof text
     language sql stable security definer set search_path = pg_catalog, pg_temp as $$
       select a.project_id from grove_team.access a join pg_catalog.pg_roles r on r.rolname = a.login
       where pg_has_role(session_user, r.oid, 'member') and (a.may_write or not writing)
     $$`,

  ...['projects', 'items'].flatMap((table) => {
    const project = table === 'projects' ? 'id' : 'project_id'
    const allowed = (writing: boolean) =>
      `('*' in (select grove_team.my_projects(${writing})) or ${project} in (select grove_team.my_projects(${writing})))`
    return [
      `alter table grove_team.${table} enable row level security`,
      `create policy reading on grove_team.${table} for select using ${allowed(false)}`,
      `create policy adding on grove_team.${table} for insert with check ${allowed(true)}`,
      `create policy changing on grove_team.${table} for update using ${allowed(true)} with check ${allowed(true)}`,
    ]
  }),
]

/** The team's tables have a history of their own, so that a change to local tables locks no member out. */
export const TEAM_SCHEMA: SchemaHistory = {
  migrations: [sharedItems, honestCounters],
  async hasTable(db, name) {
    const table = `${TEAM_SCHEMA_NAME}.${name}`
    const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(db)
    return rows.some(({ found }) => found)
  },
  async lock(db) {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(db)
    // `create schema if not exists` asks for the right to create one even when it is there.
    const { rows } = await sql<{ there: boolean }>`
      select to_regnamespace(${TEAM_SCHEMA_NAME}) is not null as there`.execute(db)
    if (!rows[0]?.there) await sql`create schema ${sql.id(TEAM_SCHEMA_NAME)}`.execute(db)
  },
}

async function run(db: Kysely<unknown>, statement: string) {
  await sql.raw(statement).execute(db)
}
