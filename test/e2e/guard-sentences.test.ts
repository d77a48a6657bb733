import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Scenario } from '../../src/simulator/schema.ts'
import { grove, type Place, place, withBinary } from '../cli/grove.ts'
import { runClaude } from '../support/claude.ts'
import { contains, resultsOf, use } from '../support/guard-stage.ts'
import { createProject } from '../support/project.ts'
import { refusalIn } from '../support/refusals.ts'
import { simulatorOf, story } from '../support/story.ts'

// What the guard promises, tried with the real client where no other test of this folder does; docs/guard-checklist.md says
// which is which.

withBinary()

const bash = (command: string, more: object = {}) => use('Bash', { command, description: 'Work', ...more })
const intents = (id: string, scope: string) =>
  `active_intents:\n  - id: ${id}\n    name: Work\n    status: in_progress\n    owned_scope: [${scope}]\n`
/** In numbers, so that nobody can read beforehand what it writes. */
const writer = (path: string) =>
  `require('fs').appendFileSync(String.fromCharCode(${[...path].map((char) => char.charCodeAt(0))}), '# more\\n')\n`

type WhenFinished = (work: () => Promise<void>) => void

async function client(whenFinished: WhenFinished, cwd: string, at: Place, ...replies: object[]) {
  // What it is told at the end, and what ran in the background, may make it go on for a turn.
  const scenario = { ...story(...replies, { text: 'Done.' }), default: { text: 'Done.' } } as Scenario
  const simulator = await simulatorOf(whenFinished, scenario, cwd)
  const env = { GROVE_HOME: at.home, MCP_CONNECTION_NONBLOCKING: '0' }
  const run = await runClaude({
    ...{ baseUrl: simulator.url, prompt: 'Go', cwd, home: at.env.HOME!, env, timeoutMs: 170_000 },
  })
  const asked = simulator.requests.filter(({ method }) => method === 'POST')
  return {
    run,
    results: resultsOf(run),
    told: (words: string) => asked.some(({ body }) => body.includes(words)),
    asked,
  }
}

it('is held to the three classes of command, to what patches and settings would change, to other projects, and in the background', async ({
  onTestFinished,
}) => {
  const other = await createProject({
    '.orchestration/active_intents.yaml': intents('OTHER-1', '"src/**"'),
    'src/a.ts': 'export const a = 1\n',
  })
  onTestFinished(other.remove)
  const project = await createProject({
    '.orchestration/active_intents.yaml': intents('INT-001', '"src/**"'),
    '.gitignore': 'dist/\n',
    'package.json': '{ "scripts": { "test": "mkdir -p dist && echo 1 > dist/report" } }\n',
    'README.md': '# Readme\n',
    'outside.patch': '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Readme\n+# Other\n',
    'later.cjs': writer('README.md'),
    'rules.cjs': writer('.orchestration/active_intents.yaml'),
  })
  onTestFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  await grove(at, 'init')
  await writeFile(join(at.home, 'config.toml'), '[guard]\napproval_wait_seconds = 2\ntemporary = []\n')

  const { results, told, asked } = await client(
    onTestFinished,
    project.dir,
    at,
    bash('npm test'),
    bash('git push origin main'),
    use('mcp__grove__select_active_intent', { intent_id: 'INT-001' }),
    bash('git apply outside.patch'),
    bash('git remote add backup https://example.invalid/x.git'),
    bash(`echo x > ${other.dir}/src/a.ts`),
    bash('git branch aside && git branch -D aside && git branch side'),
    bash('node later.cjs && mkdir -p dist && touch dist/later', { run_in_background: true }),
    bash('until [ -e dist/later ]; do sleep 0.05; done'),
    bash('node rules.cjs'),
    bash('echo "export {}" > src/b.ts'),
  )
  // The tools are there from the first request on.
  expect(asked[0]!.body.toString()).toContain('mcp__grove__select_active_intent')
  expect(results[0]).not.toContain('intent_required')
  expect(refusalIn(results[1])).toMatchObject({ code: 'user_rejected' })
  expect(refusalIn(results[3])).toMatchObject({ code: 'scope_violation', message: contains('README.md') })
  expect(refusalIn(results[4])).toMatchObject({ code: 'scope_violation', message: contains('.git/config') })
  expect(refusalIn(results[5])).toMatchObject({ code: 'intent_not_found', suggestion: contains('OTHER-1') })
  expect(told('New in the repository since Bash ran: branch side.')).toBe(true)
  expect(told('Files outside the scope of intent INT-001 changed while Bash ran: README.md')).toBe(true)
  expect(refusalIn(results[10])).toMatchObject({
    code: 'scope_violation',
    message: contains('nothing else may be written until they are restored: .orchestration/active_intents.yaml'),
  })
  // Nobody has to answer blind what was asked meanwhile.
  expect((await grove(at, 'intent', 'approve')).stdout).toContain('Bash: git push origin main')
  const [push] = JSON.parse((await grove(at, 'intent', 'approve', '--json')).stdout).approvals.filter(
    ({ what }: { what: string }) => what.includes('git push'),
  )
  expect(push.detail).toContain('Reaches outside the working tree: git push')
})

it('is told what its command in the background does after the turn has ended', async ({ onTestFinished }) => {
  // A hook of the person's own that takes longer than Grove's.
  const atEnd = { type: 'command', command: 'sleep 2; touch "$CLAUDE_PROJECT_DIR/.git/turn-is-over"' }
  const project = await createProject({
    '.claude/settings.json': JSON.stringify({ hooks: { Stop: [{ hooks: [atEnd] }] } }),
    '.orchestration/active_intents.yaml': intents('INT-001', '"src/**"'),
    'README.md': '# Readme\n',
    'later.cjs': writer('README.md'),
  })
  onTestFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  await grove(at, 'init')
  const { told } = await client(
    onTestFinished,
    project.dir,
    at,
    use('mcp__grove__select_active_intent', { intent_id: 'INT-001' }),
    bash('until [ -e .git/turn-is-over ]; do sleep 0.05; done; node later.cjs', { run_in_background: true }),
  )
  expect(await readFile(join(project.dir, 'README.md'), 'utf8')).toContain('# more')
  expect(told('Files outside the scope of intent INT-001 changed while Bash ran: README.md')).toBe(true)
})

it('tells who wrote which line, and the share of agents, where nobody has declared anything', async ({
  onTestFinished,
}) => {
  const project = await createProject({ 'src/a.ts': 'export const a = 1\n' })
  onTestFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  await grove(at, 'init')
  const edit = { file_path: '{{cwd}}/src/a.ts', old_string: 'a = 1', new_string: 'a = 1\nexport const b = 2' }
  const { run } = await client(
    onTestFinished,
    project.dir,
    at,
    use('Read', { file_path: '{{cwd}}/src/a.ts' }),
    use('Edit', edit),
    bash('echo "export const c = 3" >> src/a.ts'),
  )
  await writeFile(
    join(project.dir, 'src/a.ts'),
    `${await readFile(join(project.dir, 'src/a.ts'), 'utf8')}export const d = 4\n`,
  )
  await project.git('commit', '-qam', 'both')

  const { lines } = JSON.parse((await grove(at, 'trace', 'blame', 'src/a.ts', '--json')).stdout)
  const agent = { origin: { session: run.sessionId } }
  expect(lines).toMatchObject([{ origin: null }, agent, agent, { origin: null }])
  const { commits } = JSON.parse((await grove(at, 'trace', 'stats', 'HEAD~1..HEAD', '--json')).stdout)
  expect(commits).toMatchObject([{ agentLines: 2, humanLines: 1, sessions: [{ session: run.sessionId, lines: 2 }] }])
})

it('leaves a ledger that merges with another branch, keeps the authors, and shows what was changed in it', async ({
  onTestFinished,
}) => {
  const project = await createProject({
    '.orchestration/active_intents.yaml': `${intents('INT-001', '"src/one/**"')}${intents('INT-002', '"src/two/**"').split('\n').slice(1).join('\n')}`,
  })
  onTestFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  await grove(at, 'init')
  for (const [branch, id] of [
    ['one', 'INT-001'],
    ['two', 'INT-002'],
  ]) {
    await project.git('switch', '-qc', branch!, 'main')
    const content = `export const ${branch} = 1\n`
    await client(
      onTestFinished,
      project.dir,
      at,
      use('mcp__grove__select_active_intent', { intent_id: id }),
      use('Write', { file_path: `{{cwd}}/src/${branch}/a.ts`, content }),
    )
    await project.git('add', '-A')
    await project.git('commit', '-qm', `Work on ${branch}`)
  }
  await project.git('merge', '-q', '--no-edit', 'one')

  for (const [branch, intent] of Object.entries({ one: 'INT-001', two: 'INT-002' })) {
    const { lines } = JSON.parse((await grove(at, 'trace', 'blame', `src/${branch}/a.ts`, '--json')).stdout)
    expect(lines).toMatchObject([{ origin: { intent } }])
  }
  expect((await grove(at, 'trace', 'verify')).code).toBe(0)
  const ledger = join(project.dir, '.orchestration', 'agent_trace.jsonl')
  await writeFile(ledger, (await readFile(ledger, 'utf8')).replace('src/one/a.ts', 'src/one/b.ts'))
  expect((await grove(at, 'trace', 'verify')).code).toBe(1)
})
