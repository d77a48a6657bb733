import { expect, it } from 'vitest'
import { whyForeign } from './explain.ts'

// What is said can be looked up: in the request, or in the files that the work has touched.

it.each([
  [
    'another folder',
    { path: 'src/billing/tax.ts' },
    ['src/web/list.ts', 'src/web/row.ts'],
    'the work so far concerns src/web; this is src/billing',
  ],
  [
    'the top folder',
    { path: 'Jenkinsfile' },
    ['docs/oncall.md'],
    'the work so far concerns docs; this is in the top folder',
  ],
  [
    'another file of the same folder',
    { path: 'src/ui/Tabs.vue' },
    ['src/ui/Table.vue'],
    'the work so far concerns src/ui/Table.vue; this is another file',
  ],
  ['words of a command', { command: 'go get gopkg.in/gomail.v2' }, [], 'the request does not mention gopkg or gomail'],
])('%s', (_, what, files, why) => {
  expect(whyForeign(what, { instruction: 'Make the export write to stdout', files })).toBe(why)
})

it('never names the file itself as what the work concerns', () => {
  const why = whyForeign({ path: 'src/a.ts' }, { instruction: 'Fix the build', files: ['src/a.ts'] })
  expect(why).toBe('nothing in the request asks for it')
})
