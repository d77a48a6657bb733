import { describe, expect, it } from 'vitest'
import { parseShell } from '#exec/syntax/shell.ts'
import { readShell } from './reading.ts'

const at = { parse: parseShell, cwd: '/repo', home: '/home/dev', root: '/repo' }
const writes = (command: string) => readShell(command, at)
const paths = (command: string) => writes(command).writes.map(({ path }) => path)

describe('work that multiplies', () => {
  const large = `a=x; ${'a=$a$a;'.repeat(20)}`
  it.each([
    ['nested loops without commands', `${'for i in {1..50}; do '.repeat(5)}a=$i; ${'done;'.repeat(5)}`],
    ['a long text that is copied', `${large}${'b=$a;'.repeat(40_000)}`],
    ['a long text that is changed', large + `b=\${a//x/y};`.repeat(18_000)],
    ['a long text that is compared', `${large}${'[[ $a == *x*y* ]];'.repeat(10_000)}`],
    ['many variables in many shells', `${'v$((i++))=1;'.repeat(5)}${variables(8000)}${'(a=1);'.repeat(10_000)}`],
    ['many variables on many ways', `${variables(8000)}${'if a; then b=1; fi;'.repeat(6000)}`],
    ['arguments in arguments', `set -- ${'a '.repeat(20_000)}; for x; do for y; do for z; do b=$z; done; done; done`],
  ])('is not followed to its end: %s', (_, command) => {
    expect(writes(command).undecided).toContain('too much to follow')
  })

  it('is not done in operands that hold operands', () => {
    const nested = (begin: string, depth: number) => `${begin.repeat(depth)}x${'}'.repeat(depth)}`
    expect(paths(`rm ${nested(`\${a:-`, 60)}`)).toEqual(['/repo/x'])
    expect(writes(`a=({1..10}); rm ${nested(`\${a[@]/x/`, 60)}`).writes).not.toEqual([])
  })

  it('leaves nothing behind it unread, where it is a loop', () => {
    for (const loop of ['for a in {1..3000}; do :; done', 'for a in {1..60}; do for b in {1..60}; do :; done; done'])
      expect(readShell(`${loop}; rm src/x.ts`, at)).toMatchObject({
        isUnread: false,
        writes: [{ path: '/repo/src/x.ts' }],
      })
  })

  it.each([
    ['words', 'a '.repeat(150_000)],
    ['brackets', '('.repeat(2000)],
    ['here-documents', '<<a '.repeat(50_000)],
    ['commands', 'a;'.repeat(3000)],
    ['files', `rm ${'x '.repeat(1001)}`],
    ['letters of a name', `rm ${'x'.repeat(5000)}`],
    ['scripts in scripts', `${'eval '.repeat(20)}rm x`],
    ['commands in commands', `${'env '.repeat(20)}rm x`],
    ['conditions in conditions', `${'if a; then '.repeat(400)}rm x${'; fi'.repeat(400)}`],
    ['branches in branches', `${'case $x in a) '.repeat(300)}rm x${';; esac'.repeat(300)}`],
    ['groups in groups', `${'{ '.repeat(450)}rm x${'; }'.repeat(450)}`],
    ['words that nest what the parser reads', `${'coproc '.repeat(3000)}rm x`],
    ['letters that take the place of one', `x=${'a'.repeat(60_000)}; echo \${x//a/${'b'.repeat(50_000)}}; rm x`],
    ['texts that double', `${large}${'b=$a;'.repeat(40_000)}`],
  ])('is told of a command with more %s than can be read', (_, command) => {
    expect(readShell(command, at)).toMatchObject({ isUnread: true, readOnly: false })
  })

  it('is no fault of a command that runs a long script, makes a function call itself, or cannot be read for other reasons', () => {
    const textAt = (path: string) => (path === '/repo/long.sh' ? 'a;'.repeat(3000) : undefined)
    for (const command of ['sh long.sh', 'f() { f; }; f', 'make', 'eval "$(cat x)"', 'rm "$x"', 'echo "'])
      expect(readShell(command, { ...at, textAt })).toMatchObject({ isUnread: false })
    expect(readShell(`sh long.sh; ${'a;'.repeat(3000)}`, { ...at, textAt }).isUnread).toBe(true)
  })

  it('is not begun with many here-documents', () => {
    expect(writes('<<a '.repeat(50_000)).undecided).toEqual(['not valid shell: too many here-documents'])
  })
})

function variables(count: number): string {
  return Array.from({ length: count }, (_, n) => `v${n}=1;`).join('')
}
