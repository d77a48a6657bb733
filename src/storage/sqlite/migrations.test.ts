import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Migration, migrate } from '../migrate.ts'
import { anySlot } from '../testing/slots.ts'
import { borrowed, sqliteDialect } from './dialect.ts'
import { loadSqlite } from './driver.ts'
import { LOCAL_SCHEMA, MIGRATIONS } from './migrations.ts'
import { openSqliteStore } from './open.ts'
import type { LocalStore } from './store.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grove-migrate-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Place {
  /** Straight to the tables, as an earlier Grove left them. */
  tables: Kysely<unknown>
  open(): Promise<LocalStore>
}

async function create(): Promise<Place> {
  const file = join(mkdtempSync(join(folder, 'home-')), 'grove.db')
  const { DatabaseSync } = await loadSqlite()
  const tables = new Kysely<unknown>({ dialect: sqliteDialect(borrowed(new DatabaseSync(file))) })
  return { tables, open: () => openSqliteStore({ file }) }
}

const migrateWith = (tables: Kysely<unknown>, migrations: readonly Migration[]) =>
  migrate(tables, { ...LOCAL_SCHEMA, migrations })

/** What an earlier Grove may have left behind, by the version that first could. */
const leftBehind: Record<number, string[]> = {
  1: [
    `insert into projects (id, name, root) values ('p1', 'grove', '/code')`,
    `insert into sessions (id, through_proxy, through_hooks, started_at, last_seen_at) values ('s1', true, false, 1, 2)`,
    `insert into turns (id, session_id, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
       tool_uses, at) values ('msg_1', 's1', 'a-model', 1, 2, 3, 4, 0, 5)`,
  ],
  2: [
    `insert into tasks (id, session_id, kind, instruction, goal, expected_scope, constraints, keywords, mode, status,
       escalation, waiting_for_recovery, prompt_count, created_at, updated_at)
       values ('t1', 's1', 'main', 'Fix it', 'fixed', '["src/**"]', '[]', '[]', 'normal', 'active', 0, false, 1, 1, 1)`,
    `insert into steps (id, session_id, task_id, tool, kind, files, folders, keywords, key_decision, at)
       values ('toolu_1', 's1', 't1', 'Edit', 'edit', '["a.ts"]', '[]', '[]', true, 3)`,
    `insert into drift_events (id, session_id, task_id, step_id, tool, kind, files, score, level, reason, correction,
       recovery_plan, recovered, at)
       values ('d1', 's1', 't1', 'toolu_2', 'Edit', 'edit', '[]', 3, 'intervene', 'why', 'how', '[]', false, 4)`,
  ],
  3: [
    `insert into memories (id, project_id, instruction, goal, reasoning_trace, decisions, constraints, files, tags,
       status, trigger, created_at)
       values ('m1', 'p1', 'Fix it', 'fixed', '[]', '[{"choice":"a","reason":"b"}]', '[]', '["a.ts"]', '[]',
       'complete', 'complete', 6)`,
  ],
  4: [
    `insert into states (kind, key, value, at) values ('mind', 's1', '{"plan":1}', 7)`,
    `insert into injections (id, session_id, kind, place, content, why, tokens, at)
       values ('i1', 's1', 'memory', 'system', 'text', 'why', 3, 8)`,
  ],
  5: [
    `insert into outbox (kind, id, project_id, version) values ('memory', 'm1', 'p1', 6)`,
    `insert into memory_uses (memory_id, session_id, shown_at) values ('m1', 's1', 9)`,
  ],
}

describe('a store of an earlier Grove', () => {
  const versions = Array.from({ length: MIGRATIONS.length + 1 }, (_, version) => version)

  it.each(versions)('comes up to date from version %i with everything it held', async (version) => {
    const { tables, open } = await create()
    await migrateWith(tables, MIGRATIONS.slice(0, version))
    // The name that what is known of a session had at that time.
    const named = (statement: string) => (version >= 11 ? statement.replace("'mind'", "'live-session'") : statement)
    for (let older = 1; older <= version; older++) {
      for (const statement of leftBehind[older] ?? []) await sql.raw(named(statement)).execute(tables)
    }
    await tables.destroy()

    const store = await open()
    if (version >= 1) {
      expect(await store.projects.get('p1')).toEqual({ id: 'p1', name: 'grove', root: '/code' })
      expect(await store.sessions.get('s1')).toMatchObject({ attachments: ['proxy'], startedAt: 1, lastSeenAt: 2 })
      expect(await store.turns.totals('s1')).toMatchObject({ turns: 1, cacheWrite: 4 })
    }
    if (version >= 2) {
      expect(await store.tasks.current('s1')).toMatchObject({ id: 't1', expectedScope: ['src/**'] })
      expect(await store.steps.ofTask('t1')).toMatchObject([{ id: 'toolu_1', files: ['a.ts'], keyDecision: true }])
      expect(await store.driftEvents.ofSession('s1', 9)).toMatchObject([{ id: 'd1', recovered: false }])
    }
    if (version >= 3) {
      expect(await store.memories.get('m1')).toMatchObject({ decisions: [{ choice: 'a', reason: 'b' }] })
      // What was kept before there was a team is shared with it.
      expect(await store.sharing.outgoing('p1', 9)).toMatchObject([{ id: 'm1', version: 6 }])
    }
    if (version >= 4) {
      expect(await store.states.get(anySlot('live-session'), 's1')).toEqual({ plan: 1 })
      expect(await store.injections.ofSession('s1', 9)).toMatchObject([{ id: 'i1', text: 'text' }])
    }
    if (version >= 5) expect(await store.memoryUses.ofSession('s1')).toMatchObject([{ memoryId: 'm1', shownAt: 9 }])
    if (version === 5) expect(await store.memoryUses.ofProject('p1')).toEqual(new Map([['m1', { shown: 1, used: 0 }]]))
    await store.sessions.see({ id: 's2', at: 7, through: 'hooks' })
    await store.close()

    const again = await open()
    expect(await again.sessions.get('s2')).toMatchObject({ id: 's2' })
    await again.close()
  })

  it('is left alone when a newer Grove has been there', async () => {
    const { tables, open } = await create()
    const later: Migration = { name: '999-later', up: (db) => db.schema.dropTable('memories').execute() }
    await migrateWith(tables, [...MIGRATIONS, later])

    await expect(open()).rejects.toMatchObject({ code: 'newer', message: expect.stringContaining('Upgrade Grove') })
    expect(await LOCAL_SCHEMA.hasTable(tables, 'memories')).toBe(false)
    expect(await LOCAL_SCHEMA.hasTable(tables, 'sessions')).toBe(true)
    await tables.destroy()
  })

  it('is as before when a migration fails half way', async () => {
    const { tables, open } = await create()
    const failing: Migration = {
      name: '999-failing',
      async up(db) {
        await db.schema.dropTable('memories').execute()
        throw new Error('the power went out')
      },
    }
    await expect(migrateWith(tables, [...MIGRATIONS, failing])).rejects.toThrow('the power went out')
    expect(await LOCAL_SCHEMA.hasTable(tables, 'sessions')).toBe(false)
    await tables.destroy()

    const store = await open()
    expect(await store.counts()).toMatchObject({ memories: 0 })
    await store.close()
  })

  it('is brought up to date once when ten open it at the same time', async () => {
    const { tables, open } = await create()
    const stores = await Promise.all(Array.from({ length: 10 }, open))
    await Promise.all(stores.map((store, index) => store.sessions.see({ id: `s${index}`, at: 1, through: 'proxy' })))
    expect(await stores[0]!.counts()).toMatchObject({ sessions: 10 })
    await Promise.all(stores.map((store) => store.close()))
    await tables.destroy()
  })
})

it('every migration file is in the list, in the order of its number', () => {
  const files = readdirSync(join(import.meta.dirname, 'migrations')).map((file) => file.replace(/\.ts$/, ''))
  expect(MIGRATIONS.map(({ name }) => name)).toEqual(files.sort())
})
