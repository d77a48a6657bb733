import { describe, expect, it } from 'vitest'
import { checkConstraints } from '../../drift/checks/limits.ts'
import { hear, limitOn, ordersIn } from '../orders.ts'
import { wholeIn } from './whole.ts'

describe('a refusal that names nothing is of the project, of its code, or of the rest', () => {
  it.each([
    ['Do NOT start fixing or editing any files yet.', 'project'],
    ['ändere noch keine Dateien', 'project'],
    ['Ne modifie aucun fichier pour le moment', 'project'],
    ['no cambies ningún archivo todavía', 'project'],
    ['Non modificare nessun file', 'project'],
    ['Niczego nie zmieniaj.', 'project'],
    ['Не редактируй файлы', 'project'],
    ['不要修改任何文件', 'project'],
    ['do not write any code until I say so', 'code'],
    ['先别写代码', 'code'],
    ["Don't change any other files", 'rest'],
    ['Başka hiçbir dosyaya dokunma.', 'rest'],
    ['Не исправляй больше ничего', 'rest'],
    ['De rest laat je met rust', 'rest'],
    ['다른 파일은 건드리지 마세요', 'rest'],
    // One word names something, or it is said of the program, in passing or of a list.
    ['Do not edit the parser files', undefined],
    ['never edit those', undefined],
    ['When nothing was typed, do not save any file', undefined],
    ['clean up without changing anything', undefined],
    ['Do not touch these files:', undefined],
    ['设置文件不要修改', undefined],
    ['설정 파일은 건드리지 마', undefined],
    ['change nothing else in the file', undefined],
  ])('%s → %s', (sentence, whole) => {
    expect(wholeIn(sentence)).toBe(whole)
  })
})

it('"no other files" leaves open what the same words name, wherever they name it', () => {
  const orders = ordersIn(
    'Sadece şunları yap:\n1. src/logic.js içinde sınırı kaldır\n2. package.json\nBaşka hiçbir dosyaya dokunma.',
  )
  expect(limitOn(orders, 'src/logic.js')).toBeUndefined()
  expect(limitOn(orders, 'package.json')).toBeUndefined()
  expect(limitOn(orders, 'src/App.jsx')).toBe('Başka hiçbir dosyaya dokunma')
})

it('closes nothing where nobody can tell what the others are', () => {
  expect(limitOn(ordersIn('Make the title bigger. Do not touch any other files.'), 'src/a.ts')).toBeUndefined()
})

it('who forbids every change has asked for none, whatever else is to be done', () => {
  const orders = ordersIn('Сделай аудит проекта и покажи список проблем. Не редактируй файлы. Жди подтверждения.')
  expect(limitOn(orders, 'main.py')).toBe('Answer only: Не редактируй файлы')
})

it.each([
  ['## Files you must NOT touch (others work there)\n- `src/auth.ts` — frozen\n- `api/**`', 'api/users.ts'],
  ['| File | Action |\n|---|---|\n| `lib/a_b.c` | **No change** |', 'lib/a_b.c'],
  ['Do not touch src/, build.rs, or any .go file.', 'cmd/main.go'],
  ["Don't touch any other backend service (Catalog, Orders).", 'src/Orders/api.cs'],
  ['Leave the rest alone, above all config/prod.exs.', 'config/prod.exs'],
  ['The seeds (dbt/seeds) are not to be touched.', 'dbt/seeds/a.csv'],
  ['fixtures a.in/a.out are a contract, do not change them', 'tests/a.out'],
  ['Modify ONLY: src/a.ts, src/b.ts', 'src/c.ts'],
  ['No source, test, or doc change beyond `CHANGES.md` and the `pkg/out.go` comment.', 'pkg/in.go'],
])('is read out of lists, tables and brackets: %s', (text, path) => {
  expect(limitOn(ordersIn(text), path)).toBeDefined()
})

it.each([
  ["Don't touch any other screen. Fix LoginScreen.", 'src/LoginScreen.tsx'],
  ['Create this:\n├── Makefile  # no changes later\n└── a.py', 'Makefile'],
  ['Work only on the branch chore/smoke-test and repair the start.', 'package.json'],
  ['Nur versand.php und den Test dazu ändern, nichts sonst.', 'tests/test-shipping.php'],
  ['Add a button to page.tsx. Do not change other parts of the page.', 'src/lib/mqtt.ts'],
  ['Escribe un apartado en docs/manual.md, sin tocar nada de código.', 'docs/manual.md'],
  ['Work in ui/Panel.tsx or similar—do not touch any firmware files.', 'ui/Panel.tsx'],
  ['Delete the duplicate: src/old.ts. Do not start fixing code.', 'src/old.ts'],
  ['Write it into `notes/answers/bot-<date>.md`. Do not touch any other file.', 'notes/answers/bot-2026-10-02.md'],
  ['Make the API read-only for guests: POST/PUT/DELETE -> 403, nothing else changes for others', 'src/routes.py'],
  ['No source, test, or doc change beyond `CHANGES.md` and the `pkg/out.go` comment.', 'pkg/out.go'],
])('closes nothing that is wanted: %s', (text, path) => {
  expect(limitOn(ordersIn(text), path)).toBeUndefined()
})

it('"no other files" is a proof by itself: the files that it leaves open are told before', () => {
  const [limit, ...more] = ordersIn('Fix the totals in src/cart.ts. Do not touch any other file.').constraints
  expect([limit, more]).toEqual(['Do not touch any other file', []])
  const check = checkConstraints({ kind: 'write', path: 'src/server.ts' }, [limit!])
  expect(check?.proof).toBe('limit')
})

it('"no other files" closes nothing once nobody can tell which ones are meant', () => {
  const first = ordersIn('Fix the totals in src/cart.ts. Do not touch any other file.')
  const now = hear(first, 'Please leave src/cart.ts alone, I am on it.')
  expect([limitOn(now, 'src/cart.ts') !== undefined, limitOn(now, 'src/server.ts')]).toEqual([true, undefined])
})

it('nor where another limit stands in the same sentence', () => {
  const orders = ordersIn(
    'Confirm EXIT 0 at the root. Do not touch any other file, do not modify any declaration body.',
  )
  expect(limitOn(orders, 'topology/sheaf.lean')).toBeUndefined()
})
