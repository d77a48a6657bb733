import { expect, it } from 'vitest'
import { commandFor } from './desktop.ts'

it('texts are shown as they are, whatever is in them', () => {
  const odd = '"; do shell script "x" & <b>bold</b> --help'
  expect(commandFor({ DISPLAY: ':0' }, 'linux', '--title', odd)?.slice(-3)).toEqual([
    '--',
    '--title',
    '"; do shell script "x" &amp; &lt;b&gt;bold&lt;/b&gt; --help',
  ])
  expect(commandFor({}, 'darwin', 'title', odd)?.slice(-3)).toEqual(['--', 'title', odd])
})

it('nothing is shown where there is no desktop', () => {
  expect(commandFor({}, 'linux', 'a', 'b')).toBeUndefined()
  expect(commandFor({}, 'win32', 'a', 'b')).toBeUndefined()
})
