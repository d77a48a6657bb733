import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { memoryOfCommit } from '../../src/core/memory/import-commit.ts'
import { episodesOf, memoryOfEpisode } from '../../src/core/memory/import-transcript.ts'
import type { Memory } from '../../src/core/memory/memory.ts'
import { openWorld } from '../../src/daemon/compose/world.ts'
import { openLog } from '../../src/daemon/process/log.ts'
import { readHookEvent } from '../../src/protocol/hook-event.ts'
import { handleHook } from '../../src/supervisor/handle-hook.ts'
import { editMemory } from '../../src/supervisor/memory/catalogue.ts'
import { exportLines, importLines } from '../../src/supervisor/memory/import-lines.ts'
import { emptyReport, keepAll } from '../../src/supervisor/memory/import-report.ts'
import { rememberWork } from '../../src/supervisor/memory/remember.ts'
import { secretSamples } from '../corpus/secrets/secrets.ts'
import { tempHome } from '../support/home.ts'
import { createProject } from '../support/project.ts'
import { shell } from '../support/shell.ts'

// Every secret of the corpus goes in by every way; none may be found in the home folder afterwards.

const samples = secretSamples(11)

it('no secret that was said, done, committed or imported is found in the home folder', async ({ onTestFinished }) => {
  const home = await tempHome(onTestFinished)
  const config = loadConfig({ env: { GROVE_HOME: home }, cwd: home })
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const opened = openWorld({ config, log })
  const [store, world] = await Promise.all([opened.store(), opened.memory()])

  for (const [n, { text }] of samples.entries()) {
    const memory = memoryWith(text, n)
    if (n % 10 === 0) await rememberWork(world, { ...memory, id: `live-${n}` })
    await keepAll(store.memories, [fromCommit(text, n), ...fromTranscript(text, n)], emptyReport())
  }
  await importLines(store.memories, lines(), { projectId: 'p' })
  const [first] = await store.memories.list('p', { limit: 1 })
  await editMemory(world, first!.id, {
    goal: samples[0]!.text,
    constraints: samples.slice(0, 50).map(({ text }) => text),
  })
  await world.indexes.catchUp()
  expect(await store.memories.count('p')).toBeGreaterThan(samples.length)

  const file = join(home, 'export.jsonl')
  let exported = ''
  for await (const line of exportLines(store.memories)) exported += line
  writeFileSync(file, exported)
  await opened.close()
  expect(foundIn(home)).toEqual([])
})

it('no secret that an agent was told, wrote or ran is found in the home folder, its log included', async ({
  onTestFinished,
}) => {
  const home = await tempHome(onTestFinished)
  const project = await createProject()
  onTestFinished(project.remove)
  const config = loadConfig({ env: { GROVE_HOME: home, DEBUG: '1' }, cwd: home })
  const log = openLog(config, () => {})
  const world = openWorld({ config, log })
  const [store, parts] = await Promise.all([world.store(), world.hookParts()])
  const cwd = project.dir
  // Each goes in by four ways, so three of every kind will do.
  for (const [n, { text }] of secretSamples(11, 3).entries()) {
    const hook = (hook_event_name: string, more: object) =>
      handleHook(parts, readHookEvent({ hook_event_name, session_id: `s${n % 20}`, cwd, ...more }), log)
    const tool = (name: string, tool_input: object) =>
      hook('PostToolUse', { tool_use_id: `${name}-${n}`, tool_name: name, tool_input, tool_response: { stdout: text } })
    await hook('UserPromptSubmit', { prompt: `New task: repair the deployment in src/deploy-${n}.ts. ${text}` })
    await tool('Write', { file_path: join(cwd, `src/deploy-${n}.ts`), content: text })
    await tool('Bash', { command: `deploy --now && ${text}` })
    await hook('Stop', { last_assistant_message: `Task complete: src/deploy-${n}.ts failed because ${text}` })
    log.warn({ err: new Error(text) }, `something failed: ${text}`)
  }
  expect(await store.memories.list(undefined, { limit: 1_000 })).not.toEqual([])
  await world.close()
  log.close()
  expect(readdirSync(join(home, 'logs'))).toContain('grove.log')
  expect(foundIn(home)).toEqual([])
})

/** Which samples can be read in any file of the folder. */
function foundIn(home: string) {
  const everything = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)))
  return samples.filter(({ secret }) => everything.some((bytes) => bytes.includes(secret)))
}

function memoryWith(text: string, n: number): Memory {
  return {
    id: `m${n}`,
    projectId: 'p',
    instruction: text,
    goal: text,
    reasoningTrace: [text, `It failed because of ${text}`],
    decisions: [{ choice: text, reason: text }],
    constraints: [text],
    files: ['src/a.ts', text],
    tags: [text],
    user: text,
    updatedBy: text,
    branch: text,
    linkedCommit: text,
    parentId: text,
    sessionId: text,
    supersededBy: text,
    status: 'complete',
    trigger: 'complete',
    createdAt: n,
  }
}

async function* lines() {
  for (const [n, { text }] of samples.entries()) yield JSON.stringify({ ...memoryWith(text, n), id: `line-${n}` })
}

function fromCommit(text: string, n: number): Memory {
  const commit = {
    sha: String(n),
    author: 'Ada',
    at: n,
    title: `Explain ${text}`,
    body: `${text}\n\n- ${text}`,
    files: ['a.ts'],
  }
  return memoryOfCommit(commit, 'p', `git-${n}`)
}

function fromTranscript(text: string, n: number): Memory[] {
  const episodes = episodesOf(
    's',
    [
      { said: 'prompt', content: `Fix the deployment. ${text}`, at: n, cwd: '/p', key: String(n) },
      { said: 'tool', id: 't', name: 'Write', input: { file_path: '/p/src/a.ts', content: text } },
      { said: 'tool', id: 'u', name: 'Bash', input: { command: `deploy --now && ${text}` } },
      { said: 'text', text: `I fixed src/a.ts because ${text}\nThe value must be ${text}` },
    ],
    shell,
  )
  return episodes.flatMap(
    (episode) => memoryOfEpisode(episode, { id: `log-${n}`, projectId: 'p', sessionId: 's' }) ?? [],
  )
}
