import { describe, expect, it } from 'vitest'
import { mentionedPaths, pathWords } from './paths.ts'

describe('prose mentions paths', () => {
  it.each([
    ['look at src/auth/ and lib/token.ts', ['src/auth/', 'lib/token.ts']],
    ['the error is in `server/index.mjs:42`', ['server/index.mjs']],
    ['make read/write and/or faster, e.g. with node.js 20.1', []],
    ['see package.json and README.md.', ['package.json', 'README.md']],
  ])('%s', (text, paths) => {
    expect(mentionedPaths(text)).toEqual(paths)
  })
})

it('words that may be paths are all taken, to be compared with paths that are known', () => {
  expect(pathWords('never edit db/schema or read/write *.ts in src/**')).toEqual(['db/schema', 'read/write', 'src/**'])
  expect(pathWords('npm test -- cart.ts')).toEqual(['cart.ts'])
})
