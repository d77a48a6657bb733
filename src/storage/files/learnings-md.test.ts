import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { marked } from 'marked'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CATEGORIES, CONFIDENCES, CRITERIA, SCOPES } from '#core/learning/learning.ts'
import { readCandidate } from '#core/learning/validate.ts'
import { learning } from '../testing/learning.ts'
import { learningsFile } from './learnings-md.ts'
import { renderLearning } from './learnings-text.ts'
import { parseLearnings } from './parse-learnings.ts'

let folder: string
const path = () => join(folder, 'learnings.md')
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'grove-learnings-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Text as agents write it: words, and everything markdown could take for structure. */
const nasty = fc.constantFrom(
  '# heading',
  '### Another <!-- lrn_fake -->',
  '```',
  '~~~js',
  '<!--',
  '-->',
  '<script>alert(1)</script>',
  '</grove-learnings>',
  '> quoted',
  '- item',
  '| a | b |',
  '---',
  '===',
  '[x]: http://y',
  '`code`',
  'a · b: c, d',
  'at: 2020',
  '\\<',
  '%20',
  '%',
  '*b*',
  'pitfall · scope: team',
  '<!-- lrn_a 2 -->',
  '<details>',
  '&lt;',
  'Human: do it',
  '    indented',
)
const line = fc.oneof(nasty, fc.string({ maxLength: 60, unit: 'binary' }), fc.lorem({ maxCount: 8 }))
const anyLearning = fc
  .record({
    category: fc.constantFrom(...CATEGORIES),
    summary: fc.tuple(fc.lorem({ maxCount: 4 }), line).map(([a, b]) => `${a} ${b}`),
    detail: fc
      .tuple(fc.lorem({ maxCount: 6 }), fc.array(line, { maxLength: 12 }))
      .map(([a, b]) => [a, ...b].join('\n')),
    scope: fc.constantFrom(...SCOPES),
    confidence: fc.constantFrom(...CONFIDENCES),
    criteria_met: fc.subarray([...CRITERIA], { minLength: 1 }),
    tags: fc.array(fc.oneof(nasty, fc.lorem({ maxCount: 1 })), { minLength: 1, maxLength: 5 }),
    context_files: fc.array(fc.oneof(nasty, fc.constant('src/a, b.ts')), { maxLength: 3 }),
    ticket_id: fc.oneof(fc.constant(''), nasty),
  })
  .map(readCandidate)
  .filter((read) => 'candidate' in read)

describe('the markdown of a learning', () => {
  it('says again what was written, whatever was written', () => {
    fc.assert(
      fc.property(fc.array(anyLearning, { minLength: 1, maxLength: 4 }), (all) => {
        const written = all.map(({ candidate }, at) => ({
          ...candidate,
          id: `lrn_${at}`,
          at: 1_700_000_000_000 + at,
          status: 'active' as const,
        }))
        const read = parseLearnings(written.map(renderLearning).join(''))
        expect(read.map((block) => block.learning)).toEqual(written)
      }),
      { numRuns: 400 },
    )
  })

  it('keeps whatever a learning says inside its quote', () => {
    fc.assert(
      fc.property(anyLearning, ({ candidate }) => {
        const one = { ...candidate, id: 'lrn_1', at: 1_700_000_000_000, status: 'active' as const }
        const tokens = marked.lexer(`${renderLearning(one)}### After\n`).filter(({ type }) => type !== 'space')
        expect(tokens.map(({ type }) => type)).toEqual(['heading', 'blockquote', 'list', 'heading'])
        expect(tokens.at(-1)).toMatchObject({ text: 'After' })
      }),
      { numRuns: 400 },
    )
  })

  it('has no tag in its summary that a page would obey', async () => {
    const html = await marked(renderLearning(learning('a', { summary: 'Never <script>alert(1)</script> <!-- x' })))
    expect(html).toContain('&lt;script&gt;')
    expect(html).not.toContain('<script>')
  })
})

describe('a file of learnings', () => {
  it('grows at its end', async () => {
    const file = learningsFile(path())
    await file.append(learning('a'))
    const before = readFileSync(path(), 'utf8')
    await file.append(learning('b'))
    expect(readFileSync(path(), 'utf8').startsWith(before)).toBe(true)
    expect(await file.read()).toEqual([learning('a'), learning('b')])
  })

  it('is empty when it is not there', async () => {
    expect(await learningsFile(path()).read()).toEqual([])
  })

  it('takes what a person changed, moved, deleted or added', async () => {
    const file = learningsFile(path())
    for (const id of ['a', 'b', 'c']) await file.append(learning(id))
    const [head, a, b, c] = readFileSync(path(), 'utf8').split(/^(?=### )/m)
    const edited = a!.replace('Summary of a', 'A better summary').replace('tags: database, seed', 'tags: sql')
    const own = '### Ask the release team before tagging\n\nThey sign the packages by hand.\n'
    expect(b).toContain('Summary of b')
    writeFileSync(path(), `${head}${c}${own}\n${edited.trimEnd()}`)
    await file.append(learning('d'))

    const read = await file.read()
    expect(read.map(({ summary }) => summary)).toEqual([
      'Summary of c',
      'Ask the release team before tagging',
      'A better summary',
      'Summary of d',
    ])
    expect(read[1]).toMatchObject({ detail: 'They sign the packages by hand.', scope: 'project', status: 'active' })
    expect(read[2]).toMatchObject({ id: 'lrn_a', tags: ['sql'], at: learning('a').at })
    expect(await file.read()).toEqual(read)
  })

  it('takes what a person wrote into a learning for a part of it, in a quote or plain', async () => {
    const file = learningsFile(path())
    for (const id of ['a', 'b']) await file.append(learning(id))
    const [head, a, b] = readFileSync(path(), 'utf8').split(/^(?=### )/m)
    const added = a!.replace(/\n- pitfall/, '\n\nAnd **never** run it twice.\n- pitfall')
    const remark = 'What follows is about something else.\n\n'
    writeFileSync(path(), `${head}${added}${remark}${b}`)
    const told = `${learning('a').detail}\n\nAnd **never** run it twice.`
    expect(await file.read()).toEqual([learning('a', { detail: told }), learning('b')])

    const before = readFileSync(path(), 'utf8')
    await file.change('lrn_a', (one) => ({ ...one, status: 'active' }))
    expect(readFileSync(path(), 'utf8')).toBe(before)
    await file.change('lrn_a', (one) => ({ ...one, tags: ['sql'] }))
    expect(await file.read()).toEqual([learning('a', { detail: told, tags: ['sql'] }), learning('b')])
    expect(readFileSync(path(), 'utf8')).toContain(remark)
  })

  it('takes the facts of a person for what they are, whether they stand above the text or below', async () => {
    const own = '### Ask before tagging\n\n- process · tags: release\n\nThe packages are signed by hand.\n\n### Next\n'
    writeFileSync(path(), own)
    const file = learningsFile(path())
    const [first] = await file.read()
    expect(first).toMatchObject({ category: 'process', tags: ['release'], detail: 'The packages are signed by hand.' })
    await file.change(first!.id, (one) => ({ ...one, tags: ['npm'] }))
    expect(await file.read()).toMatchObject([{ tags: ['npm'], detail: 'The packages are signed by hand.' }])
    expect(readFileSync(path(), 'utf8')).toMatch(/-->\n\n### Next\n$/)
  })

  it('means the same after a formatter has set its parts off and broken its lines', async () => {
    const file = learningsFile(path())
    const long = learning('a', { detail: 'One.\n\nTwo.\nThree.\nFour.\nFive.\nSix.', criteriaMet: ['stable_fact'] })
    for (const one of [long, learning('b')]) await file.append(one)
    const formatted = readFileSync(path(), 'utf8')
      .replaceAll(/^(### .*)$/gm, '$1\n')
      .replaceAll(/^(> <!--.*-->)$/gm, '>\n$1\n>')
      .replaceAll(
        /^- (.*)$/gm,
        (_, facts: string) => `\n* ${facts.replaceAll(/(scope:|·(?= tags)|at:|<!--) /g, '$1\n  ')}`,
      )
      .replaceAll('stable_fact', 'stable\\_fact')
    writeFileSync(path(), formatted)
    expect(await file.read()).toEqual([long, learning('b')])

    await file.change('lrn_a', (one) => ({ ...one, tags: ['sql'] }))
    expect(await file.read()).toEqual([{ ...long, tags: ['sql'] }, learning('b')])
    expect(readFileSync(path(), 'utf8')).toContain(`${renderLearning({ ...long, tags: ['sql'] })}### Summary of b`)
  })

  it('knows a learning by its facts when a person wrote its heading anew', async () => {
    const file = learningsFile(path())
    for (const id of ['a', 'b']) await file.append(learning(id))
    const renamed = readFileSync(path(), 'utf8').replace('Summary of a <!-- lrn_a -->', 'A better name')
    const copy = renderLearning(learning('b')).replace('Summary of b <!-- lrn_b -->', 'Made from a copy')
    writeFileSync(path(), `${renamed}${copy}`)
    const [a, b, c] = await file.read()
    expect([a, b]).toEqual([learning('a', { summary: 'A better name' }), learning('b')])
    expect(c).toMatchObject({ id: expect.not.stringMatching(/^lrn_.$/), summary: 'Made from a copy' })
  })

  it('gets no date that nobody wrote when a learning of a person is changed', async () => {
    writeFileSync(path(), '### Ask before tagging\nThe packages are signed by hand.\n')
    const file = learningsFile(path())
    await file.change((await file.read())[0]!.id, (one) => ({ ...one, tags: ['npm'] }))
    expect(await file.read()).toMatchObject([{ tags: ['npm'], at: 0 }])
    expect(readFileSync(path(), 'utf8')).not.toContain('at: ')
  })

  it('shows nothing of a conflict that git left in it', async () => {
    const file = learningsFile(path())
    await file.append(learning('a'))
    const [head, a] = readFileSync(path(), 'utf8').split(/^(?=### )/m)
    const theirs = a!.replaceAll('lrn_a', 'lrn_b')
    writeFileSync(path(), `${head}<<<<<<< HEAD\n${a}=======\n${theirs}>>>>>>> other\n`)
    expect(await file.read()).toEqual([learning('a'), { ...learning('a'), id: 'lrn_b' }])
  })

  it('is read with Windows line ends too', async () => {
    writeFileSync(path(), renderLearning(learning('a')).replaceAll('\n', '\r\n'))
    const file = learningsFile(path())
    expect(await file.read()).toEqual([learning('a')])
    await file.change('lrn_a', (one) => ({ ...one, tags: ['sql'] }))
    expect(readFileSync(path(), 'utf8')).not.toMatch(/[^\r]\n/)
  })

  it('takes a plain section of a person for what it is', async () => {
    writeFileSync(path(), '# Learnings\n\n## How we use this\n\nRead it before you start.\n\n')
    const file = learningsFile(path())
    expect(await file.read()).toEqual([])
    await file.append(learning('a'))
    expect(await file.read()).toHaveLength(1)
  })

  it('changes one learning and leaves every other byte alone', async () => {
    const file = learningsFile(path())
    for (const id of ['a', 'b', 'c']) await file.append(learning(id))
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('# Learnings', '# Ours\n\n\n<b>odd</b>   spacing'))
    const before = readFileSync(path(), 'utf8')
    expect(await file.change('lrn_b', (one) => ({ ...one, summary: 'Changed' }))).toBe(true)
    expect(readFileSync(path(), 'utf8')).toBe(before.replace('Summary of b', 'Changed'))
    expect(await file.change('lrn_c', (one) => ({ ...one, summary: 'Changed too' }))).toBe(true)
    expect((await file.read()).map(({ summary }) => summary)).toEqual(['Summary of a', 'Changed', 'Changed too'])
    expect(await file.change('lrn_x', (one) => one)).toBe(false)
  })

  it('loses nothing when many add and change at once', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `n${at}`)
    await learningsFile(path()).append(learning('first'))
    const adding = ids.map((id) => learningsFile(path()).append(learning(id)))
    const changing = Array.from({ length: 10 }, (_, at) =>
      learningsFile(path()).change('lrn_first', (one) => ({ ...one, tags: [...one.tags, `t${at}`] })),
    )
    await Promise.all([...adding, ...changing])
    const read = await learningsFile(path()).read()
    expect(read).toHaveLength(41)
    expect(read.find(({ id }) => id === 'lrn_first')?.tags).toHaveLength(12)
  })
})

describe('what comes from the team', () => {
  it.each(['\n', '\r\n'])('is put where it stands or at the end, and the rest stays as it is', async (end) => {
    const file = learningsFile(path())
    for (const id of ['one', 'two', 'three']) await file.append(learning(id))
    writeFileSync(path(), `${readFileSync(path(), 'utf8').replaceAll('\n', end)}A line by hand.${end}`)
    const news = [learning('two', { detail: 'Changed by a teammate, with reasons.', changedAt: 5, author: 'ada, b' })]
    await file.merge([...news, learning('four')], new Set(['lrn_one']))
    const text = readFileSync(path(), 'utf8')
    expect((await file.read()).map(({ id }) => id)).toEqual(['lrn_two', 'lrn_three', 'lrn_four'])
    expect((await file.read())[0]).toEqual(news[0])
    expect(text).toContain(`A line by hand.${end}`)
    expect(text.replaceAll('\r\n', '').includes(end === '\n' ? '\r' : '\n')).toBe(false)
    await file.merge(news, new Set(['lrn_one']))
    expect(readFileSync(path(), 'utf8')).toBe(text)
  })

  it('begins a file with its head', async () => {
    await learningsFile(path()).merge([learning('one')], new Set())
    expect(readFileSync(path(), 'utf8')).toContain('schema_version: 1')
  })
})
