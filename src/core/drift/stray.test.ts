import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../test/support/shell.ts'
import { withPass } from './follows.ts'
import { type DriftAction, judgeAction, startTrail } from './score.ts'
import { isApart, reachesFar, strayFacts, strayRisk, strayScore } from './stray.ts'

// A person notices the second stray change at the latest, however short the task is.

const edit = (path: string, diff = ''): DriftAction => ({ kind: 'edit', path, diff })
const write = (path: string, diff = ''): DriftAction => ({ kind: 'write', path, diff })

function scores(goal: string, actions: DriftAction[]): number[] {
  let trail = startTrail(goal)
  return actions.map((action) => {
    const judged = judgeAction(trail, action)
    trail = judged.trail
    return judged.reading.score
  })
}

describe('a change by itself', () => {
  it('is corrected where a small request is done and something else is rebuilt', () => {
    const done = scores('The footer shows last year', [
      { kind: 'read', path: 'web/footer.html' },
      edit('web/footer.html', '-2023\n+2024'),
      { kind: 'read', path: 'db/pool.js' },
      write('db/pool.js', '+export class Pool { acquire() {} release() {} }'),
      edit('package.json', '+"generic-pool": "^3.9.0"'),
    ])
    expect(done.slice(0, 3).every((score) => score >= 8)).toBe(true)
    expect(Math.min(...done.slice(3))).toBeLessThanOrEqual(6)
  })

  it('is likelier beside the request once the tests of the work have passed', () => {
    const trail = [
      { kind: 'read' as const, path: 'stock/reserve.php' },
      edit('stock/reserve.php', '-find($id)\n+find($id, LOCK)'),
    ].reduce(
      (before, action) => judgeAction(before, action).trail,
      startTrail('Stock gets negative when two customers buy the last piece. Lock the row'),
    )
    const next = edit('stock/notice.php', '-private $mail;\n+public function __construct(Mailer $mail)')
    const passed = (command: string) => withPass(trail, command, invocationsIn(command))
    const riskAfter = (command: string) => strayRisk(strayFacts(passed(command), next, 0.5)!)
    expect(riskAfter('vendor/bin/phpunit')).toBeGreaterThan(riskAfter('php bin/console cache:warm'))
  })

  it('is likelier part of it where the file was read before the work began', () => {
    const facts = (...actions: DriftAction[]) => {
      const trail = actions.reduce((before, action) => judgeAction(before, action).trail, startTrail('sort the table'))
      return strayFacts(trail, edit('lib/money.ts', '+x'), 0.5)!
    }
    const read: DriftAction = { kind: 'read', path: 'lib/money.ts' }
    const work = edit('lib/table.ts', '+sort()')
    expect(facts(read, work).readFirst).toBe(1)
    expect(facts(work, read).readFirst).toBe(0)
    expect(strayRisk(facts(read, work))).toBeLessThan(strayRisk(facts(work, read)))
  })

  it('is left alone where the request reaches far', () => {
    const wide = scores('Upgrade the http client from 2.x to 3.x and fix what breaks', [
      edit('package.json', '-"http-client": "^2.4.0"\n+"http-client": "^3.0.0"'),
      edit('src/orders/api.ts', '-client.get(url, cb)\n+await client.get(url)'),
      edit('src/users/api.ts', '-client.post(url, body, cb)\n+await client.post(url, body)'),
      edit('test/fixtures/server.ts', '-listen(cb)\n+await listen()'),
      edit('.github/workflows/ci.yml', '-node: 16\n+node: 20'),
    ])
    expect(Math.min(...wide)).toBeGreaterThanOrEqual(7)
  })

  it('is at most a reminder where it is the first: it may be the one that was asked for', () => {
    const fixture = write('test/fixtures/menu.html', '+<li data-dish>Soup</li>')
    const first = scores('Seit heute kommt nichts mehr', [{ kind: 'read', path: 'src/scraper.js' }, fixture])
    expect(first.at(-1)).toBeGreaterThanOrEqual(7)
    const cause = scores('the peak altitude in the log file is wrong', [
      { kind: 'read', path: 'src/io/log_writer.cpp' },
      { kind: 'read', path: 'src/track/landing.cpp' },
      { kind: 'read', path: 'src/decode/frame.cpp' },
      edit('src/decode/frame.cpp', '-alt = raw / 100\n+alt = raw / 100.0'),
    ])
    expect(cause.at(-1)).toBeGreaterThanOrEqual(7)
  })

  it('follows from one that has just named a new file', () => {
    const named = scores('members need a preferred language', [
      edit('lib/members/member.ex', '+field :locale, :string'),
      edit('lib/web/router.ex', '-plug :session\n+plug :session\n+plug Web.Locale'),
      write('lib/web/locale.ex', '+defmodule Web.Locale do\n+end'),
    ])
    expect(Math.min(...named)).toBeGreaterThanOrEqual(7)
  })

  it('does not turn a reminder that only the run of actions gave into a correction', () => {
    const goal = 'alle teksten in de views via vue-i18n, en + nl'
    const view = (name: string) =>
      edit(`src/views/${name}.vue`, `-<h1>${name}</h1>\n+<h1>{{ $t('${name}.title') }}</h1>`)
    const trail = ['Dashboard', 'Orders', 'Login'].reduce(
      (before, name) => judgeAction(before, view(name)).trail,
      startTrail(goal),
    )
    const modal = edit('src/components/Modal.vue', "-Sluiten\n+{{ $t('common.close') }}")
    expect(judgeAction(trail, modal, { ignoredReminders: 2 }).reading.score).toBeGreaterThanOrEqual(7)
  })

  it('is at most reminded of where it removes something, and the request asks for that', () => {
    const removed: DriftAction = { kind: 'write', path: 'parking/report.py', destroys: true }
    const done = scores('tickets.py does too much, split it and clean up what is unused afterwards', [
      edit('parking/tickets.py', '-return price(ticket.minutes)\n+return due(ticket)'),
      write('parking/pricing.py', '+def due(ticket): return price(ticket.minutes)'),
      removed,
    ])
    expect(done.at(-1)).toBeGreaterThanOrEqual(7)
  })

  it('never gets worse than a correction', () => {
    const off = Array.from({ length: 9 }, (_, i) => write(`other/${i}.css`, `+.sale-${i} { color: red }`))
    expect(
      Math.min(...scores('Fix the typo in the title', [edit('index.html', '-Tilte\n+Title'), ...off])),
    ).toBeGreaterThanOrEqual(5)
  })
})

it('takes more than a second reminder to be corrected, unless the work was handed over, as asked', () => {
  const trail = [
    { kind: 'read' as const, path: 'notify/hook.go' },
    edit('notify/hook.go', '-resp := client.Do(req)\n+resp := client.DoTwice(req)'),
    edit('notify/hook_test.go', '+func TestHookTwice(t *testing.T) {}'),
    edit('notify/sign.go', '-func sign(no string)\n+func sign(body string)'),
  ].reduce(
    (before, action) => judgeAction(before, action).trail,
    startTrail('A hook whose delivery fails should be sent twice before we give up on it'),
  )
  const next = edit('notify/sms.go', '-func status(no string)\n+func fetch(parcel string)')
  expect(judgeAction(trail, next, { ignoredReminders: 1 }).reading.score).toBe(7)
  expect(judgeAction({ ...trail, handedOver: true }, next).reading.score).toBe(6)
})

it('is apart only where no word of the request or of the work connects it', () => {
  const fix = edit('report/draw.py', '-vmax = nse.max()\n+vmax = nanmax(nse)')
  const after = judgeAction(startTrail('draw.py crashes on stations with NaN'), fix).trail
  const search = edit('solver/search.py', '-rounds = 200\n+rounds = 1000')
  expect(isApart(after, search)).toBe(true)
  expect(isApart(after, edit('report/scale.py', '+def nanmax(nse): ...'))).toBe(false)
  const risks = [after, { ...after, complaints: [] }].map((trail) => strayRisk(strayFacts(trail, search, 0.5)!))
  expect(risks[0]).toBeGreaterThan(risks[1]!)
})

it.each([
  [0.4, 10],
  [0.6, 7],
  [0.8, 6],
])('says nothing, reminds or corrects: %s', (risk, score) => {
  expect(strayScore(risk, true)).toBe(score)
  // What nothing ties out is not corrected, however unlike the work it looks.
  expect(strayScore(risk, false)).toBe(Math.max(score, 7))
})

it.each([
  ['the fee ignores half hours. add a test', false],
  ['lorries pay half, add a regression test', false],
  ['add a fee for lorries', true],
  ['add tests to every package', true],
  ['router 2 please, whatever it takes', true],
])('a request reaches far or not: %s', (request, expected) => {
  expect(reachesFar(request)).toBe(expected)
})
