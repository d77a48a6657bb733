import { readdirSync, readFileSync } from 'node:fs'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { tempHome } from '../../../test/support/home.ts'
import { intentBooks } from './intent-book.ts'
import { readIntents } from './intents-yaml.ts'

const item = (id: string, name = `Work on ${id}`) =>
  `  - id: ${id}\n    name: ${name}\n    owned_scope:\n      - src/${id}/**\n`

async function shelf(whenFinished: (work: () => Promise<void>) => void) {
  const home = await tempHome(whenFinished)
  const file = join(home, 'active_intents.yaml')
  const cache = join(home, 'cache')
  const write = async (text: string) => {
    await writeFile(file, text)
    // As if it had been saved a while ago: what is younger than a tick is never taken from memory.
    const then = new Date(Date.now() - 10_000)
    await utimes(file, then, then)
  }
  return { file, cache, write, open: intentBooks(cache) }
}

describe('the book of intents', () => {
  it('is empty where there is no file, and follows the file from then on', async ({ onTestFinished }) => {
    const { file, write, open } = await shelf(onTestFinished)
    expect((await open(file)).choice).toEqual({ open: [], count: 0 })
    await write(`active_intents:\n${item('a')}`)
    expect((await open(file)).find('a')).toMatchObject({ name: 'Work on a', ownedScope: ['src/a/**'] })
    await write(`active_intents:\n${item('a', 'Another name')}${item('b')}`)
    const book = await open(file)
    expect(book.find('a')?.name).toBe('Another name')
    expect(book.choice.count).toBe(2)
    await rm(file)
    expect((await open(file)).find('a')).toBeUndefined()
  })

  it('sees a change of the same length that was saved in the same instant', async ({ onTestFinished }) => {
    const { file, open } = await shelf(onTestFinished)
    for (const name of ['one', 'two', 'six', 'ten']) {
      await writeFile(file, `active_intents:\n${item('a', name)}`)
      expect((await open(file)).find('a')?.name).toBe(name)
    }
  })

  it('is not read when there are far too many, and says so', async ({ onTestFinished }) => {
    const { file, write, open } = await shelf(onTestFinished)
    await write(`active_intents:\n${Array.from({ length: 200_000 }, (_, i) => item(`INT-${i}`)).join('')}`)
    const { choice, problems } = await open(file)
    expect(choice.count).toBe(0)
    expect(problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('more than 20,000 intents') }),
    ])
  })

  it('is kept for the next process, which reads no YAML', async ({ onTestFinished }) => {
    const { file, cache, write, open } = await shelf(onTestFinished)
    await write(`active_intents:\n${Array.from({ length: 300 }, (_, i) => item(`INT-${i}`)).join('')}`)
    await open(file)
    const [kept] = readdirSync(cache)
    const before = readFileSync(join(cache, kept!), 'utf8')
    await writeFile(join(cache, kept!), before.replaceAll('Work on', 'Kept for'))
    const other = await intentBooks(cache)(file)
    expect(other.find('INT-42')?.name).toBe('Kept for INT-42')
    expect(other.find('INT-4')?.name).toBe('Kept for INT-4')
    expect(other.find('INT-300')).toBeUndefined()
    expect(other.choice).toMatchObject({ count: 300, open: { length: 8 } })
  })

  it('reads again only what has changed', async ({ onTestFinished }) => {
    const { file, cache, write, open } = await shelf(onTestFinished)
    await write(`active_intents:\n${item('a')}${item('b')}`)
    await open(file)
    const [kept] = readdirSync(cache)
    const before = readFileSync(join(cache, kept!), 'utf8')
    await writeFile(join(cache, kept!), before.replaceAll('Work on', 'Kept for'))
    await write(`active_intents:\n${item('a')}${item('b', 'New')}${item('c')}`)
    const names = (await intentBooks(cache)(file)).all().map(({ name }) => name)
    expect(names).toEqual(['Kept for a', 'New', 'Work on c'])
  })

  it('tells the line of a mistake in the file, not in the item', async ({ onTestFinished }) => {
    const { file, write, open } = await shelf(onTestFinished)
    await write(`# ours\nactive_intents:\n${item('a')}${item('b')}  - id: c\n`)
    expect((await open(file)).problems).toMatchObject([{ line: 11, column: 5 }])
    await write(`active_intents:\n${item('a')}${item('a')}`)
    expect((await open(file)).problems).toMatchObject([{ line: 6, message: 'the id a is used twice' }])
  })

  it.each([
    ['different keys', (n: number) => `    k${n}: 1\n`],
    ['repeated keys', () => '    a: 1\n'],
    ['mistakes', () => '    ]\n'],
  ])('is refused before it is parsed when one intent holds %s without end', async (_, line) => {
    const { file, write, open } = await shelf(onTestFinished)
    const much = Array.from({ length: 60_000 }, (_each, n) => line(n)).join('')
    await write(`active_intents:\n${item('a')}  - id: b\n    name: b\n${much}`)
    const { choice, problems } = await open(file)
    expect(choice.count).toBe(0)
    expect(problems).toEqual([{ line: 6, column: 1, message: expect.stringContaining('larger than 128 KB') }])
  })

  it('is refused before it is parsed when it is large and no plain list', async () => {
    const { file, write, open } = await shelf(onTestFinished)
    await write(']\n'.repeat(100_000))
    expect((await open(file)).problems).toMatchObject([{ message: expect.stringContaining('larger than 128 KB') }])
  })

  it('of many intents tells the place of the first mistake, and holds with keys that are not known', async () => {
    const { file, write, open } = await shelf(onTestFinished)
    const many = Array.from({ length: 3000 }, (_, i) => item(`INT-${i}`)).join('')
    await write(`active_intents:\n${many}  - id: x\n    name: x\n    colour: red\n`)
    const odd = await open(file)
    expect(odd.choice.count).toBe(3001)
    expect(odd.problems).toMatchObject([{ line: 12_004, message: expect.stringContaining('colour') }])
    await write(`active_intents:\n${many}  - id: x\n`)
    expect((await open(file)).problems).toMatchObject([{ line: 12_002, message: '`name` must be a text' }])
    await write(`active_intents:\n${many}${item('INT-7')}`)
    expect((await open(file)).problems).toMatchObject([{ line: 12_002, message: 'the id INT-7 is used twice' }])
  })

  it('survives a damaged cache', async ({ onTestFinished }) => {
    const { file, cache, write, open } = await shelf(onTestFinished)
    await write(`active_intents:\n${item('a')}`)
    await open(file)
    const [kept] = readdirSync(cache)
    await writeFile(join(cache, kept!), '{"version":1')
    expect((await intentBooks(cache)(file)).find('a')).toBeDefined()
  })

  it('says of any file exactly what reading it as a whole says', async ({ onTestFinished }) => {
    const { file, write, open } = await shelf(onTestFinished)
    const word = fc.stringMatching(/^[ -~äöü"':#\-*!&[\]{}]{1,12}$/)
    const intent = fc.record(
      {
        id: word,
        name: word,
        status: word,
        owned_scope: fc.array(word, { maxLength: 3 }),
        constraints: fc.oneof(word, fc.constant('one\n\n# two\n  three\n')),
      },
      { requiredKeys: ['id', 'name'] },
    )
    const layout = fc.record({ indentSeq: fc.boolean(), before: fc.constantFrom('', '# note\n', 'x: 1\n') })
    await fc.assert(
      fc.asyncProperty(fc.array(intent, { maxLength: 6 }), layout, async (intents, { indentSeq, before }) => {
        const text = before + stringify({ active_intents: intents }, { indentSeq, lineWidth: 0 })
        await write(text)
        const book = await open(file)
        expect({ intents: book.all(), problems: book.problems }).toEqual(readIntents(text))
      }),
      { numRuns: 150 },
    )
  })
})
