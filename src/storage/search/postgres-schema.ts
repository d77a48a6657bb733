/**
 * Tables of the memory index in PostgreSQL. A `tsvector` serves as a bare inverted index, as FTS5 does in SQLite: its
 * lexemes are our own terms, one per term and scope (`7~parser` is the term `parser` in scope 7), and no parser or
 * dictionary ever sees them. It is nowhere kept but in the index. Keys sort by their bytes. Where rows are counted up again and
 * again, pages have room for it: then no index learns of it.
 */

/** The terms of an entry; title, body and words have a space before each. Written alike wherever they are looked up. */
export const ENTRY_TERMS = `array_to_tsvector(string_to_array(
  substr(replace(title || body || words, ' ', ' ' || scope::text || '~'), 2), ' '))`

export const POSTGRES_INDEX_SQL = [
  'create schema if not exists grove_index',

  `create table if not exists grove_index.scope (
     scope integer generated always as identity primary key, name text not null unique, entries bigint not null default 0)`,

  // Words are those of its files' paths.
  `create table if not exists grove_index.entry (
     scope integer not null, id text collate "C" not null, at bigint not null, grp text,
     files text not null, title text not null, body text not null, words text not null, primary key (scope, id))`,
  'create index if not exists entry_by_time on grove_index.entry (scope, at desc, id)',
  `create index if not exists entry_terms on grove_index.entry using gin ((${ENTRY_TERMS}))`,
  // In how many entries each term stands; counting them in the index would take longer than the search.
  `create table if not exists grove_index.word (
     token text collate "C" primary key, entries bigint not null) with (fillfactor = 50)`,

  `create table if not exists grove_index.file (
     row bigint generated always as identity primary key, scope integer not null, path text collate "C" not null,
     tail text not null, touches bigint not null default 0, first_at bigint not null default 0,
     last_at bigint not null default 0, terms tsvector not null, unique (scope, path)) with (fillfactor = 70)`,
  'create index if not exists file_by_tail on grove_index.file (scope, tail)',
  'create index if not exists file_terms on grove_index.file using gin (terms)',
  'create table if not exists grove_index.touch (file bigint not null, at bigint not null, id text collate "C" not null)',
  'create unique index if not exists touch_by_time on grove_index.touch (file, at desc, id)',
]
