import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { TraceRecord } from '#core/trace/record.ts'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'
import { select } from '../intents/select-intent.ts'

const published = z.fromJSONSchema(
  JSON.parse(await readFile(new URL('../../../../test/schemas/agent-trace-0.1.0.json', import.meta.url), 'utf8')),
)
const code = 'export function add(a: number, b: number) {\n  return a + b\n}\n'
const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ 'INT 1/ä': ['src/**'] }),
  'src/add.ts': code,
  'src/notes.md': '# Notes\n',
}

async function traced(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, files)
  await stage.select('INT 1/ä')
  const grove = (record: TraceRecord | undefined) => record!.metadata!['dev.grove']!
  const ranges = (record: TraceRecord | undefined) =>
    record!.files[0]!.conversations[0]!.ranges.map(({ start_line, end_line }) => [start_line, end_line])
  return { ...stage, grove, ranges }
}

describe('the trace', () => {
  it('conforms to the published record for every kind of change', async ({ onTestFinished }) => {
    const { write, edit, bash, put, hook, trace, dir } = await traced(onTestFinished)
    await write('src/new.ts', code)
    await edit('src/add.ts', 'a + b', 'b + a')
    await bash('rm src/new.ts', () => writeFile(join(dir, 'src/new.ts'), ''))
    await bash('make', async () => {
      await put('src/made.ts', 'x\n')
      await writeFile(join(dir, 'src/logo.png'), Buffer.from([0, 1, 2]))
      await put('outside.txt', 'x\n')
    })
    const notebook = { notebook_path: join(dir, 'src/n.ipynb'), new_source: 'print(2)' }
    await put('src/n.ipynb', '{"cells": [2]}')
    await hook({
      hook_event_name: 'PostToolUse',
      tool_name: 'NotebookEdit',
      tool_input: notebook,
      tool_response: { original_file: '{"cells": [1]}', updated_file: '{"cells": [2]}' },
    })
    const records = await trace()
    expect(records).toHaveLength(6)
    for (const record of records) {
      expect(published.safeParse(record).error).toBeUndefined()
      expect(record.version).toBe('0.1.0')
      expect(record.files[0]!.conversations[0]!.related).toEqual([
        { type: 'specification', url: 'urn:grove:intent:INT%201%2F%C3%A4' },
      ])
    }
    expect(new Set(records.map(({ id }) => id)).size).toBe(6)
  })

  it('has the real lines of an edit, and hashes that do not depend on where they stand', async ({ onTestFinished }) => {
    const { write, edit, trace, ranges } = await traced(onTestFinished)
    await edit('src/add.ts', '  return a + b\n', '  const sum = a + b\n  return sum\n')
    await write('src/other.ts', '// one\n// two\n  const sum = a + b\n  return sum\n')
    await write('src/other.ts', '// one\n// two\n  const sum = a + b\n  return sum\n// three\n')
    const [edited, created, extended] = await trace()
    expect(ranges(edited)).toEqual([[2, 3]])
    expect(ranges(created)).toEqual([[1, 4]])
    expect(ranges(extended)).toEqual([[5, 5]])
    const [hash] = edited!.files[0]!.conversations[0]!.ranges.map(({ content_hash }) => content_hash)
    await write('src/third.ts', '  const sum = a + b\n  return sum\n')
    expect((await trace()).at(-1)!.files[0]!.conversations[0]!.ranges[0]!.content_hash).toBe(hash)
  })

  it('has the lines of every place that an edit has replaced, whatever the line ends', async ({ onTestFinished }) => {
    const { hook, put, trace, ranges, dir } = await traced(onTestFinished)
    const input = { file_path: join(dir, 'src/add.ts'), old_string: 'a', new_string: 'z', replace_all: true }
    const done = { hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: input }
    const said = { oldString: 'a', newString: 'z', replaceAll: true }
    await put('src/add.ts', 'z\r\nb\r\nz')
    await hook({ ...done, tool_response: { ...said, originalFile: 'a\r\nb\r\na' } })
    expect(ranges((await trace()).at(-1))).toEqual([
      [1, 1],
      [3, 3],
    ])
  })

  it('claims no line of a file of which nobody knows what it said before', async ({ onTestFinished }) => {
    const { hook, trace, ranges, grove, dir } = await traced(onTestFinished)
    const input = { file_path: join(dir, 'src/add.ts'), old_string: 'a', new_string: 'b' }
    for (const tool_response of ['done', { oldString: 'a', newString: 'b' }]) {
      await hook({ hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: input, tool_response })
      const record = (await trace()).at(-1)
      expect(ranges(record)).toEqual([])
      expect(grove(record).files[0]).toMatchObject({ change: 'modify', mutation_class: 'INTENT_EVOLUTION' })
    }
  })

  it('takes an edit back to know what was there before, where its words stand in one place only', async ({
    onTestFinished,
  }) => {
    const { hook, put, trace, ranges, dir } = await traced(onTestFinished)
    const input = { file_path: join(dir, 'src/add.ts'), old_string: 'a + b', new_string: 'b + a' }
    await put('src/add.ts', code.replace('a + b', 'b + a'))
    await hook({ hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: input, tool_response: 'done' })
    expect(ranges((await trace()).at(-1))).toEqual([[2, 2]])
  })

  it('takes a move for a move: the lines stay with whoever wrote them', async ({ onTestFinished }) => {
    const { bash, trace, grove, dir } = await traced(onTestFinished)
    await bash('git mv src/add.ts src/sum.ts', () => rename(join(dir, 'src/add.ts'), join(dir, 'src/sum.ts')))
    const record = (await trace()).at(-1)!
    expect(record.files.map(({ path, conversations }) => [path, conversations[0]!.ranges])).toEqual([
      ['src/add.ts', []],
      ['src/sum.ts', []],
    ])
    expect(grove(record)).toMatchObject({ mutation_class: 'AST_REFACTOR', files: [{ why: 'moved to src/sum.ts' }, {}] })
  })

  it('does not take a new picture for a refactoring', async ({ onTestFinished }) => {
    const { bash, trace, grove, dir } = await traced(onTestFinished)
    await bash('make', () => writeFile(join(dir, 'src/logo.png'), Buffer.from([0, 1, 2])))
    expect(grove((await trace()).at(-1))).toMatchObject({
      mutation_class: 'INTENT_EVOLUTION',
      files: [{ why: 'no text' }],
    })
  })

  it('computes the class of a change, and compares it with what the agent declared', async ({ onTestFinished }) => {
    const { world, guardedProject, edit, write, trace, grove } = await traced(onTestFinished)
    await select(world, guardedProject, { sessionId: 's1' }, 'INT 1/ä', 'AST_REFACTOR')
    await edit('src/add.ts', '(a: number, b: number) {\n  return a + b', '(x: number, y: number) {\n  return x + y')
    await edit('src/add.ts', 'x + y', 'x - y')
    await write('src/notes.md', '# Notes\n\nMore.\n')
    const records = (await trace()).map(grove)
    expect(records[0]).toMatchObject({
      mutation_class: 'AST_REFACTOR',
      declared_mutation_class: 'AST_REFACTOR',
      mutation_class_agrees: true,
      files: [{ language: 'typescript' }],
    })
    expect(records[1]).toMatchObject({ mutation_class: 'INTENT_EVOLUTION', mutation_class_agrees: false })
    expect(records[2]).toMatchObject({ mutation_class: 'INTENT_EVOLUTION' })
  })

  it('knows session, call, subagent, model and commit', async ({ onTestFinished }) => {
    const { hook, home, dir, git, put, trace, grove } = await traced(onTestFinished)
    const transcript = join(home, 's1.jsonl')
    const line = (model: string) => `{"message":{"id":"m","type":"message","role":"assistant","model":"${model}"}}\n`
    await writeFile(transcript, line('claude-opus-4-8[1m]') + line('<synthetic>'))
    await put(join(home, 's1/subagents/agent-a1.jsonl'), line('claude-haiku-4-5'))
    const done = {
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: join(dir, 'src/add.ts'), content: code },
      tool_response: { content: code, originalFile: '' },
      transcript_path: transcript,
    }
    await hook({ ...done, tool_use_id: 'toolu_x' })
    await hook({ ...done, tool_use_id: 'toolu_y' }, { agent: 'a1' })
    const [main, helper] = await trace()
    const contributor = (record: TraceRecord | undefined) => record!.files[0]!.conversations[0]!.contributor
    expect(main!.vcs).toEqual({ type: 'git', revision: await git('rev-parse', 'HEAD') })
    expect(contributor(main)).toEqual({ type: 'ai', model_id: 'anthropic/claude-opus-4-8' })
    expect(contributor(helper)).toEqual({ type: 'ai', model_id: 'anthropic/claude-haiku-4-5' })
    expect(grove(main)).toMatchObject({ session: 's1', tool_use_id: 'toolu_x' })
    expect(grove(helper)).toMatchObject({ session: 's1', agent: 'a1', tool_use_id: 'toolu_y' })
  })

  it('follows a formatter that was faster, and keeps secrets out', async ({ onTestFinished }) => {
    const { hook, bash, put, trace, ranges, grove, dir } = await traced(onTestFinished)
    await put('src/f.ts', 'f(\n  1,\n  2,\n);\n')
    await hook({
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: join(dir, 'src/f.ts'), content: 'f(1, 2)\n' },
      tool_response: { content: 'f(1, 2)\n', originalFile: null },
    })
    const key = `sk-ant-api03-${'Ab3dEf6hIj9'.repeat(9)}`
    await bash(`KEY=${key} make`, () => put('src/g.ts', 'g()\n'))
    const [formatted, made] = await trace()
    expect(ranges(formatted)).toEqual([[1, 4]])
    expect(grove(made).command).toContain('make')
    expect(JSON.stringify(made)).not.toContain(key)
  })
})
