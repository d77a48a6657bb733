import { expect, it } from 'vitest'
import { whyForeign } from './explain.ts'

// What is said can be looked up: in the request, or in the files that the work has touched.

it.each([
  [
    'another folder',
    { path: 'src/billing/tax.ts' },
    ['src/web/list.ts', 'src/web/row.ts'],
    'the work so far is in src/web; this is in src/billing',
  ],
  ['the top folder', { path: 'notes.md' }, ['docs/oncall.md'], 'the work so far is in docs; this is in the top folder'],
  [
    'packages, build and CI',
    { path: 'web/package.json' },
    ['web/src/list.ts'],
    'the request does not ask to change packages, build or CI',
  ],
  [
    'another file of the same folder',
    { path: 'src/ui/Tabs.vue' },
    ['src/ui/Table.vue'],
    'the work so far concerns src/ui/Table.vue, not this file',
  ],
  [
    'a folder within the one of the work',
    { path: 'lab/model/deep.py' },
    ['lab/stats.py'],
    'the work so far concerns lab/stats.py, not this file',
  ],
  [
    'the folder around it',
    { path: 'db/schema.rb' },
    ['db/migrate/1.rb'],
    'the work so far concerns db/migrate/1.rb, not this file',
  ],
  ['words of a command', { command: 'go get gopkg.in/gomail.v2' }, [], 'the request does not mention gopkg or gomail'],
])('%s', (_, what, touched, why) => {
  expect(whyForeign(what, { instruction: 'Make the export write to stdout', touched, named: [] })).toBe(why)
})

it('tells what was touched from what the request only names', () => {
  const work = { instruction: 'Sort src/web/list.ts', named: ['src/web/list.ts'] }
  const path = 'src/billing/tax.ts'
  expect(whyForeign({ path }, { ...work, touched: [] })).toBe('the request names src/web/list.ts, not this file')
  expect(whyForeign({ path }, { ...work, touched: ['src/api/list.ts'] })).toContain('is in src/api; this is in')
})

it('never names the file itself as what the work concerns', () => {
  const why = whyForeign({ path: 'src/a.ts' }, { instruction: 'Fix the build', touched: ['src/a.ts'], named: [] })
  expect(why).toBe('nothing in the request asks for it')
})
