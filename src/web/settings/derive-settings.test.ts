import { expect, it } from 'vitest'
import { commandIn } from './derive-settings.ts'

it.each([
  ['Run `grove init`; `grove unregister` undoes it.', 'grove init'],
  [
    'Update Grove: `npm install -g grovekeeper`. Until then use both (`grove init`, `grove up`).',
    'npm install -g grovekeeper',
  ],
  ['Keep one of them: `claude plugin disable grove@grove`, or `grove unregister`.', undefined],
  ['Take `memory.remember` out of the file.', undefined],
  ['Install Claude Code.', undefined],
])('offers to copy the command that puts it right: %s', (fix, command) => {
  expect(commandIn(fix)).toBe(command)
})
