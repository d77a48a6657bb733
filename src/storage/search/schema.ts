import { MANY_TOUCHES } from '#core/ports/search-index.ts'
import type { SqliteStatement } from '../sqlite/driver.ts'

/**
 * Tables of the memory index. FTS5 serves as a bare inverted index: no text, no positions, one token per term and scope.
 * `7~parser` is the term `parser` in scope 7, `7~~12` the file in row 12; so each scope has its own frequencies and row lists,
 * and who touched a file is found as fast as who holds a word. Rows count up with the entries' time, so row lists come in
 * order: an entry older than others takes them along to new rows (see `add`). Scopes lie 2^32 rows apart.
 */
const TOKENS = `content='', columnsize=0, detail=none, tokenize="ascii tokenchars '._~-'"`

export const MEMORY_INDEX_SQL = `
CREATE TABLE IF NOT EXISTS memory_index_scope (
  scope INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entries INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0);

CREATE TABLE IF NOT EXISTS memory_index_entry (
  row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, grp TEXT,
  files TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS memory_index_entry_id ON memory_index_entry (scope, id);
CREATE VIRTUAL TABLE IF NOT EXISTS memory_index_terms USING fts5(terms, ${TOKENS});
CREATE VIRTUAL TABLE IF NOT EXISTS memory_index_vocab USING fts5vocab(memory_index_terms, row);

CREATE TABLE IF NOT EXISTS memory_index_file (
  row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, path TEXT NOT NULL, tail TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS memory_index_file_path ON memory_index_file (scope, path);
CREATE INDEX IF NOT EXISTS memory_index_file_tail ON memory_index_file (scope, tail);
CREATE VIRTUAL TABLE IF NOT EXISTS memory_index_paths USING fts5(terms, ${TOKENS});

CREATE TABLE IF NOT EXISTS memory_vector (
  id TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (id, model)) WITHOUT ROWID;
`

export const DROP_MEMORY_INDEX_SQL = `
DROP TABLE IF EXISTS memory_index_vocab;
DROP TABLE IF EXISTS memory_index_terms;
DROP TABLE IF EXISTS memory_index_paths;
DROP TABLE IF EXISTS memory_index_entry;
DROP TABLE IF EXISTS memory_index_file;
DROP TABLE IF EXISTS memory_index_scope;
DROP TABLE IF EXISTS memory_vector;
`

export const ROWS_PER_SCOPE = 2 ** 32

/** Entries per insert statement; more would make it no faster. */
export const TOGETHER = 10

function insertEntries(count: number): string {
  const rows = new Array(count).fill('(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')
  return `INSERT INTO memory_index_entry (row, scope, id, at, grp, files, title, body) VALUES ${rows}`
}

const TOUCHES = `SELECT rowid FROM memory_index_terms
  WHERE memory_index_terms MATCH '"' || ? || file.value || '"' ORDER BY rowid DESC`

/** Asks about many files in one statement: with one for each, half of the time would go into calling SQLite. */
function ofEachFile(numbers: string): string {
  return `SELECT group_concat(trim(file.value || ' ' || ifnull((${numbers}), ''))) AS list FROM json_each(?) file`
}

/** Every statement the index uses, by what it does. */
export const STATEMENTS = {
  scope:
    'INSERT INTO memory_index_scope (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING scope',
  size: 'SELECT entries FROM memory_index_scope WHERE scope = ?',
  extent: 'SELECT entries, last AS written FROM memory_index_scope WHERE scope = ?',
  // First in its transaction, so the write lock is taken before anything is read.
  lock: 'UPDATE memory_index_scope SET entries = entries WHERE scope = ? RETURNING last',
  grow: 'UPDATE memory_index_scope SET entries = entries + ?, last = ? WHERE scope = ?',

  known: 'SELECT id FROM memory_index_entry WHERE scope = ? AND id IN (SELECT value FROM json_each(?))',
  insert: insertEntries(1),
  insertMany: insertEntries(TOGETHER),
  // All new entries at once, from their rows: their words need not cross from JavaScript a second time.
  insertTerms: `INSERT INTO memory_index_terms (rowid, terms)
    SELECT row, replace(title || body || value, ' ', ?) FROM json_each(?) CROSS JOIN memory_index_entry ON row = ? + key`,
  // Not RETURNING the row: SQLite would guard such an insert with a savepoint, and FTS5 writes out its buffer at each one.
  nextFile: 'SELECT coalesce(max(row), 0) + 1 AS row FROM memory_index_file',
  insertFile: 'INSERT INTO memory_index_file (row, scope, path, tail) VALUES (?, ?, ?, ?)',
  insertPaths: `INSERT INTO memory_index_paths (rowid, terms)
    SELECT ? + key, replace(value, ' ', ?) FROM json_each(?)`,
  remove: 'DELETE FROM memory_index_entry WHERE row = ?',
  removeTerms: `INSERT INTO memory_index_terms (memory_index_terms, rowid, terms) VALUES ('delete', ?, replace(?, ' ', ?))`,

  version: 'PRAGMA data_version',
  frequency: 'SELECT doc FROM memory_index_vocab WHERE term = ?',
  // One string instead of ten thousand rows: crossing into JavaScript row by row would cost more than the search.
  // Counted from the scope's first row: small whole numbers are much cheaper there than large ones.
  holders:
    'SELECT group_concat(rowid - CAST(? AS INTEGER)) AS rows FROM memory_index_terms WHERE memory_index_terms MATCH ?',
  pathHolders:
    'SELECT group_concat(rowid - CAST(? AS INTEGER)) AS rows FROM memory_index_paths WHERE memory_index_paths MATCH ?',
  byRows:
    'SELECT row, id, at, grp, files, title, body FROM memory_index_entry WHERE row IN (SELECT value FROM json_each(?))',
  byIds: `SELECT row, id, at, grp, files, title, body FROM memory_index_entry
    WHERE scope = ? AND id IN (SELECT value FROM json_each(?))`,
  recent: `SELECT row, id, at, grp, files, title, body FROM memory_index_entry
    WHERE row BETWEEN ? AND ? ORDER BY row DESC LIMIT ?`,
  newest: 'SELECT row, id, at FROM memory_index_entry WHERE row BETWEEN ? AND ? ORDER BY row DESC LIMIT ?',
  touchesAt: `SELECT json_group_array(json_array(row, id, at)) AS list FROM memory_index_entry
    WHERE row IN (SELECT value FROM json_each(?))`,

  files: 'SELECT row, path, tail FROM memory_index_file WHERE scope = ? AND path IN (SELECT value FROM json_each(?))',
  paths: 'SELECT row, path FROM memory_index_file WHERE row IN (SELECT value FROM json_each(?))',
  sameTail: 'SELECT row, path, tail FROM memory_index_file WHERE scope = ? AND tail = ? AND path <> ?',
  newestRows: ofEachFile(`SELECT group_concat(rowid, ' ') FROM (${TOUCHES} LIMIT ?)`),
  oldestRow: 'SELECT rowid AS row FROM memory_index_terms WHERE memory_index_terms MATCH ? ORDER BY rowid LIMIT 1',
  touchCounts: ofEachFile(`SELECT count(*) || ' ' || max(rowid) FROM (${TOUCHES} LIMIT ${MANY_TOUCHES})`),
}

export type Statements = Record<keyof typeof STATEMENTS, SqliteStatement>

/** The expression that finds one term of one scope. */
export function matching(scope: number, term: string): string {
  return `"${scope}~${term}"`
}

const MAX_REMEMBERED = 10_000

export function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size >= MAX_REMEMBERED) map.clear()
  map.set(key, value)
}
