import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempHome } from '../../../test/support/home.ts'
import { addLesson, withLesson } from './claude-md.ts'

const file = '# Our project\n\nUse tabs.\n'

describe('lessons in CLAUDE.md', () => {
  it('begin a section of their own at the end, and leave the rest alone', () => {
    expect(withLesson(file, 'Run the build before the tests.', '2026-05-01')).toBe(
      `${file}\n<!-- grove:lessons -->\n## Lessons Learned\n\n- Run the build before the tests. (2026-05-01)\n<!-- /grove:lessons -->\n`,
    )
    expect(withLesson('', 'One', '2026-05-01')).toMatch(/^<!-- grove:lessons -->\n## Lessons Learned\n\n- One /)
  })

  it('are added below each other, wherever the section has been moved', () => {
    const once = withLesson(file, 'One', '2026-05-01')!
    const moved = `${once}\nMore of ours.\n`
    const twice = withLesson(moved, 'Two\n lines', '2026-05-02')!
    expect(twice).toContain('- One (2026-05-01)\n- Two lines (2026-05-02)\n<!-- /grove:lessons -->\n\nMore of ours.\n')
  })

  it('are not said twice', () => {
    const once = withLesson(file, 'Run the build first!', '2026-05-01')!
    expect(withLesson(once, 'run the  build first', '2026-06-01')).toBeUndefined()
    expect(withLesson(once, '  \n', '2026-06-01')).toBeUndefined()
  })

  it('leave alone what a person writes between the marks', () => {
    const mine = [
      '<!-- grove:lessons -->',
      '# What we know',
      '',
      'Read these first.',
      '',
      '- One (2026-05-01)',
      '  because of the cache',
      '- Mine, without a date',
      '',
      '> And never on a Friday.',
      '<!-- /grove:lessons -->',
      '',
    ].join('\n')
    const lines = mine.split('\n')
    expect(withLesson(mine, 'Two', '2026-05-02')!.split('\n')).toEqual(lines.toSpliced(8, 0, '- Two (2026-05-02)'))
    expect(withLesson(mine, 'mine, without a date', '2026-05-02')).toBeUndefined()
    let full = mine
    for (let i = 0; i < 60; i++) full = withLesson(full, `Lesson ${i}`, '2026-05-01')!
    expect(full).not.toContain('because of the cache')
    for (const kept of ['# What we know', 'Read these first.', '- Mine, without a date', '> And never on a Friday.']) {
      expect(full).toContain(`\n${kept}\n`)
    }
  })

  it('survive a lost end mark, Windows line ends and a full section', () => {
    const torn = withLesson(file, 'One', '2026-05-01')!.replace('<!-- /grove:lessons -->', '\nOurs again.')
    expect(withLesson(torn, 'Two', '2026-05-02')).toContain('- Two (2026-05-02)\n<!-- /grove:lessons -->\n')
    expect(withLesson(torn, 'Two', '2026-05-02')).toContain('Ours again.')
    expect(withLesson('a\r\nb\r\n', 'One', '2026-05-01')!.replaceAll('\r\n', '')).not.toContain('\n')
    let text = file
    for (let i = 0; i < 60; i++) text = withLesson(text, `Lesson ${i}`, '2026-05-01')!
    expect(text.match(/^- /gm)).toHaveLength(50)
    expect(text).toContain('- Lesson 59 ')
  })

  it('never change what is outside the marks', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (before, lesson) => {
        fc.pre(!before.includes('\r'))
        const after = withLesson(before, lesson, '2026-05-01')
        if (after !== undefined) expect(after.startsWith(before.trimEnd())).toBe(true)
      }),
    )
  })

  it('reach the file', async ({ onTestFinished }) => {
    const root = await tempHome(onTestFinished)
    await writeFile(join(root, 'CLAUDE.md'), file)
    expect(await addLesson(root, 'One', '2026-05-01')).toBe(true)
    expect(await addLesson(root, 'One', '2026-05-02')).toBe(false)
    expect(await readFile(join(root, 'CLAUDE.md'), 'utf8')).toContain('- One (2026-05-01)')
  })
})
