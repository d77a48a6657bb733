import { describe, expect, it } from 'vitest'
import { limitOn, ordersIn } from '../orders.ts'

const closed = (text: string, path: string) => limitOn(ordersIn(text), path) !== undefined

describe('a report of what nobody did', () => {
  it.each([
    ['The build is red. Nobody touched the parser. Get it green again', 'src/parser/a.ts'],
    ['no one has really changed the schema in weeks, fix the import', 'db/schema.sql'],
    ['keiner hat die Migrationen angefasst, mach den Build wieder grün', 'db/migrations/001.sql'],
    ["personne n'a touché aux fixtures, répare le test", 'test/fixtures/a.json'],
    ['nadie tocó las migraciones, arregla el despliegue', 'db/migrations/1.sql'],
    ["nessuno ha toccato lo schema, sistema l'import", 'db/schema.sql'],
    ['ninguém mexeu nas migrações, arruma o deploy', 'db/migrations/1.sql'],
    ['nikt nie ruszał migracji, napraw build', 'db/migrations/1.sql'],
    ['niemand heeft de fixtures aangeraakt, herstel de test', 'test/fixtures/a.json'],
    ['никто не трогал миграции, почини сборку', 'db/migrations/1.sql'],
  ])('closes nothing: %s', (text, path) => expect(closed(text, path)).toBe(false))

  it.each([
    ['nobody may touch the migrations. add the field to model.py', 'db/migrations/1.sql'],
    ['niemand darf die Migrationen anfassen, ergänze das Feld in model.py', 'db/migrations/1.sql'],
    ['Niemand hat gesagt, dass du schema.sql ändern darfst, fass schema.sql nicht an', 'db/schema.sql'],
    ['nobody touched legacy/ in years, leave it alone. fix src/a.ts', 'legacy/a.ts'],
  ])('is no order: %s', (text, path) => expect(closed(text, path)).toBe(true))
})

describe('where a program does something', () => {
  it.each([
    'Only log in production, not in the tests',
    'Only retry on the server, not in the tests. Fix src/a.ts',
    'Nur in Produktion loggen, nicht in den Tests',
    'Solo registrar en producción, no en las pruebas',
  ])('closes nothing: %s', (text) => expect(closed(text, 'test/a.test.ts')).toBe(false))

  it('is not where the work is done', () =>
    expect(closed('Only fix it in the app, not in the tests', 'test/a.test.ts')).toBe(true))
})

describe('files of one version', () => {
  it.each([
    ['rename the guide and fix all links. 2.x docs stay as they are', 'docs/guide.md', false],
    ['update the docs. v1 docs stay untouched', 'docs/guide.md', false],
    ['the 2.x docs stay as they are', 'versioned_docs/version-2.x/guide.md', true],
  ])('%s: %s closed is %s', (text, path, is) => expect(closed(text, path)).toBe(is))
})

describe('what is kept to a folder', () => {
  const text = 'em src/pages troque os any por tipos de verdade. só em src/pages, o store fica para o Rafael'
  it('stays open itself', () => expect(closed(text, 'src/pages/a.tsx')).toBe(false))
  it('closes the rest', () => expect(closed(text, 'src/store/a.ts')).toBe(true))
})

describe('the manifest', () => {
  it.each([
    ["don't change the manifest, the store review is running", 'app/src/main/AndroidManifest.xml'],
    ['Manifest nicht ändern', 'public/manifest.json'],
  ])('%s: %s is closed', (text, path) => expect(closed(text, path)).toBe(true))
})

describe('a plan of a tool', () => {
  it.each([
    "raise the replica count of the worker from 2 to 4. plan only, I'll apply myself",
    'bump the instance size in stage. plan only, I apply it later',
    'Erhöhe die Anzahl auf 3. nur plan, apply mache ich selbst',
  ])('closes no file: %s', (text) => expect(closed(text, 'envs/stage/main.tf')).toBe(false))
})

describe('an order without its first half', () => {
  const text = "le prix est faux dans panier.ts. touche pas à l'api stp, c'est figé jusqu'à jeudi"
  it('is heard', () => expect(closed(text, 'apps/api/src/a.ts')).toBe(true))
})

describe('a file that is only to be read', () => {
  it.each([
    [
      'Read CLAUDE.md, SPEC.md §3.5 and AGENTS.md before writing any code. Add the table in public/db.js. Do NOT modify any other file',
      'SPEC.md',
    ],
    [
      'Read: docs/ROADMAP.md and docs/PLAN.md. Implement step 1 in src/a.ts. Do not modify any other file',
      'docs/PLAN.md',
    ],
    ["Fix the header.\nDon't modify index.ts\nsee functions/reg/index.ts", 'functions/reg/index.ts'],
  ])('%s: %s is closed with the rest', (text, path) => expect(closed(text, path)).toBe(true))

  it('is open where the same words ask to change it', () =>
    expect(closed('Read src/a.ts and fix the bug in it. Add the case to src/c.ts. No other files', 'src/a.ts')).toBe(
      false,
    ))
})

describe('a folder whose name stands in brackets', () => {
  const text =
    'Set the metadata in src/app/[slug]/page.tsx and src/app/(shop)/[id]/page.tsx. No other files are modified.'
  it.each([
    ['src/app/[slug]/page.tsx', false],
    ['src/app/(shop)/[id]/page.tsx', false],
    ['src/app/other/page.tsx', true],
  ])('is part of the path: %s closed is %s', (path, is) => expect(closed(text, path)).toBe(is))
})

describe('what alone is to be written', () => {
  it('closes the rest', () => expect(closed('STRICT AUDIT. ONLY create: `docs/AUDIT.md`', 'src/a.ts')).toBe(true))
  it('stays open', () => expect(closed('STRICT AUDIT. ONLY create: `docs/AUDIT.md`', 'docs/AUDIT.md')).toBe(false))
})

it('says nothing of other files where one may be changed in part', () =>
  expect(closed('parser.c只能修改函数read_line()', 'lib/scan.h')).toBe(false))

describe('what is to be read and may well be what is wrong', () => {
  it.each([
    ['Read src/a.ts, the loop there never ends. Add a test in test/a.test.ts. No other files', 'src/a.ts'],
    ['Read docs/install.md, it is out of date in two places. Add docs/new.md. No other files', 'docs/install.md'],
    ['The total is wrong (see src/cart.ts:20). Add a test in test/cart.test.ts. No other files.', 'src/cart.ts'],
  ])('stays open: %s', (text, path) => expect(closed(text, path)).toBe(false))
})

it('closes nothing of what it says how something is to be', () =>
  expect(closed('Keep it tight: hero → one chart → footer. Edit src/card.tsx', 'src/chart/a.ts')).toBe(false))

describe('leave for one file more', () => {
  it.each([
    ['You may change config/db.ts too, but only that one file.', 'src/a.ts'],
    ['you can copy the driver.c from the SDK into lib/vendor, but just that one', 'src/main.c'],
    ['Du darfst auch db.ts anpassen, aber nur diese eine Datei.', 'src/a.ts'],
    ['tu peux aussi modifier db.ts, mais seulement ce fichier', 'src/a.ts'],
    ['puedes tocar db.ts también, pero solo ese archivo', 'src/a.ts'],
  ])('closes nothing: %s', (text, path) => expect(closed(text, path)).toBe(false))
})
