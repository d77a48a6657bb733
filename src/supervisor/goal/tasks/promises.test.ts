import { expect, it, onTestFinished } from 'vitest'
import type { Judge } from '#core/ports/judge.ts'
import type { ToolUse } from '#core/turn.ts'
import { heuristicJudge } from '#llm/heuristic.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { shell } from '../../../../test/support/shell.ts'
import { toolReader } from '../../action/tool-reader.ts'
import { bash, Engine, edit, postTool, SESSION, Talk } from '../../testing/engine.ts'

// What is promised about corrections and steps, one sentence each: see docs/understanding-checklist.md.

async function started(judge: Partial<Judge> = {}) {
  const store = await openSqliteStore({ file: ':memory:' })
  onTestFinished(() => store.close())
  const tools = toolReader(async () => shell)
  const engine = new Engine(store, { ...heuristicJudge, name: 'anthropic', ...judge }, { tools })
  const says = (prompt: string) => engine.hook({ hook_event_name: 'UserPromptSubmit', prompt })
  const does = async (use: ToolUse) => {
    const { systemMessage, hookSpecificOutput } = await engine.hook(postTool(use))
    return { line: systemMessage, words: hookSpecificOutput?.additionalContext }
  }
  return { store, engine, says, does }
}

const read = (file: string): ToolUse => ({
  id: `toolu_read_${file}`,
  name: 'Read',
  input: { file_path: `/repo/app/${file}` },
})

it('reading is never told to stop, wherever it looks', async () => {
  const { says, does } = await started()
  await says('The header should be grey. Do not touch src/mail.')
  await does(edit('src/ui/header.css', '.header { color: grey }'))
  for (const place of [
    'src/mail/send.ts',
    'src/queue/worker.ts',
    'db/schema.sql',
    'infra/main.tf',
    'src/mail/retry.ts',
  ])
    expect(await does(read(place))).toEqual({})
  expect(await does(bash('grep -rn queue src/mail && cat src/mail/send.ts'))).toEqual({})
})

it('trying something out in a temporary folder is no change, also where none is wanted', async () => {
  const { says, does } = await started()
  await says("does the parser handle wildcards? don't change anything, I am just curious")
  const probe: ToolUse = {
    id: 'toolu_probe',
    name: 'Write',
    input: { file_path: '/tmp/probe.py', content: 'print(1)' },
  }
  expect(await does(probe)).toEqual({})
  expect((await does(edit('src/parser.py', 'x = 1'))).words).toBeDefined()
})

it('what the user wants left as it is may not be put back either, though the agent has changed it', async () => {
  const { says, does } = await started()
  await says('the seed should run the readings migration as well')
  await does(edit('scripts/seed.sh', 'migrate readings'))
  await says('good, leave scripts/ exactly as it is now. next: a dry plot gets 15 minutes')
  await does(edit('core/watering.rs', 'minutes: 15'))
  expect((await does(bash('git checkout -- scripts/seed.sh'))).words).toContain('leave scripts/ exactly as it is now')
})

it('the way back names no file of the drift, nor one that only drifting actions touched', async () => {
  const { says, does } = await started()
  await says('The header should be grey')
  await does(edit('src/ui/header.css', '.header { color: grey }'))
  const all = []
  for (const name of ['worker', 'broker', 'topic', 'lease'])
    all.push(
      await does({
        id: `toolu_${name}`,
        name: 'Write',
        input: { file_path: `/repo/app/src/queue/${name}.ts`, content: `export class ${name} { publish() {} }` },
      }),
    )
  const now = all.map(({ words = '' }) => words.split('\n').at(-1)!).filter((line) => line.startsWith('Now:'))
  expect(now.length).toBeGreaterThan(1)
  for (const line of now) expect(line).toContain('Go on with src/ui/header.css.')
})

it('a step tells which correction it got, how firm, and what it was about', async () => {
  const { store, engine, says, does } = await started()
  await says('Why does the login accept blanks?')
  await does(edit('src/users/login.ts', 'name.trim().length > 0'))
  await engine.supervisor.idle()
  const [step] = await store.steps.recent(SESSION, 1)
  expect(step).toMatchObject({
    level: 'correct',
    correction: expect.stringContaining('asked for an answer, not for a change'),
    keywords: expect.arrayContaining(['login']),
    driftScore: 6,
  })
})

it('a judge’s reading of the instruction replaces that of the rules, limits included', async () => {
  const { store, engine } = await started({
    extractIntent: async () => ({ goal: 'Refresh tokens', expectedScope: [], constraints: [], keywords: ['token'] }),
  })
  const talk = new Talk(engine.supervisor).prompt('Fix the token refresh. Do not touch src/styles.')
  await talk.turn({ tools: [edit('src/auth/token.ts')] })
  expect(await store.tasks.current(SESSION)).toMatchObject({ goal: 'Refresh tokens', constraints: [] })
  await talk.turn({ tools: [edit('src/styles/theme.css')] })
  expect(engine.events.filter((event) => event.type === 'drift' && event.level === 'intervene')).toEqual([])
})

it.each([
  "sed -i 's/int/numeric/' db/schema.sql",
  'echo x | tee db/seed.sql',
  "cat > db/new.sql <<'X'\ncreate table x;\nX",
  'rm -rf db',
  'npx jscodeshift -t mods/round.ts db',
  'npx prettier --write db src',
  "sed -i 's/int/numeric/' db/*.sql",
  "find db -name '*.sql' -exec sed -i 's/int/numeric/' {} +",
  "grep -rl int db | xargs sed -i 's/int/numeric/'",
  'for f in db/*.sql; do sed -i s/int/numeric/ "$f"; done',
  "sed -i 's/int/numeric/' $(git grep -l int -- db)",
  'tar xzf seeds.tgz -C db',
  'unzip -o seeds.zip -d db',
])('a shell command that changes or removes is answered as the write that it is: %s', async (command) => {
  const { says, does } = await started()
  await says('Round totals to cents. Keep your hands off db/.')
  await does(edit('src/orders/total.ts', 'Math.round(total * 100) / 100'))
  expect((await does(bash(command))).line).toContain('Keep your hands off db/')
})

it.each([
  "sed -i 's/floor/round/' src/orders/*.ts",
  "git grep -l floor -- src/orders | xargs sed -i 's/floor/round/'",
  'grep -rl int db | xargs grep -n numeric',
  'for f in db/*.sql; do sqlfluff lint "$f"; done',
  'cp db/*.sql /tmp/',
  'tar czf /tmp/db.tgz db',
])('a command that leaves a closed folder as it is goes against nothing: %s', async (command) => {
  const { engine, says, does } = await started()
  await says('Round totals to cents. Keep your hands off db/.')
  await does(edit('src/orders/total.ts', 'Math.round(total * 100) / 100'))
  await does(bash(command))
  expect(engine.events.filter(({ type }) => type === 'drift')).toEqual([])
})

it('a pattern that does not tell the kind of its files may be of the kind that is open', async () => {
  const { engine, says, does } = await started()
  await says('teal instead of blue, only the css files please')
  await does(edit('web/page.css', '.page { color: teal }'))
  await does(bash("grep -rl blue web | xargs sed -i 's/blue/teal/'"))
  expect(engine.events.filter(({ type }) => type === 'drift')).toEqual([])
})

it('a reset throws away what was not committed, and is told so', async () => {
  const { says, does } = await started()
  await says('page size 50 please')
  expect((await does(bash('git reset --hard'))).line).toContain('threw away what was not committed')
})

it('a closed place that the agent has strayed into may be put back as it was', async () => {
  const { says, does } = await started()
  await says('Round totals to cents. Keep your hands off db/.')
  await does(edit('src/orders/total.ts', 'Math.round(total * 100) / 100'))
  expect((await does(edit('db/schema.sql', 'total numeric(9, 2)'))).line).toContain('Keep your hands off db/')
  expect(await does(bash('git checkout db/schema.sql'))).toEqual({})
})

it('who was asked to hand the work over is corrected for going on with something else', async () => {
  const { says, does } = await started()
  await says('the parking fee ignores half hours')
  await does(edit('src/fees.ts', 'Math.ceil(minutes / 30)'))
  await says('great, commit and push it')
  expect(await does(bash('git commit -am "Count half hours" && git push'))).toEqual({})
  expect(await does(edit('src/fees.ts', 'Math.ceil(minutes / 30.0)'))).toEqual({})
  expect((await does(edit('src/receipt.ts', 'fee.toFixed(2)'))).line).toContain(
    'no more than “great, commit and push it”',
  )
  await says('ok')
  expect(await does(edit('src/fees-table.ts', 'halfHour: 2'))).toEqual({})
})

it.each([
  ['more was asked for', 'commit it, then round the fee on the receipt', []],
  ['it met trouble', 'commit and push', ['git push']],
  ['nothing is handed over yet', 'commit and push', undefined],
])('going on is no drift where %s', async (_, words, failing) => {
  const { engine, says, does } = await started()
  await says('the parking fee ignores half hours')
  await does(edit('src/fees.ts', 'Math.ceil(minutes / 30)'))
  await says(words)
  if (failing) await does(bash('git commit -am "Count half hours"'))
  for (const command of failing ?? [])
    await engine.hook({ ...postTool(bash(command)), hook_event_name: 'PostToolUseFailure', is_interrupt: false })
  expect(await does(edit('src/fee-receipt.ts', 'fee.toFixed(2)'))).toEqual({})
})
