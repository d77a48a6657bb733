/**
 * Tables of the memory index in PostgreSQL. A `tsvector` serves as a bare inverted index, as FTS5 does in SQLite: its
 * lexemes are our own terms, one per term and scope (`7~parser` is the term `parser` in scope 7), and no parser or
 * dictionary ever sees them. Keys sort by their bytes.
 */
export const POSTGRES_INDEX_SQL = [
  'create schema if not exists grove_index',

  `create table if not exists grove_index.scope (
     scope integer generated always as identity primary key, name text not null unique, entries bigint not null default 0)`,

  `create table if not exists grove_index.entry (
     row bigint generated always as identity primary key, scope integer not null, id text collate "C" not null,
     at bigint not null, grp text, files text not null, title text not null, body text not null, unique (scope, id))`,
  'create index if not exists entry_by_time on grove_index.entry (scope, at desc, id)',
  // Apart from the entries, so that a search reads few pages; with what it sorts by.
  `create table if not exists grove_index.posting (
     row bigint primary key, at bigint not null, id text collate "C" not null, terms tsvector not null)`,
  'create index if not exists posting_terms on grove_index.posting using gin (terms)',
  // In how many entries each term stands; counting the postings of a frequent one would take longer than the search.
  'create table if not exists grove_index.word (token text collate "C" primary key, entries bigint not null)',

  `create table if not exists grove_index.file (
     row bigint generated always as identity primary key, scope integer not null, path text collate "C" not null,
     tail text not null, touches bigint not null, first_at bigint not null, last_at bigint not null,
     terms tsvector not null, unique (scope, path))`,
  'create index if not exists file_by_tail on grove_index.file (scope, tail)',
  'create index if not exists file_terms on grove_index.file using gin (terms)',
  `create table if not exists grove_index.touch (
     file bigint not null, at bigint not null, id text collate "C" not null, primary key (file, id))`,
  'create index if not exists touch_by_time on grove_index.touch (file, at desc, id)',
]
