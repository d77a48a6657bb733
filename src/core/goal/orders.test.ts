import { describe, expect, it } from 'vitest'
import { hear, lasting, limitOn, ordersIn } from './orders.ts'

const NOTHING = { constraints: [], expectedScope: [] }

describe('a limit closes what it names, and nothing else', () => {
  it.each([
    ["Fix the retries in src/net/client.py. Don't touch src/net/pool.py.", 'src/net/pool.py', 'src/net/other.py'],
    [
      'Rework the settings page. Everything outside app/settings must stay exactly as is.',
      'lib/form.ts',
      'app/settings/a.ts',
    ],
    ['Bump eslint, but leave the CI workflows alone please', '.github/workflows/ci.yml', 'package.json'],
    ['Restyle the pricing table, css only', 'src/pricing.js', 'styles/pricing.css'],
    [
      'V1 and V2 migrations were deployed, so never edit those, a V3 is fine',
      'db/migration/V1__init.sql',
      'db/migration/V3__x.sql',
    ],
    ['Update the year in all files. vendor/ is not ours, skip it', 'vendor/zlib.h', 'src/main.c'],
    ['The docs are wrong: fix the docs, not the code', 'src/server.go', 'docs/setup.md'],
    ['Bitte in search.py beheben, aber die Migrationen nicht anfassen', 'app/migrations/3.py', 'app/search.py'],
    ['Ajoute une pagination. Ne modifie pas le dossier api/', 'api/orders.ts', 'src/list.ts'],
    ['Corrige el cálculo en factura.js, pero no toques los tests', 'tests/factura.test.js', 'src/factura.js'],
    ['Aggiungi il filtro alla tabella, senza modificare i file in src/api', 'src/api/orders.ts', 'src/table.ts'],
    ['Corrija o bug do carrinho em cart.ts. Não mexa no checkout!', 'src/checkout.ts', 'src/cart.ts'],
    ['Maak de tabel sorteerbaar. De backend niet aanpassen', 'backend/list.py', 'src/table.vue'],
    ['Popraw walidację formularza, ale nie ruszaj plików w katalogu legacy/', 'legacy/form.php', 'src/form.ts'],
    ['исправь ошибку в скидке (discount.py), тесты не трогай', 'tests/test_discount.py', 'app/discount.py'],
    ['修复登录页面的跳转问题，不要修改 server 目录下的任何文件', 'server/auth.js', 'web/login.vue'],
    ['検索のソートを修正してください。テストコードは変更しないでください。', 'tests/search.test.ts', 'src/search.ts'],
    ['로그인 버그를 고쳐줘. 설정 파일은 건드리지 마', 'config/settings.yml', 'src/login.ts'],
    [
      'Fix the totals. Under no circumstances edit anything in app/Billing, it is audited.',
      'app/Billing/a.php',
      'app/a.php',
    ],
    ['Clean up imports in the whole repo apart from legacy/ and scripts/old/', 'scripts/old/y.py', 'src/a.py'],
    [
      'You may edit anything under services/orders. Anything else is off limits.',
      'libs/http.ts',
      'services/orders/a.ts',
    ],
    ['Look at last_message_at. Hands off .env* and config/, ops manages these.', '.env.example', 'app/stale.php'],
    ['Close stale ones sooner. parking/worker is generated, leave that alone.', 'parking/worker/a.py', 'parking/b.py'],
    ['src/ota.c is certified, hands off. Rename the topic.', 'src/ota.c', 'src/mqtt.c'],
    ['The mesher is at fault, not the test!', 'tests/mesh_test.cpp', 'src/mesh.cpp'],
    ['Ändere nur src/mailer.ts: der Betreff soll übersetzbar sein', 'src/app.ts', 'src/mailer.test.ts'],
    ['Bump lodash. package.json only, nothing else', 'src/index.js', 'package-lock.json'],
    ['Popraw znaki w raporcie. Nie zmieniaj niczego poza katalogiem reports/.', 'core/encoding.py', 'reports/pdf.py'],
    ["Ne touche qu'à src/panier, le reste est en refonte.", 'src/livraison/prix.ts', 'src/panier/total.ts'],
    ['Pon el botón en verde. No modifiques nada más que el css.', 'src/Pago.tsx', 'src/styles/pago.css'],
    ['Stell die Anzeige um. Die Vorlagen unter templates/mail lass bitte in Ruhe.', 'templates/mail/a.hbs', 'src/a.ts'],
    ['Sposta la logica, ma lascia invariato il componente (src/LoginForm.tsx).', 'src/LoginForm.tsx', 'src/login.ts'],
  ])('%s', (words, closed, open) => {
    const orders = ordersIn(words)
    expect([limitOn(orders, closed) !== undefined, limitOn(orders, open) !== undefined]).toEqual([true, false])
    // It is told in the user's own words.
    expect(words).toContain(limitOn(orders, closed))
  })
})

describe('what sounds like a limit and is none', () => {
  it.each([
    'Add rate limiting to POST /login. Keep it out of the other routes for now.',
    'appointments/forms.py lets you book a slot in the past. It must not.',
    'Refactor parser.ts without changing its behaviour',
    'The total should not be empty when the cart is',
    'get rid of `any` in client.ts without pulling in another library',
    'Never log the full address in poll.ts',
    "The calendar doesn't render in Safari, calendar.js uses a lookbehind",
    'don’t change the public API of auth.ts, only speed it up',
    'It says:\n```\nError: do not edit src/gen.ts\n```\nfix that',
    'Der Button darf nicht doppelt klickbar sein (Checkout.vue)',
    'пользователь не должен видеть чужие заказы',
    '列表为空时不应该显示分页',
    'The upload must not touch files outside the upload dir, fix that',
    'Extract the templates so that marketing can edit them without touching code',
    'The sidebar is locked on tablets, make it open',
    'Make the health endpoint return only the status and nothing else',
    "move the inline css to main.css, don't change index.html's structure though",
    "I keep getting 'Cannot modify read-only property' in the store, sort that out",
    'lib/queue: the worker never gives up. cap it at ten tries',
    'PriceRule lässt negative Rabatte zu. Bitte abfangen.',
    'que el resumen salga también por correo, no solo en la web',
    "que le filtre reste actif quand on change d'onglet",
  ])('%s', (words) => {
    const { constraints } = ordersIn(words)
    expect(constraints).toEqual([])
  })
})

describe('a request for an answer closes everything', () => {
  it.each([
    'where do we decide which room an appointment gets?',
    'Explain the V2 migration line by line',
    'list all TODOs in app/ sorted by age',
    'no code yet, just tell me what you would do',
    'Could this race? If so explain how, don’t fix it yet',
    'Plan only: how would we split the monolith',
    'Find out where the scaling is worked out. Do not take any actions beyond reporting back.',
    'The store is too large. First, explain your approach to me.',
    'If I want people to keep favourites, do I need a database for that?',
    'review: whether the rename broke any references. but do this without running the scripts',
    'Warum ist die Startseite so langsam? Bitte nur analysieren, nichts ändern.',
    'Pourquoi deux configs webpack ? explique juste, ne change rien',
    '¿Cómo funciona el login? solo explícame',
    'почему падает сборка? пока ничего не меняй',
    '先分析出问题，先别改代码',
    'この関数は何をしていますか？コードは変更しないで',
  ])('%s', (words) => {
    expect(limitOn(ordersIn(words), 'src/anything.ts')).toMatch(/^(?:Answer|Question) only: /)
  })

  it.each([
    'why does the modal close when i click inside? fix pls',
    'can we get rid of the lodash dependency?',
    'Can you restyle the pricing table?',
    'is there a reason the history starts on sunday? if not make it monday',
    'would you mind adding the plate number to the title?',
    'Create docs/PLAN.md. Do not write implementation code.',
    'it hangs at the summary! what could be the cause; can you fix it?',
    'Check the orders page and add following filters. Ask if anything is unclear',
    'I dont think we need the settings in the side menu any more',
  ])('but not where a change is wanted: %s', (words) => {
    expect(ordersIn(words).constraints.some((limit) => / only: /.test(limit))).toBe(false)
  })
})

describe('newer words win', () => {
  const ordersAfter = (...said: string[]) => said.reduce(hear, NOTHING)

  it.each([
    [
      "store the locale. don't touch the schema for now",
      'ok now you may touch the schema, add the column',
      'db/schema.sql',
    ],
    [
      'Build a badge. packages/core only.',
      'and put it into storybook, obviously outside of core then',
      'stories/Badge.ts',
    ],
    ['How would you add a cache? Don’t write any code yet.', 'yes go ahead and implement it', 'src/cache.ts'],
    ['How would you add a cache?', 'do it', 'src/cache.ts'],
    [
      'Add a rate limit. no new deps, no migrations',
      'forget what I said about migrations then, store it in postgres',
      'priv/repo/migrations/1_limits.exs',
    ],
    [
      'Bitte ein Limit je Nutzer, aber keine Migrationen',
      'Vergiss das mit den Migrationen, speichere es in Postgres',
      'priv/repo/migrations/1_limits.exs',
    ],
    [
      'Neuer Reiter, Code in tabs.ts. main.ts vorerst nicht ändern, da arbeitet noch jemand.',
      'Die Sperre für main.ts ist aufgehoben, bitte jetzt dort einhängen',
      'src/main.ts',
    ],
    [
      'Sort the customers by name. Do not touch the suppliers list',
      'good, now the same for suppliers',
      'suppliers/list.ts',
    ],
    [
      'Tag everything. modules/** yes, envs/** no',
      'other way round, sorry: envs/** yes, modules/** no',
      'envs/prod/main.tf',
    ],
    ['Read the spec. Do not write any code yet.', 'Task 1: add the async logger to the engine', 'src/logger.cpp'],
    [
      'Fix the scan, only in lib/scan. The release is tonight.',
      'the release is out, pubspec is open again, bump camera',
      'pubspec.yaml',
    ],
    [
      'Deletion hangs, see tenant.go. api/ must not change this sprint',
      'sprint is over, add the field',
      'api/types.go',
    ],
    ['templates only pls', 'you may edit appointments/serializers.py as well', 'appointments/serializers.py'],
  ])('%s — %s', (first, then, path) => {
    expect(limitOn(ordersAfter(first), path)).toBeDefined()
    expect(limitOn(ordersAfter(first, then), path)).toBeUndefined()
  })

  it('and the word for what was put off opens all of it', () => {
    const standing = hear(NOTHING, "Write a design first in docs/sync.md. Don't write any code until I've read it.")
    expect(limitOn(standing, 'src/sync.ts')).toBeDefined()
    expect(limitOn(hear(standing, 'what about conflicts?'), 'src/sync.ts')).toBeDefined()
    expect(limitOn(hear(standing, 'ok looks good, go ahead and implement it'), 'src/sync.ts')).toBeUndefined()
  })

  it('and a limit that they do not speak of holds', () => {
    const orders = ordersAfter('Fix the login. Do not touch src/db.', 'also the tests please', 'thanks')
    expect(limitOn(orders, 'src/db/users.ts')).toBe('Do not touch src/db')
  })

  it('and close what was wanted before', () => {
    const orders = ordersAfter(
      'rework src/card.ts and tests/card.test.ts',
      'changed my mind: tests/ is frozen from now on',
    )
    expect([limitOn(orders, 'tests/card.test.ts') !== undefined, limitOn(orders, 'src/card.ts')]).toEqual([
      true,
      undefined,
    ])
  })

  it('other work is free of limits that were not set for good', () => {
    const orders = ordersAfter('Fix the login. Do not touch src/db. From now on no changes in config/.')
    expect(lasting(orders).constraints).toEqual(['From now on no changes in config/'])
  })
})

it.each([
  ['add the tags to all modules but vpc, that one gets replaced so leave it out', 'modules/alb/main.tf'],
  [
    'Bitte nur im Modell selbst korrigieren (models/sales.sql), die Staging-Modelle bleiben wie sie sind',
    'models/sales.sql',
  ],
  ['Fix the warnings in Core. Other projects later, so their csproj and code stay as they are', 'src/Core/Core.csproj'],
  ['add a screenshot to the README but leave the install part', 'README.md'],
  ["Don't rewrite the editor, just the css (src/editor/editor.css)", 'src/editor/editor.css'],
  ['не трогая тесты, ускорь парсер (parser/lexer.rs)', 'parser/lexer.rs'],
  ['The state of prod is locked, so only do staging: envs/staging', 'envs/staging/main.tf'],
  ['The originals are in mails/en, put the new ones to mails/es. Without breaking the tests', 'mails/es/welcome.html'],
])('a place that is not clearly meant stays open: %s', (words, path) => {
  expect(limitOn(ordersIn(words), path)).toBeUndefined()
})

it('a file that is to be changed is never closed by the same words', () => {
  const orders = ordersIn('production.toml: worker_threads 8. touch no other config')
  expect([limitOn(orders, 'config/production.toml'), limitOn(orders, 'config/default.toml') !== undefined]).toEqual([
    undefined,
    true,
  ])
})

describe('what stays open is told from what is closed', () => {
  it.each([
    [
      'Work on the list. Do not touch other files like booking, layout.tsx or lib/format.ts.',
      'lib/format.ts',
      'src/list.ts',
    ],
    ['Do not touch app/page.tsx or any other files, update app/Panel.tsx.', 'app/page.tsx', 'app/Panel.tsx'],
    ['All changes should be made inside the folder: firmware/base. Clean it up.', 'web/a.ts', 'firmware/base/main.c'],
    ['Fix the walls. Do not touch folders like esp32/src.', 'acme-esp32/src/main.cpp', 'acme-web/src/main.ts'],
    ["Regenerate tests/snapshots. Don't edit anything in src to make them pass.", 'src/a.rs', 'tests/snapshots/a.snap'],
    ['Ускорь loader.py. Всё в acme/models не трогай.', 'acme/models/unet.py', 'acme/loader.py'],
    ['Treat everything but src/render as read-only and speed it up.', 'src/io.ts', 'src/render/draw.ts'],
    [
      "Add i18n to the form, don't edit the files under locales/ other than en.json.",
      'locales/de.json',
      'src/form.vue',
    ],
    ['Change the colour in theme.config.js, and that’s it', 'src/App.vue', 'theme.config.js'],
    ['Пиши тексты. Не трогай файлы в папке core.', 'core/a.py', 'texts/a.md'],
  ])('%s', (text, closed, open) => {
    const orders = hear(NOTHING, text)
    expect(limitOn(orders, closed)).toBeDefined()
    expect(limitOn(orders, open)).toBeUndefined()
  })

  it.each([
    ['No one has touched cron.py for years, modernise it', 'cron.py'],
    ['The frozen header in grid.tsx flickers', 'grid.tsx'],
    ['plan.sh should wait for the lock instead of dying', 'plan.sh'],
    [
      'Install says\n\n    The bundle is frozen: you can’t change Gemfile.lock here.\n\nget rack to 2.2.9',
      'Gemfile.lock',
    ],
    ['When nothing is selected do not change anything, table.ts clears the rows', 'table.ts'],
    ['Just want the readme translated to German. No code changes.', 'README.de.md'],
  ])('closes nothing: %s', (text, path) => {
    expect(limitOn(hear(NOTHING, text), path)).toBeUndefined()
  })
})

describe('a file or folder is no word, whatever it is called', () => {
  it.each([
    [
      'forecast() should know the season. Change only analysis/forecast.py, nothing else please.',
      'analysis/forecast.py',
    ],
    ['Round the totals. Change only analysis/forecast.py.', 'analysis/forecast.py'],
    ['Please change only analysis/forecast.py and nothing else.', 'analysis/forecast.py'],
    ['Change only report.py, nothing else.', 'src/report.py'],
    ['Change only review/list.py.', 'review/list.py'],
    ['Update only audit/log.ts', 'audit/log.ts'],
    ['Touch only plan.ts please', 'src/plan.ts'],
    ["The total is off. Change only src/cart.ts, don't edit anything else.", 'src/cart.ts'],
    ["The total in src/cart.ts is off. Don't change anything else.", 'src/cart.ts'],
    ['Totals should be rounded in src/cart.ts. Do not edit anything else.', 'src/cart.ts'],
  ])('%s', (text, open) => {
    const orders = ordersIn(text)
    expect([limitOn(orders, open), limitOn(orders, 'api/other.py') !== undefined]).toEqual([undefined, true])
  })

  it.each(['list.py prints blank lines', 'check.ts crashes on empty input', 'review() is too slow'])(
    'begins no question: %s',
    (text) => {
      expect(ordersIn(text).constraints).toEqual([])
    },
  )
})

it('"no further edits" stops the work, whoever has to do something meanwhile', () => {
  const orders = ordersIn('please pause, legal has to look at it first. no further edits until I say so')
  expect(limitOn(orders, 'src/a.ts')).toBe('Answer only: no further edits until I say so')
})

describe('"in there" is the place that was named before', () => {
  it.each([
    ['firmware/ is certified, do not edit anything in there.', 'firmware/valve.c'],
    ['firmware/ is certified, do not change anything in it', 'firmware/valve.c'],
    ["firmware/ is certified, so please don't edit anything there", 'firmware/valve.c'],
    ['The firmware is certified, do not edit anything in there', 'firmware/valve.c'],
    ['The firmware is certified. Do not edit anything in there.', 'firmware/valve.c'],
    ['legacy/ belongs to another team. Do not change anything in there.', 'legacy/a.c'],
    ['vendor/ is copied from upstream, please do not modify anything in that folder.', 'vendor/a.c'],
    ['src/gen/ is generated, do not touch any files in there.', 'src/gen/a.ts'],
    ["src/gen/ is generated, so don't write anything there.", 'src/gen/a.ts'],
    ['The billing code is audited, so do not modify anything in it.', 'src/billing/a.ts'],
    ['firmware/ ist zertifiziert, bitte dort nichts ändern.', 'firmware/valve.c'],
  ])('%s', (text, closed) => {
    const orders = ordersIn(`Valves should never be open longer than 10 minutes. ${text}`)
    expect([limitOn(orders, closed) !== undefined, limitOn(orders, 'src/valves.ts')]).toEqual([true, undefined])
  })

  it('and all of the project where none was', () => {
    const orders = ordersIn('How does the login work? Do not change anything in there.')
    expect(limitOn(orders, 'src/a.ts')).toBe('Answer only: Do not change anything in there')
  })
})

describe('who opens a folder speaks of parts beside it', () => {
  it.each([
    [
      'Sort the plots, driest first. Only in dashboard/, the API stays as it is.',
      'dashboard/src/lib/api.ts',
      'api/a.py',
    ],
    ['Sort the plots. Only touch dashboard/, leave the API alone', 'dashboard/src/lib/api.ts', 'api/a.py'],
    ['Sort the plots. Leave the API alone, only touch dashboard/.', 'dashboard/src/lib/api.ts', 'api/a.py'],
    ['Sort the plots. Only in dashboard/. The API stays as it is.', 'dashboard/src/lib/api.ts', 'api/a.py'],
    ["Sort the plots. Only dashboard/, don't touch the server.", 'dashboard/server/a.ts', 'server/a.py'],
    ['Sort the plots. Stick to dashboard/, the schema stays as it is.', 'dashboard/schema.ts', 'db/schema.sql'],
    ['Sort the plots. Only in dashboard/, but leave dashboard/gen alone.', 'dashboard/a.ts', 'dashboard/gen/a.ts'],
    ['Sort the plots. Only in dashboard/, leave the tests alone.', 'dashboard/a.ts', 'dashboard/tests/a.test.ts'],
  ])('%s', (text, open, closed) => {
    const orders = ordersIn(text)
    expect([limitOn(orders, open), limitOn(orders, closed) !== undefined]).toEqual([undefined, true])
  })
})

describe('what is not to be deleted may be changed', () => {
  const fixture = 'analysis/fixtures/winter.csv'

  it.each([
    ['Do not delete the fixtures, the auditors want them.', fixture],
    ["Don't remove any fixtures.", fixture],
    ['The fixtures must not be deleted.', fixture],
    ['Keep the fixtures, the auditors want them.', fixture],
    ["The auditors want the fixtures, so don't delete them.", fixture],
    ['Never delete fixtures.', fixture],
    ['Please do not remove the migrations.', 'db/migrations/1.sql'],
    ['The old snapshots must not be removed.', 'src/__snapshots__/old/a.snap'],
    ['Lösche die Fixtures nicht.', fixture],
    ['Die Migrationen dürfen nicht gelöscht werden.', 'db/migrations/1.sql'],
    ['Ne supprime pas les fixtures.', fixture],
    ['Do not delete any files.', 'src/a.ts'],
    ['Do not delete anything.', 'src/a.ts'],
  ])('%s', (text, path) => {
    const orders = ordersIn(`Clean up: dead code, unused imports. ${text}`)
    expect([limitOn(orders, path, 'removes'), limitOn(orders, path)]).toEqual([text.replace(/\.$/, ''), undefined])
  })

  it('until newer words ask for it', () => {
    const standing = hear(NOTHING, 'Clean up. Do not delete the fixtures.')
    expect(limitOn(hear(standing, 'ok, now delete the fixtures too'), fixture, 'removes')).toBeUndefined()
  })

  it.each([
    'The job cannot delete the temp files on Windows',
    'The cleanup must not delete files that are open',
    'Users must not delete files of others',
    'Do not delete the cart when the payment fails',
    'Orders must not be deleted, mark them instead',
    'Keep the tests green',
    'Keep the header',
  ])('is not said of the program: %s', (text) => {
    expect(ordersIn(text).constraints).toEqual([])
  })
})

describe('"list" asks for an answer, or for a program that shows something', () => {
  it.each([
    'list the plots by name',
    'list plots by name, not by id',
    'list the plots alphabetically',
    'please list the plots by name',
    'List harvests by date, newest first.',
    'list the orders newest first',
    'list the orders in descending order',
    'list the orders grouped by customer',
    'list the newest orders at the top',
    'And list the plots by name instead of by id',
  ])('a request: %s', (text) => {
    expect(limitOn(ordersIn(text), 'src/plots.ts')).toBeUndefined()
  })

  it.each([
    'list all the plots you find',
    'list the files by size',
    'list the endpoints by module',
    'list all functions by size',
    'list the dependencies alphabetically',
    'list the tests that fail',
  ])('a question: %s', (text) => {
    expect(limitOn(ordersIn(text), 'src/plots.ts')).toBe(`Question only: ${text}`)
  })
})
