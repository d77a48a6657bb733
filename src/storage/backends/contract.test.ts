import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Learning } from '#core/learning/learning.ts'
import type { LearningBackend } from '#core/ports/learning.ts'
import { learningsFile } from '../files/learnings-md.ts'
import { inMemoryBackend } from '../testing/in-memory-backend.ts'
import { markdownBackend } from './markdown.ts'
import { mcpBackend } from './mcp.ts'
import { storeArguments, toolFor } from './mcp-tools.ts'
import { hasTotalRecall, totalRecallBackend } from './total-recall.ts'

const folders: string[] = []
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'grove-backend-'))
  folders.push(made)
  return made
}

const require = createRequire(import.meta.url)
const memoryServer = require.resolve('@modelcontextprotocol/server-memory/dist/index.js')
/** The public memory server, with a memory of its own. */
function memory(file = join(folder(), 'memory.jsonl')) {
  const command = ['env', `MEMORY_FILE_PATH=${file}`, process.execPath, memoryServer]
  const backend = mcpBackend({ command, timeoutMs: 20_000 })
  closing.push(backend.close)
  return backend
}

function recall() {
  const root = folder()
  mkdirSync(join(root, 'memory'))
  mkdirSync(join(root, 'rules'))
  writeFileSync(join(root, 'rules', 'total-recall.md'), '# Total Recall\n')
  return { root, backend: totalRecallBackend(root) }
}

const everyBackend: { name: string; open: () => LearningBackend }[] = [
  { name: 'in-memory', open: () => inMemoryBackend() },
  { name: 'markdown', open: () => markdownBackend(learningsFile(join(folder(), 'learnings.md'))) },
  { name: 'total-recall', open: () => recall().backend },
  { name: 'mcp', open: () => memory() },
]

const learning = (id: string, more: Partial<Learning> = {}): Learning => ({
  id: `lrn_${id}`,
  category: 'pitfall',
  summary: `Run the migrations before the ${id} script`,
  detail: 'It inserts into tables that "only" the migrations create: {a} \\ `b`\nand a second line.',
  scope: 'project',
  confidence: 'high',
  criteriaMet: ['behavior_changing'],
  tags: ['database', id],
  contextFiles: [`db/${id}.ts`],
  sessionId: 's1',
  ticketId: 'app-7',
  at: 1_700_000_000_000,
  status: 'active',
  ...more,
})
const none = { files: [], tags: [] }
const idsOf = (found: { learning: Learning }[]) => found.map(({ learning: { id } }) => id)

describe.each(everyBackend)('$name keeps learnings', ({ open }) => {
  it('and gives them back as they were', async () => {
    const backend = open()
    expect(await backend.search(none, {})).toEqual([])
    await backend.write(learning('seed'))
    await backend.write(learning('import', { at: 1_700_000_000_001 }))
    const found = await backend.search(none, { status: 'any' })
    expect(found.map((one) => one.learning)).toEqual(
      expect.arrayContaining([learning('seed'), learning('import', { at: 1_700_000_000_001 })]),
    )
    expect(await backend.ping()).toBe(true)
  })

  it('and finds those that fit the work at hand, best first', async () => {
    const backend = open()
    await backend.write(learning('seed'))
    await backend.write(learning('import', { tags: ['csv'], summary: 'Stream the csv import', contextFiles: [] }))
    expect(idsOf(await backend.search({ files: [], tags: ['csv'] }, {}))[0]).toBe('lrn_import')
    expect(idsOf(await backend.search({ files: ['db/seed.ts'], tags: [] }, {}))[0]).toBe('lrn_seed')
    const titled = await backend.search({ ...none, title: 'The migrations of the seed script' }, { maxResults: 1 })
    expect(idsOf(titled)).toEqual(['lrn_seed'])
    expect(titled[0]!.relevance).toBeGreaterThan(0)
  })

  it('and filters by scope and age', async () => {
    const backend = open()
    await backend.write(learning('old', { at: 5 }))
    await backend.write(learning('team', { scope: 'team' }))
    expect(idsOf(await backend.search(none, { createdAfter: 6 }))).toEqual(['lrn_team'])
    expect(idsOf(await backend.search(none, { scopes: ['project'] }))).toEqual(['lrn_old'])
  })
})

describe('total-recall', () => {
  it('is known by its folder and its rules', () => {
    expect(hasTotalRecall(recall().root)).toBe(true)
    expect(hasTotalRecall(folder())).toBe(false)
    for (const none of ['/dev/null', `/${'a'.repeat(4000)}`]) expect(hasTotalRecall(none)).toBe(false)
  })

  it('has each learning in its daily log as well, on one line, and passing ones only there', async () => {
    const { root, backend } = recall()
    await backend.write(learning('seed'))
    await backend.note(learning('today', { detail: 'one\ntwo <b>' }))
    const log = readFileSync(join(root, 'memory', 'daily', '2023-11-14.md'), 'utf8')
    expect(log).toContain('- 22:13 [learning] (pitfall) Run the migrations before the seed script: ')
    expect(log).toContain('one two \\<b> (lrn_today)')
    expect(log.trimEnd().split('\n')).toHaveLength(4)
    expect(idsOf(await backend.search(none, {}))).toEqual(['lrn_seed'])
    expect(readFileSync(join(root, 'memory', 'registers', '.gitattributes'), 'utf8')).toBe('learnings.md merge=union\n')
  })
})

describe('mcp', () => {
  it('keeps them in the server, for whoever connects next', async () => {
    const file = join(folder(), 'memory.jsonl')
    await memory(file).write(learning('seed'))
    expect(readFileSync(file, 'utf8')).toContain('grove-learning')
    expect(idsOf(await memory(file).search(none, {}))).toEqual(['lrn_seed'])
  })

  it('keeps the projects apart that share a server', async () => {
    const server = memory()
    await server.write(learning('seed'), 'github.com/team/shop')
    await server.write(learning('import'), 'github.com/team/site')
    expect(idsOf(await server.search(none, {}, 'github.com/team/shop'))).toEqual(['lrn_seed'])
    expect(idsOf(await server.search(none, {}, 'github.com/team/site'))).toEqual(['lrn_import'])
    expect(await server.search(none, {})).toHaveLength(2)
  })

  it('gives the server the variables that are named for it, and no others', async () => {
    const file = join(folder(), 'memory.jsonl')
    const script = `process.env.HIDDEN ? process.exit(1) : await import(${JSON.stringify(memoryServer)})`
    process.env.HIDDEN = 'x'
    const command = [process.execPath, '--input-type=module', '--eval', script]
    const backend = mcpBackend({ command, env: [`MEMORY_FILE_PATH=${file}`], timeoutMs: 20_000 })
    closing.push(backend.close, async () => void delete process.env.HIDDEN)
    await backend.write(learning('seed'))
    expect(readFileSync(file, 'utf8')).toContain('grove-learning')
  })

  it('leaves alone what others keep in the same memory', async () => {
    const file = join(folder(), 'memory.jsonl')
    const entity = {
      type: 'entity',
      name: 'x',
      entityType: 'grove-learning',
      observations: [
        'grove-learning:{"id":1}',
        'hello',
        `grove-learning:${JSON.stringify(learning('x', { at: 1e20 }))}`,
      ],
    }
    writeFileSync(file, `${JSON.stringify(entity)}\n`)
    expect(await memory(file).search(none, {})).toEqual([])
  })

  it('says what is wrong when the server is not there, and tries again the next time', async () => {
    const script = join(folder(), 'server.mjs')
    const backend = mcpBackend({ command: [process.execPath, script], timeoutMs: 5000 })
    closing.push(backend.close)
    await expect(backend.ping()).rejects.toThrow()
    await expect(backend.write(learning('x'))).rejects.toThrow()
    writeFileSync(
      script,
      `process.env.MEMORY_FILE_PATH = ${JSON.stringify(join(folder(), 'm.jsonl'))}\nawait import(${JSON.stringify(memoryServer)})\n`,
    )
    await backend.write(learning('x'))
    expect(idsOf(await backend.search(none, {}))).toEqual(['lrn_x'])
  })

  it('ends the server it started', async () => {
    const pidFile = join(folder(), 'pid')
    const script = join(folder(), 'server.mjs')
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid))\nprocess.env.MEMORY_FILE_PATH = ${JSON.stringify(join(folder(), 'm.jsonl'))}\nawait import(${JSON.stringify(memoryServer)})\n`,
    )
    const backend = mcpBackend({ command: [process.execPath, script], timeoutMs: 20_000 })
    await backend.ping()
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await backend.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('ends a server that never got to answering, without waiting for it', async () => {
    const pidFile = join(folder(), 'pid')
    const script = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1e6)`
    const backend = mcpBackend({ command: [process.execPath, '--eval', script], timeoutMs: 1e9 })
    const search = backend.search(none, {})
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\d/)
    await Promise.all([expect(search).rejects.toThrow(), backend.close()])
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH')
  })

  it('keeps the server when one of its tools fails', async () => {
    const [file, starts] = [join(folder(), 'memory.jsonl'), join(folder(), 'starts')]
    const script = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(starts)}, '+')\nawait import(${JSON.stringify(memoryServer)})`
    const command = [process.execPath, '--input-type=module', '--eval', script]
    const backend = mcpBackend({ command, env: [`MEMORY_FILE_PATH=${file}`], timeoutMs: 20_000 })
    closing.push(backend.close)
    mkdirSync(file)
    await expect(backend.search(none, {})).rejects.toThrow('EISDIR')
    rmSync(file, { recursive: true })
    expect(await backend.search(none, {})).toEqual([])
    expect(readFileSync(starts, 'utf8')).toBe('+')
  })

  it('needs a server to be named', async () => {
    await expect(mcpBackend({ command: [], timeoutMs: 1000 }).ping()).rejects.toThrow('backends.mcp.command')
  })

  it('recognises the tools of other memory servers, and takes the one that is named', () => {
    const tool = (name: string, ...properties: string[]) => ({
      name,
      inputSchema: { properties: Object.fromEntries(properties.map((property) => [property, { type: 'string' }])) },
    })
    const tools = [tool('ping'), tool('add_memory', 'content', 'tags'), tool('search_memories', 'query', 'limit')]
    expect(toolFor('store', tools).name).toBe('add_memory')
    expect(toolFor('search', tools).name).toBe('search_memories')
    expect(toolFor('store', tools, 'ping').name).toBe('ping')
    expect(storeArguments(tools[1]!, learning('a'))).toMatchObject({
      content: expect.stringContaining('"id":"lrn_a"'),
      tags: 'database,a',
    })
    expect(() => toolFor('store', [tool('list')])).toThrow('it offers list')
    expect(() => storeArguments(tool('remember', 'path'), learning('a'))).toThrow('takes path')
  })
})
