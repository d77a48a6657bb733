import type { Effect } from '../call.ts'
import { asText } from '../expand.ts'
import { readOptions } from '../options.ts'
import { converter } from './output-options.ts'

/** Clients and dumps of databases: a script may leave the database. */
export const databases: Record<string, Effect> = {
  pg_dump: converter('f file', 'h p U d n t F j Z'),
  pg_dumpall: converter('f file', 'h p U l'),
  mysqldump: converter('r result-file T tab', 'u h P'),
  psql: (call) => {
    const options = readOptions(call.args, { values: 'o output L log-file c command f file d h p U v X' })
    for (const path of options.all('o', 'output', 'L', 'log-file')) call.write(path, 'create')
    const said = [...options.all('c', 'command').map(({ text }) => text), asText(call.stdin) ?? '']
    if (options.has('f', 'file') || said.some((text) => text.length > LONGEST || PSQL_WRITES.test(text)))
      call.undecided('psql: the script may write files')
  },
  mysql: (call) => {
    const options = readOptions(call.args, { values: 'tee pager u h P D e execute' })
    call.write(options.get('tee'), 'create')
    const said = [...options.all('e', 'execute').map(({ text }) => text), asText(call.stdin) ?? '']
    if (options.get('pager') || said.some((text) => text.length > LONGEST || MYSQL_WRITES.test(text)))
      call.undecided('mysql: the script may run programs')
  },
}

/** Longer ones are not written by hand, and searching them could take long. */
const LONGEST = 20_000

/** Commands of the two clients, and statements, that leave the database. */
const PSQL_WRITES = /\\(?:!|[ogwis]\b|copy\b|e\b|ef\b|ir\b|setenv\b|gexec\b)|\bcopy\b[^;]*\bto\s+(?:program\b|')/i

const MYSQL_WRITES = /\\[!TRPe.]|^[ \t]*(?:system|tee|pager|source|edit)\s|\binto\s+(?:out|dump)file\b/im
