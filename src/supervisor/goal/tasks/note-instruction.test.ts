import { expect, it, onTestFinished } from 'vitest'
import { heuristicJudge } from '#llm/heuristic.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { shell } from '../../../../test/support/shell.ts'
import { toolReader } from '../../action/tool-reader.ts'
import { bash, Engine, edit, postTool, SESSION } from '../../testing/engine.ts'

async function started() {
  const store = await openSqliteStore({ file: ':memory:' })
  onTestFinished(() => store.close())
  const engine = new Engine(store, heuristicJudge, { tools: toolReader(async () => shell) })
  const says = (prompt: string) => engine.hook({ hook_event_name: 'UserPromptSubmit', prompt })
  const tasks = async () => {
    await engine.supervisor.idle()
    return (await store.tasks.ofSession(SESSION)).map(({ goal, status }) => `${goal} (${status})`)
  }
  return { engine, says, tasks }
}

it('what is added in the middle of a turn belongs to the task, also where it shares no word with it', async () => {
  const { engine, says, tasks } = await started()
  await says('I want gzip for responses')
  await engine.hook(postTool(edit('src/lib.rs', '.layer(gzip)')))
  await says('brotli too. exclude /raw, curl users complained')
  expect(await tasks()).toEqual(['I want gzip for responses (active)'])
})

it('a limit in the middle of a turn holds for the task, and does not become what was asked for', async () => {
  const { engine, says, tasks } = await started()
  await says('watch mode: print a summary every 10 minutes')
  await engine.hook(postTool(edit('cmd/watch.go', 'time.NewTicker(10 * time.Minute)')))
  await says('btw text.go is being rewritten by Jo right now, so not in there')
  const after = await engine.hook(postTool(edit('pkg/output/text.go', 'func Summary() {}')))
  const told = after.hookSpecificOutput?.additionalContext
  expect(told).toContain('Asked for: “watch mode: print a summary every 10 minutes”')
  expect(told).toContain('text.go is being rewritten by Jo right now, so not in there')
  expect(await tasks()).toEqual(['watch mode: print a summary every 10 minutes (active)'])
})

it('“also …” in the middle of a turn ends with it', async () => {
  const { engine, says, tasks } = await started()
  await says('I want gzip for responses')
  await engine.hook(postTool(edit('src/lib.rs', '.layer(gzip)')))
  await says('also log the ratio, if that is quick')
  await engine.hook(postTool(edit('src/log.rs', 'ratio = bytes_out / bytes_in')))
  await engine.hook({
    hook_event_name: 'Stop',
    last_assistant_message: 'Responses are gzipped, and the ratio is logged.',
  })
  expect(await tasks()).toEqual(['I want gzip for responses (completed)'])
})

it('a detour in the middle of a turn takes nothing back of what was asked before', async () => {
  const { engine, says } = await started()
  await says('members should be able to extend a loan once')
  await engine.hook(postTool(edit('loans/services.py', 'def extend_loan(loan)')))
  await says("quick detour: the french texts have 'pret' without the accent, fix those, then go on")
  await engine.hook(postTool(edit('locale/fr/django.po', 'prêt')))
  for (const [path, text] of [
    ['loans/views.py', 'class LoanExtend(View)'],
    ['biblio/urls.py', 'LoanExtend.as_view()'],
    ['templates/loans/list.html', '<button>Extend</button>'],
  ] as const)
    expect((await engine.hook(postTool(edit(path, text)))).systemMessage ?? '').not.toContain('corrected')
})

it('a word that answers a question adds to what was asked', async () => {
  const { engine, says } = await started()
  await says('orders api has to be idempotent, clients retry')
  await says('header')
  await engine.hook(postTool(edit('app/api/orders/route.ts', "req.headers.get('Idempotency-Key')")))
  for (const [path, text] of [
    ['lib/stripe.ts', 'create(p, { idempotencyKey: key })'],
    ['README.md', 'Send `Idempotency-Key`.'],
  ] as const)
    expect((await engine.hook(postTool(edit(path, text)))).systemMessage ?? '').not.toContain('corrected')
})

it('what sets the task aside in the middle of a turn begins another one', async () => {
  const { engine, says, tasks } = await started()
  await says('I want gzip for responses')
  await engine.hook(postTool(edit('src/lib.rs', '.layer(gzip)')))
  await says('stop, wrong window. Both pollers must skip delivered parcels')
  expect(await tasks()).toHaveLength(2)
})

it('a file that is named by its name alone may be changed wherever it lies', async () => {
  const { engine, says } = await started()
  await says('make run_cv.py resume after a crash, checkpoint per fold')
  await engine.hook(postTool(edit('yieldlab/merge.py', 'return df.sort_values()')))
  const { systemMessage } = await engine.hook(postTool(edit('scripts/run_cv.py', 'for fold in pending(folds)')))
  expect(systemMessage).toBeUndefined()
})

it('a pattern of a command that holds a closed file breaks the limit', async () => {
  const { engine, says } = await started()
  await says('Use the cosine schedule in the configs. Do not touch configs/prod.yaml.')
  const { systemMessage } = await engine.hook(postTool(bash("sed -i 's/linear/cosine/' configs/*.yaml")))
  expect(systemMessage).toContain('configs/*.yaml`; you said: “Do not touch configs/prod.yaml”')
})

it('what a failed check names is seen to without a word, and what it does not name may be corrected', async () => {
  const goal = 'the header should be grey'
  const failing = { ...postTool(bash('npx tsc --noEmit')), hook_event_name: 'PostToolUseFailure', is_interrupt: false }
  const error = 'Exit code 1\nsrc/queue/worker.ts(3,1): error TS2304: Cannot find name Header'
  const strays = async (told: object[]) => {
    const { engine, says } = await started()
    await says(goal)
    await engine.hook(postTool(edit('src/ui/header.css', '.header { color: grey }')))
    for (const event of told) await engine.hook(event)
    const stray = { ...edit('src/queue/worker.ts'), name: 'Write' }
    stray.input = { file_path: '/repo/app/src/queue/worker.ts', content: 'export class Worker { start() {} }' }
    return (await engine.hook(postTool(stray))).systemMessage
  }
  expect(await strays([])).toContain('Grove corrected the agent')
  expect(await strays([{ ...failing, error }])).toBeUndefined()
})

it('words that give the work up begin another task, which is no part of it', async () => {
  const { engine, says, tasks } = await started()
  await says('translate the dashboard into French')
  await engine.hook(postTool(edit('dashboard/src/Plots.tsx', 'Parcelles')))
  await says('stop, do not touch the dashboard any more… fix the off by one in schedule.rs instead')
  expect(await tasks()).toHaveLength(2)
  const said = (await engine.hook(postTool(edit('dashboard/src/Map.tsx', 'Carte')))).systemMessage ?? ''
  expect(said).not.toContain('French')
})

it('a limit is no goal: the first words that name one make it', async () => {
  const { says, tasks } = await started()
  await says('From now on never change anything under migrations/.')
  await says('sort the plots by name')
  expect(await tasks()).toEqual(['sort the plots by name (active)'])
})

it('what is not to be deleted is missed when it is, and not when it is changed', async () => {
  const { engine, says } = await started()
  await says('Clean up analysis/: dead code, unused imports. Do not delete the fixtures, the auditors want them.')
  const told = async (call: Parameters<typeof postTool>[0]) => (await engine.hook(postTool(call))).systemMessage ?? ''
  expect(await told(edit('analysis/fixtures/winter.csv', 'kg'))).not.toContain('the fixtures')
  expect(await told(bash('rm analysis/fixtures/summer.csv'))).toContain('Do not delete the fixtures')
})

it('words after a resumption are what is asked for, as part of the work that they take up', async () => {
  const { engine, says, tasks } = await started()
  await says('Listeners should confirm their address. Only work in app/, nothing else.')
  await engine.hook(postTool(edit('app/models/listener.rb', 'scope :confirmed')))
  await engine.hook({ hook_event_name: 'Stop', last_assistant_message: 'Only confirmed listeners get mail.' })
  await engine.hook({ hook_event_name: 'SessionEnd', reason: 'other' })
  await says('and they should be able to leave again with one click')
  const after = await engine.hook(postTool(edit('config/routes.rb', 'resources :listeners')))
  expect(after.hookSpecificOutput?.additionalContext).toContain(
    'Asked for: “and they should be able to leave again with one click”, as part of “Listeners should confirm their address.”',
  )
  expect(await tasks()).toHaveLength(2)
})

it('a question that was answered is finished when the session ends', async () => {
  const { engine, says, tasks } = await started()
  await says('Why does CleanupJob delete drafts without telling anybody?')
  await engine.hook({
    hook_event_name: 'Stop',
    last_assistant_message: 'It runs every night and uses delete_all, which calls nothing.',
  })
  await engine.hook({ hook_event_name: 'SessionEnd', reason: 'other' })
  expect(await tasks()).toEqual(['Why does CleanupJob delete drafts without telling anybody? (completed)'])
})
