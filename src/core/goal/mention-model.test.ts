import { expect, it } from 'vitest'
import { forbiddenBy, isProven } from './limits/forbids.ts'
import { hear, limitOn, ordersIn } from './orders.ts'

it.each([
  ['The sensor group owns firmware/, nobody edits there but them.', 'firmware/scale.ino'],
  ['Round the totals. ledger.go is frozen, the auditors signed it.', 'internal/ledger.go'],
  ['settings.gradle: not to be opened, not to be changed.', 'settings.gradle'],
  ['Speed up the import; helm/ is the SRE squad’s.', 'helm/values.yaml'],
  ['## Task\nAdd paging.\n\n## Out of scope\n- the admin app (apps/admin)\n- docs/', 'apps/admin/src/List.tsx'],
  ['Nimm die neue Schrift. Von theme.css lässt du bitte die Finger.', 'web/theme.css'],
  ['infra/ は運用チームの担当なので対象外です。', 'infra/main.tf'],
  ['scripts/ 归运维管，不允许修改', 'scripts/deploy.sh'],
  ['The docs are the writers’. Not a word in there. Fix the parser.', 'docs/a.md'],
  ['Las pruebas son de QA, no las toques. Acelera busqueda.ts.', 'tests/busqueda.test.ts'],
  ['Scope: apps/admin. Non-goals: apps/shop, packages/ui.', 'packages/ui/button.tsx'],
  ['globals.css is shared with the kiosk app so not there', 'web/globals.css'],
  ['infra/ başka bir ekibin, oraya dokunma.', 'infra/main.tf'],
  ['samples klasöründeki dosyalara dokunma. Ayrıştırıcıyı düzelt.', 'samples/a.csv'],
  ['Kasten (.scad) nicht anfassen, die druckt gerade jemand.', 'parts/box.scad'],
  ['Interdiction de modifier le dossier paiement. Corrige la page.', 'paiement/carte.js'],
  ['Keine neuen Migrationen bitte.', 'db/migration/V7__x.sql'],
  ['Give the worker more memory in dev. prod is read-only for you.', 'envs/prod/main.tf'],
  ['composer.json may not change (the audit is pending), nor may composer.lock', 'composer.lock'],
  ['keep your hands off gateway.ts, Ines owns it', 'src/gateway.ts'],
  ['Do NOT:\n- Add any dependencies\n\nShow a toast when it is saved.', 'package.json'],
])('closed, whatever the words: %s', (text, path) => {
  const orders = ordersIn(text)
  expect(limitOn(orders, path)).toBeDefined()
  expect(forbiddenBy(orders.constraints, 'src/elsewhere.ts')).toBeUndefined()
})

it.each([
  ['lock.go is never released when the owner dies, fix that', 'pkg/lock.go'],
  ['index.html has no title and nobody noticed', 'index.html'],
  ['the tests are red, nothing works since the upgrade', 'tests/a.test.ts'],
  ['archive.ts should keep read-only projects visible', 'src/archive.ts'],
  ['you may change schema.sql after all, it is no longer frozen', 'db/schema.sql'],
  ['form.tsx 以外のファイルは触らないでください', 'src/form.tsx'],
  ['Do not forget to update README.md', 'README.md'],
  ['N’oublie pas de mettre à jour README.md.', 'README.md'],
  ['login.ts ne marche pas, répare-le sans rien casser', 'login.ts'],
  ['frozen.ts doesn’t compile', 'frozen.ts'],
  ['conf.py has been approved so don’t change it, index.rst is where it fails', 'docs/index.rst'],
  ['Edit docs/DESIGN.md, that file alone', 'docs/DESIGN.md'],
  ['Wenn der Nutzer nichts ändert, soll speichern.ts auch nichts schreiben', 'speichern.ts'],
  ['I want you to fix main.go. Do not create new files.', 'main.go'],
  ['Leave all tests alone apart from login.test.ts', 'test/login.test.ts'],
  ['staging and prod too, audit only on prod', 'envs/prod/main.tf'],
  ['quota.js cannot be edited while the server runs, make it reloadable', 'quota.js'],
  ['For some reason avatar.rb never gets updated by the worker. Repair it.', 'app/avatar.rb'],
  ['We need a tool that never overwrites anything in dist/. Put it in tools/copy.sh', 'dist/a.js'],
  ['The handbook says you must not edit rates.ini by hand, yet our setup script does. Fix the script.', 'rates.ini'],
  ['There is no way to change labels.json from the app', 'labels.json'],
  ['Warum ändert sich zaehler.json nicht? Bitte beheben.', 'zaehler.json'],
  ['Un client ne doit jamais pouvoir modifier tarifs.csv', 'tarifs.csv'],
  ['No he tocado carta.vue y aun así falla', 'carta.vue'],
  ['Перепиши сумма.py, не меняя поведения.', 'сумма.py'],
  ['Cleanup of scanner.rs: fold the two loops without changing the behaviour', 'src/scanner.rs'],
])('said of the program, or to open it: %s', (text, path) => {
  expect(limitOn(ordersIn(text), path)).toBeUndefined()
})

it.each([
  ['Document the new switches in README.md. Docs only, the source is my job.', 'src/cli.py', 'README.md'],
  ['Aggiorna README.md. Solo testo: il codice lo cambio io.', 'src/cli.py', 'README.md'],
  [
    'Den Test in test_read.py bitte reparieren. Am Produktivcode ändert sich dabei nichts.',
    'src/read.py',
    'test_read.py',
  ],
  [
    'Port LedgerModel to records. Just that one class, what breaks elsewhere I fix myself.',
    'src/Shop.java',
    'LedgerModel.java',
  ],
  ['preciso que corrija somente deploy.sh', 'web/server.js', 'deploy.sh'],
  ['Modify src/Menu.jsx so that it closes on escape. No additional components.', 'src/Logo.jsx', 'src/Menu.jsx'],
])('the code, or all but one place: %s', (text, closed, open) => {
  const orders = ordersIn(text)
  expect(limitOn(orders, closed)).toBeDefined()
  expect(limitOn(orders, open)).toBeUndefined()
})

it.each([
  ['The service must never write to the home folder, BackupJob still does. Use the data dir.', 'src/BackupJob.kt'],
  ['only call refreshToken once in session.ts', 'src/other.ts'],
  ['client.go only retries on timeouts, it should on 503 too', 'src/other.go'],
  ['the status code must not be 200 there', 'src/api.ts'],
  ['vendor/ is generated code, treat it as immutable. Fix the sensor.', 'src/sensor.c'],
  ['Translate the labels (values-cs). The english labels.xml has to stay the same.', 'res/values-cs/labels.xml'],
])('no reason to close this: %s', (text, path) => {
  expect(limitOn(ordersIn(text), path)).toBeUndefined()
})

it('is no proof where only the trained reader has heard it', () => {
  const [rule] = ordersIn('Do not touch helm/').constraints
  const [likely] = ordersIn('Speed up the import; helm/ is the SRE squad’s.').constraints
  expect(isProven(rule!, 'helm/values.yaml')).toBe(true)
  expect(forbiddenBy([likely!], 'helm/values.yaml')).toBe(likely)
  expect(isProven(likely!, 'helm/values.yaml')).toBe(false)
})

it('carries the sentence it was read from', () => {
  const text = 'Add a filter. The vendor folder (vendor/) is frozen until Monday.'
  expect(limitOn(ordersIn(text), 'vendor/lib.php')).toBe('The vendor folder (vendor/) is frozen until Monday')
})

it('"only this" takes the place of the "only that" before it', () => {
  const first = hear({ constraints: [], expectedScope: [] }, 'Change only src/parser/')
  const second = hear(first, 'From now on only src/printer/ please, fix the quotes there')
  expect(limitOn(second, 'src/printer/quote.ts')).toBeUndefined()
  expect(limitOn(second, 'src/parser/lex.ts')).toBeDefined()
})

it('what holds until the user gives the word holds until then', () => {
  const planned = hear({ constraints: [], expectedScope: [] }, 'Plan first, no edits to any file until I say go')
  const discussed = hear(planned, 'point 3 is overkill, make it simpler and show me again')
  expect(limitOn(discussed, 'src/sync.ts')).toBeDefined()
  expect(limitOn(hear(discussed, 'go'), 'src/sync.ts')).toBeUndefined()
})

it('reads a long text in bounded time', () => {
  expect(ordersIn(`${'not x.ts '.repeat(50_000)} done`).constraints.length).toBeLessThan(20)
})
