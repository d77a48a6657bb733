import { expect, it } from 'vitest'
import { keylessFolder, keylessPath } from './names-on-disk.ts'

const KEY = 'ghu_ovOxkpokGn1sKCG5MzMZiv9dLqSdbfWtbZBT'

it.each([
  ['/home/a/shop', '/home/a/shop'],
  [`/home/a/shop/${KEY}`, '/home/a/shop'],
  [`/home/a/with-${KEY}/src/deep`, '/home/a'],
  [`C:\\work\\${KEY}\\src`, 'C:\\work'],
  [`/${KEY}`, '/'],
  ['', ''],
  // Folders for temporary files have random names, and are worked in all the same.
  ['/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/grove', '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/grove'],
])('work in %s is known as work in %s', (path, folder) => {
  expect(keylessFolder(path)).toBe(folder)
})

it('a file that is named by a key is written down without it', () => {
  expect(keylessPath(`src/${KEY}.ts`)).not.toContain(KEY)
  expect(keylessPath('src/a.ts')).toBe('src/a.ts')
})
