/**
 * Tables of the memory index in PostgreSQL. A `tsvector` serves as a bare inverted index, as FTS5 does in SQLite: its
 * lexemes are our own terms, one per term and scope, and no parser or dictionary ever sees them. `7~parser` is the term
 * `parser` in scope 7, `7~~12` the file in row 12. Rows count up as entries arrive.
 */
export const POSTGRES_INDEX_SQL = [
  'create schema if not exists grove_index',

  `create table if not exists grove_index.scope (
     scope integer generated always as identity primary key, name text not null unique, entries bigint not null default 0)`,

  `create table if not exists grove_index.entry (
     row bigint generated always as identity primary key, scope integer not null, id text not null, at bigint not null,
     grp text, files text not null, title text not null, body text not null, unique (scope, id))`,
  'create index if not exists entry_by_arrival on grove_index.entry (scope, row)',
  `create table if not exists grove_index.posting (row bigint primary key, terms tsvector not null)`,
  'create index if not exists posting_terms on grove_index.posting using gin (terms)',
  // In how many entries each term stands; counting the postings of a frequent one would take longer than the search.
  'create table if not exists grove_index.word (token text primary key, entries bigint not null)',

  `create table if not exists grove_index.file (
     row bigint generated always as identity primary key, scope integer not null, path text not null, tail text not null,
     terms tsvector not null, unique (scope, path))`,
  'create index if not exists file_by_tail on grove_index.file (scope, tail)',
  'create index if not exists file_terms on grove_index.file using gin (terms)',
]
