import { expect, it } from 'vitest'
import { limitsIn } from './limits/limits-in.ts'
import { refusalsApart } from './refusals-apart.ts'

it.each([
  [
    'Do not write code, modify Main.java or pom.xml, or start phase 6. Then stop.',
    'Do not write code. Do not modify Main.java or pom.xml. Do not start phase 6. Then stop.',
  ],
  ['Do not implement, modify pom.xml, or push.', 'Do not implement. Do not modify pom.xml. Do not push.'],
  [
    'One map, no changes to search, the backend, or docs.',
    'One map, no changes to search. no changes to the backend. no changes to docs.',
  ],
  ['Never commit a key or push a tag', 'Never commit a key. Never push a tag'],
])('says each thing that is refused by itself: %s', (said, apart) => {
  expect(refusalsApart(said)).toBe(apart)
})

it.each([
  'Do not modify or delete a.ts.',
  'Do not create, modify, or delete migrations.',
  "Don't touch a.ts, fix b.ts.",
  "Don't touch a.ts, b.ts or c.ts.",
  'Do not fix it yet, but add a test or run one.',
  'Make no changes to the API, we ship today or tomorrow.',
])('leaves what is one refusal, or asks for something: %s', (said) => {
  expect(refusalsApart(said)).toBe(said)
})

it('closes what stands later in the list', () => {
  const limits = limitsIn(
    'Write spec/plan.md. Do not implement, modify pom.xml or Main.java, or resolve open questions.',
  )
  expect(limits.flatMap(({ targets }) => targets)).toEqual(
    expect.arrayContaining([
      { is: 'path', path: 'pom.xml' },
      { is: 'path', path: 'Main.java' },
    ]),
  )
})
