import { describe, expect, it } from 'vitest'
import { shell } from '../../../test/support/shell.ts'
import { readToolCall } from '../action/reading.ts'
import type { Learning } from './learning.ts'
import { evidenceInCall, evidenceInWords, howReferenced, joinEvidence } from './reference.ts'

const learning: Learning = {
  id: 'lrn_4be1c0ffee00',
  category: 'pitfall',
  summary: 'Run the migrations before the seed script',
  detail: 'It inserts into tables that only `npm run db:migrate` creates. Set `SEED_STRICT=1` to see the failure.',
  scope: 'project',
  confidence: 'high',
  criteriaMet: ['behavior_changing'],
  tags: ['database'],
  contextFiles: ['db/seed.ts', 'package.json'],
  at: 1,
  status: 'active',
}
type Utterance = { said: string } | { tool: string; input: Record<string, unknown> }

const root = '/app'
const evidenceIn = (done: Utterance) =>
  'said' in done
    ? evidenceInWords(done.said)
    : evidenceInCall(readToolCall({ ...done, outcome: 'ran' }, { cwd: root, root }, shell), done.input)
const bash = (command: string): Utterance => ({ tool: 'Bash', input: { command } })
const edit = (file: string, text = 'x'): Utterance => ({
  tool: 'Edit',
  input: { file_path: `${root}/${file}`, old_string: 'a', new_string: text },
})
const read = (file: string): Utterance => ({ tool: 'Read', input: { file_path: `${root}/${file}` } })
const how = (...done: Utterance[]) => howReferenced(learning, joinEvidence(done.map(evidenceIn)))

describe('a learning was used when', () => {
  it('its command was run', () => {
    expect(how(bash('cd app && npm run db:migrate && npm run seed'))).toBe('ran npm run db:migrate')
  })

  it('its file was changed', () => {
    expect(how(edit('db/seed.ts'))).toBe('changed db/seed.ts')
    expect(how(edit('packages/api/db/seed.ts'))).toBe('changed db/seed.ts')
  })

  it('its file was run', () => {
    expect(how(bash('cd app && node --inspect db/seed.ts | tee log'))).toBe('ran db/seed.ts')
    expect(how(bash('./db/seed.ts'))).toBe('ran db/seed.ts')
    expect(how(bash('cat db/seed.ts; wc -l ./db/seed.ts'))).toBeUndefined()
  })

  it('a name it brings up appears in what was written', () => {
    expect(how(edit('ci.yml', 'env:\n  SEED_STRICT=1'))).toBe('used SEED_STRICT=1')
  })

  it('a name it brings up was written or run, also when it stood there without backticks', () => {
    const told = { ...learning, detail: 'Only formatLocal() knows a zone; nginx needs proxy_request_buffering off.' }
    const how = (done: Utterance) => howReferenced(told, evidenceIn(done))
    expect(how(edit('src/report.ts', 'return formatLocal(row.at)'))).toBe('used formatLocal')
    expect(how(bash("sed -i 's/#proxy_request_buffering/proxy_request_buffering/' a.conf"))).toContain('proxy_request')
    expect(how(edit('src/report.ts', 'return reformatLocal(row.at)'))).toBeUndefined()
  })

  it('its advice was followed in words', () => {
    expect(how({ said: 'First I run the migrations, because the seed script needs the tables.' })).toBe(
      'followed the advice',
    )
  })

  it('its file was read and some of the advice appears', () => {
    expect(how(read('db/seed.ts'), { said: 'The seed script has to come after migrating.' })).toContain('db/seed.ts')
  })

  it('it was named', () => {
    expect(how({ said: 'As lrn_4be1c0ffee00 says, order matters.' })).toBe('named it')
  })
})

describe('a learning was not used because', () => {
  it.each<[string, Utterance]>([
    ['something else was done', bash('npm test')],
    ['its file was only read', read('db/seed.ts')],
    ['a file was changed that every task changes', edit('package.json')],
    ['another file of that name was changed', edit('web/seed.ts')],
    ['one of its words came up', { said: 'The database is up, and the tests pass.' }],
    [
      'it was handed back to Grove',
      bash('grove reflect <<JSON\n{"summary":"Run the migrations before the seed script"}\nJSON'),
    ],
    [
      'it was handed back to Grove by the files it consists of',
      bash(`/usr/bin/node '/opt/my grove/grove.js' reflect <<JSON\n{"detail":"first npm run db:migrate"}\nJSON`),
    ],
    ['it was looked up', { tool: 'Read', input: { file_path: '/app/.grove/learnings.md' } }],
    ['a tool of Grove was called', { tool: 'mcp__grove__reflect', input: { detail: 'npm run db:migrate' } }],
    ['a longer command only resembles its own', bash('npm run db:migrate:undo')],
  ])('%s', (_, done) => {
    expect(how(done)).toBeUndefined()
  })

  it.each(['npm test', 'git status', 'npm run build', 'make'])('everybody runs the command: %s', (command) => {
    const common = { ...learning, detail: `Look at the order of the tables, then do \`${command}\` once more.` }
    expect(howReferenced(common, evidenceIn(bash(`cd app && ${command}`)))).toBeUndefined()
    const special = { ...learning, detail: 'Do `npm test -- --runInBand`, for the tables are shared.' }
    expect(howReferenced(special, evidenceIn(bash('npm test -- --runInBand')))).toBeDefined()
  })

  it('what it warns of was done', () => {
    const detail = 'Never call `db.dropAll()`, and use withTenant() instead of setTenantGlobally.'
    const warning = { ...learning, detail }
    const how = (done: Utterance) => howReferenced(warning, evidenceIn(done))
    expect(how(edit('a.ts', 'await db.dropAll(); setTenantGlobally(1)'))).toBeUndefined()
    expect(how(edit('a.ts', 'await withTenant(1, work)'))).toBe('used withTenant')
  })

  it('only names came up that all code has', () => {
    const common = { ...learning, detail: 'In JavaScript on macOS, addEventListener() and render() differ.' }
    const done = edit('a.ts', "// JavaScript\nbutton.addEventListener('click', () => render())")
    expect(howReferenced(common, evidenceIn(done))).toBeUndefined()
  })

  it('its words are spread over a long answer', () => {
    const said = ['We run tests.', 'The migrations are old.', 'Somewhere there is a seed.', 'A script.'].join(
      `\n\n${'Nothing of interest here. '.repeat(10)}\n\n`,
    )
    expect(how({ said })).toBeUndefined()
  })
})

describe('a learning was not used when', () => {
  it.each([
    'The note lrn_4be1c0ffee00 is not relevant here.',
    'lrn_4be1c0ffee00 does not apply, because there is no seed script in this package.',
    'lrn_4be1c0ffee00 ist hier nicht relevant.',
  ])('the agent sets it aside: %s', (said) => {
    expect(how({ said })).toBeUndefined()
  })

  it('the agent changes the very file that it warns of changing', () => {
    const warning = { ...learning, summary: 'Never edit the generated client by hand', contextFiles: ['api/client.ts'] }
    expect(howReferenced(warning, evidenceIn(edit('api/client.ts')))).toBeUndefined()
  })
})
