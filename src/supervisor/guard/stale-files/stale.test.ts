import { chmod, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'

const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ all: ['src/**'] }),
  'src/a.ts': 'export const a = 1\n',
  'src/b.ts': 'export const b = 1\n',
}
const [one, two] = [{ session: 's1' }, { session: 's2' }]

async function twoAgents(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, files)
  await stage.select('all', one)
  await stage.select('all', two)
  return stage
}

describe('the stale-file lock', () => {
  it('tells the second of two agents to read again, and nothing is lost', async ({ onTestFinished }) => {
    const { read, write, gate, text, dir } = await twoAgents(onTestFinished)
    await read('src/a.ts', one)
    await read('src/a.ts', two)
    expect(await write('src/a.ts', 'export const a = 1\nexport const one = 1\n', one)).toBe('written')
    expect(await gate('Write', { file_path: join(dir, 'src/a.ts'), content: 'x' }, two)).toMatchObject({
      code: 'stale_file',
      message: expect.stringContaining('src/a.ts'),
      suggestion: expect.stringContaining('Read the file again'),
    })
    await read('src/a.ts', two)
    expect(await write('src/a.ts', `${await text('src/a.ts')}export const two = 2\n`, two)).toBe('written')
    expect(await text('src/a.ts')).toBe('export const a = 1\nexport const one = 1\nexport const two = 2\n')
  })

  it('holds for a subagent and its parent, and for edits', async ({ onTestFinished }) => {
    const { read, edit } = await twoAgents(onTestFinished)
    const helper = { session: 's1', agent: 'a1' }
    await read('src/a.ts', one)
    await read('src/a.ts', helper)
    expect(await edit('src/a.ts', '= 1', '= 2', helper)).toBe('written')
    expect(await edit('src/a.ts', '= 2', '= 3', one)).toBe('stale_file')
    await read('src/a.ts', one)
    expect(await edit('src/a.ts', '= 2', '= 3', one)).toBe('written')
  })

  it('notices a person, and a command that overwrites', async ({ onTestFinished }) => {
    const { read, write, put, bash } = await twoAgents(onTestFinished)
    await read('src/a.ts', one)
    await put('src/a.ts', 'export const a = "by hand"\n')
    expect(await write('src/a.ts', 'x', one)).toBe('stale_file')
    expect(await bash('echo x > src/a.ts', undefined, one)).toBe('stale_file')
    expect(await bash('sed -i s/hand/HAND/ src/a.ts', undefined, one)).toBe('fine')
  })

  it('knows one’s own writes, however they were made', async ({ onTestFinished }) => {
    const { read, write, edit, bash, put } = await twoAgents(onTestFinished)
    await read('src/a.ts')
    expect(await write('src/a.ts', 'export const a = 2\n')).toBe('written')
    expect(await edit('src/a.ts', '= 2', '= 3')).toBe('written')
    expect(await bash('sed -i s/3/4/ src/a.ts', () => put('src/a.ts', 'export const a = 4\n'))).toBe('fine')
    expect(await bash('npm run codegen', () => put('src/a.ts', 'export const generated = 5\n'))).toBe('fine')
    expect(await write('src/a.ts', 'export const a = 6\n')).toBe('written')
  })

  it('is not alarmed by a formatter that ran after the write', async ({ onTestFinished }) => {
    const { read, write, put } = await twoAgents(onTestFinished)
    await read('src/a.ts')
    expect(await write('src/a.ts', "export const a = { x: 1, y: f('z') }\n")).toBe('written')
    await put('src/a.ts', 'export const a = {\n  x: 1,\n  y: f("z"),\n};\n')
    expect(await write('src/a.ts', 'export const a = 2\n')).toBe('written')
    // But a reader has read the exact text.
    await read('src/b.ts')
    await put('src/b.ts', 'export  const b = 1;\n')
    expect(await write('src/b.ts', 'x')).toBe('stale_file')
  })

  it('counts a part that was read for the whole file', async ({ onTestFinished }) => {
    const { read, write, put } = await twoAgents(onTestFinished)
    await put('src/a.ts', 'one\ntwo\nthree\n')
    await read('src/a.ts', { part: true })
    expect(await write('src/a.ts', 'x\n')).toBe('written')
    await put('src/a.ts', 'one\ntwo\nTHREE\n')
    expect(await write('src/a.ts', 'x\n')).toBe('stale_file')
  })

  it('takes a read that the disk had already overtaken for what it is', async ({ onTestFinished }) => {
    const { hook, write, dir } = await twoAgents(onTestFinished)
    const file = { content: 'older text\n', numLines: 2, startLine: 1, totalLines: 2 }
    const tool_input = { file_path: join(dir, 'src/a.ts') }
    await hook({ hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input, tool_response: { type: 'text', file } })
    expect(await write('src/a.ts', 'x')).toBe('stale_file')
  })

  it('handles files that come and go, and those that are no text', async ({ onTestFinished }) => {
    const { read, write, put, dir, hook } = await twoAgents(onTestFinished)
    await read('src/a.ts')
    await unlink(join(dir, 'src/a.ts'))
    expect(await write('src/a.ts', 'made again\n')).toBe('written')
    await read('src/b.ts')
    await unlink(join(dir, 'src/b.ts'))
    await put('src/b.ts', 'export const b = 1\n')
    expect(await write('src/b.ts', 'export const b = 2\n')).toBe('written')
    await unlink(join(dir, 'src/b.ts'))
    await put('src/b.ts', 'by somebody else\n')
    expect(await write('src/b.ts', 'x')).toBe('stale_file')

    const image = join(dir, 'src/logo.png')
    await writeFile(image, Buffer.from([0x89, 0x50, 0, 1, 2]))
    const seen = { hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: { file_path: image } }
    await hook({ ...seen, tool_response: { type: 'image', file: { base64: 'iVA=' } } })
    expect(await write('src/logo.png', 'x')).toBe('written')
    await hook({ ...seen, tool_response: { type: 'image', file: { base64: 'iVA=' } } })
    await writeFile(image, Buffer.from([0x89, 0x50, 0, 9, 9]))
    expect(await write('src/logo.png', 'x')).toBe('stale_file')
    expect(await write('src/never-read.ts', 'x')).toBe('written')
    await chmod(join(dir, 'src/a.ts'), 0o644)
  })

  it('lets only one of two through that ask at the same moment', async ({ onTestFinished }) => {
    const { read, gate, hook, dir, text } = await twoAgents(onTestFinished)
    const input = (content: string) => ({ file_path: join(dir, 'src/a.ts'), content })
    await read('src/a.ts', one)
    await read('src/a.ts', two)
    // Both stand at the gate; the first writes while the second waits for it.
    expect(await gate('Write', input('one\n'), { ...one, id: 'toolu_a' })).toBeUndefined()
    const second = gate('Write', input('two\n'), { ...two, id: 'toolu_b' })
    await writeFile(join(dir, 'src/a.ts'), 'one\n')
    const done = {
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: input('one\n'),
      tool_use_id: 'toolu_a',
    }
    await hook({ ...done, tool_response: { content: 'one\n', originalFile: files['src/a.ts'] } }, one)
    expect(await second).toMatchObject({ code: 'stale_file' })
    expect(await text('src/a.ts')).toBe('one\n')
  })
})
