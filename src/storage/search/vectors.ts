import { memoryEntry } from '#core/memory/entry.ts'
import type { MemoryVectors } from '#core/search/embeddings.ts'
import type { SqliteDatabase } from '../sqlite/driver.ts'
import { toMemory } from '../sqlite/memory-rows.ts'

type MemoryRow = Parameters<typeof toMemory>[0]

interface Needs {
  database(): Promise<SqliteDatabase>
  /** One after the other: a connection has one transaction. */
  transaction(work: (database: SqliteDatabase) => void): Promise<void>
}

/** Vectors in the file of the store, four bytes a number. */
export function sqliteVectors({ database, transaction }: Needs): MemoryVectors {
  return {
    async of(model, ids) {
      const sql = `select id, vector from memory_vector
        where model = ? and id in (select value from json_each(?))`
      const rows = (await database()).prepare(sql).all(model, JSON.stringify(ids)) as {
        id: string
        vector: Uint8Array
      }[]
      return new Map(rows.map(({ id, vector }) => [id, numbers(vector)]))
    },
    async missing(model, most) {
      const sql = `select memories.* from memories left join memory_vector known on known.id = memories.id and known.model = ?
        where known.id is null order by created_at desc limit ?`
      const rows = (await database()).prepare(sql).all(model, most) as MemoryRow[]
      return rows.map((row) => {
        const { id, title, body } = memoryEntry(toMemory(row))
        return { id, text: `${title}\n${body}` }
      })
    },
    put: (model, vectors) =>
      transaction((db) => {
        const length = [...vectors.values()][0]?.byteLength ?? 0
        // The same name may come to stand for another model.
        db.prepare('delete from memory_vector where model = ? and length(vector) <> ?').run(model, length)
        // A memory that went meanwhile must not leave a trace.
        const insert = db.prepare(`insert or replace into memory_vector (id, model, vector)
          select id, ?, ? from memories where id = ?`)
        for (const [id, vector] of vectors) insert.run(model, bytes(vector), id)
      }),
  }
}

function bytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** A copy, since a blob may begin anywhere in memory and numbers may not. */
function numbers(blob: Uint8Array): Float32Array {
  return new Float32Array(blob.slice().buffer)
}
