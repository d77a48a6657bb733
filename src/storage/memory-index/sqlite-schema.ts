/**
 * Tables of the memory index. FTS5 serves as a bare inverted index (no text, no positions): one token per term and scope,
 * `7~parser` for the term `parser` in scope 7, so each scope has its own frequencies and row lists.
 */
const TOKENS = `content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '._~'"`

export const MEMORY_INDEX_SQL = `
CREATE TABLE IF NOT EXISTS memory_index_scope (
  row INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entries INTEGER NOT NULL DEFAULT 0);

CREATE TABLE IF NOT EXISTS memory_index_entry (
  row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, grp TEXT,
  files TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS memory_index_entry_id ON memory_index_entry (scope, id);
CREATE INDEX IF NOT EXISTS memory_index_entry_at ON memory_index_entry (scope, at DESC, id);

CREATE VIRTUAL TABLE IF NOT EXISTS memory_index_terms USING fts5(terms, ${TOKENS});
CREATE VIRTUAL TABLE IF NOT EXISTS memory_index_vocab USING fts5vocab(memory_index_terms, row);

CREATE TABLE IF NOT EXISTS memory_index_file (
  row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, path TEXT NOT NULL, tail TEXT NOT NULL,
  touches INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS memory_index_file_path ON memory_index_file (scope, path);
CREATE INDEX IF NOT EXISTS memory_index_file_tail ON memory_index_file (scope, tail);
CREATE VIRTUAL TABLE IF NOT EXISTS memory_index_paths USING fts5(terms, ${TOKENS});

CREATE TABLE IF NOT EXISTS memory_index_touch (
  file INTEGER NOT NULL, at INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (file, at DESC, id)) WITHOUT ROWID;
`

/** Every statement the index uses, by what it does. */
export const STATEMENTS = {
  scope: 'INSERT INTO memory_index_scope (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING row',
  size: 'SELECT entries FROM memory_index_scope WHERE row = ?',
  grow: 'UPDATE memory_index_scope SET entries = entries + ? WHERE row = ?',

  insert: `INSERT INTO memory_index_entry (scope, id, at, grp, files, title, body) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, id) DO NOTHING RETURNING row`,
  insertTerms: 'INSERT INTO memory_index_terms (rowid, terms) VALUES (?, ?)',
  // A whole batch at once: [file, touches, first, last], and below [file, at, id].
  touchFiles: `UPDATE memory_index_file SET touches = touches + (value ->> 1),
      first_at = min(first_at, value ->> 2), last_at = max(last_at, value ->> 3)
    FROM json_each(?) WHERE row = value ->> 0`,
  insertFile: `INSERT INTO memory_index_file (scope, path, tail, touches, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING row`,
  insertPath: 'INSERT INTO memory_index_paths (rowid, terms) VALUES (?, ?)',
  insertTouches: 'INSERT INTO memory_index_touch (file, at, id) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)',

  find: 'SELECT row, at, files FROM memory_index_entry WHERE scope = ? AND id = ?',
  removeEntry: 'DELETE FROM memory_index_entry WHERE row = ?',
  removeTerms: 'DELETE FROM memory_index_terms WHERE rowid = ?',
  removeTouch: 'DELETE FROM memory_index_touch WHERE file = ? AND at = ? AND id = ?',
  recount: `UPDATE memory_index_file SET (touches, first_at, last_at) =
    (SELECT count(*), coalesce(min(at), 0), coalesce(max(at), 0) FROM memory_index_touch WHERE file = ?1) WHERE row = ?1 RETURNING touches`,
  removeFile: 'DELETE FROM memory_index_file WHERE row = ?',
  removePath: 'DELETE FROM memory_index_paths WHERE rowid = ?',

  frequency: 'SELECT doc FROM memory_index_vocab WHERE term = ?',
  // One string instead of ten thousand rows: crossing into JavaScript row by row would cost more than the search.
  holders: 'SELECT group_concat(rowid) AS rows FROM memory_index_terms WHERE memory_index_terms MATCH ?',
  pathHolders: 'SELECT group_concat(rowid) AS rows FROM memory_index_paths WHERE memory_index_paths MATCH ?',
  ages: 'SELECT row, at, id AS key FROM memory_index_entry WHERE row IN (SELECT value FROM json_each(?))',
  fileAges: 'SELECT row, last_at AS at, path AS key FROM memory_index_file WHERE row IN (SELECT value FROM json_each(?))',
  byRows: 'SELECT row, id, at, grp, files, title, body FROM memory_index_entry WHERE row IN (SELECT value FROM json_each(?))',
  byIds: `SELECT id, at, grp, files, title, body FROM memory_index_entry
    WHERE scope = ? AND id IN (SELECT value FROM json_each(?))`,
  recent: 'SELECT id, at, grp, files, title, body FROM memory_index_entry WHERE scope = ? ORDER BY at DESC, id LIMIT ?',

  files: `SELECT row, path, tail, touches, first_at, last_at FROM memory_index_file
    WHERE scope = ? AND path IN (SELECT value FROM json_each(?))`,
  earlierPaths: 'SELECT row, touches FROM memory_index_file WHERE scope = ? AND tail = ? AND path <> ? AND last_at <= ?',
  touches: 'SELECT id, at FROM memory_index_touch WHERE file = ? ORDER BY at DESC, id LIMIT ?',
  earlierTouches: `SELECT id, at FROM memory_index_touch WHERE file IN (SELECT value FROM json_each(?))
    ORDER BY at DESC, id LIMIT ?`,
  firstTouch: `SELECT id, at FROM memory_index_touch WHERE file IN (SELECT value FROM json_each(?))
    ORDER BY at, id DESC LIMIT 1`,
}
