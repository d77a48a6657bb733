import { describe, expect, it } from 'vitest'
import { limitOn, ordersIn } from '../orders.ts'

const closed = (text: string, path: string) => limitOn(ordersIn(text), path) !== undefined

describe('who wants to be asked first', () => {
  it.each([
    ['Write tests for login. If you have to change the server, tell me first', 'server.js'],
    ['Should you need to edit schema.sql, ask first. Add the query to repo.ts', 'schema.sql'],
    ['Add the flag to cli.py. Ask me before you touch setup.py', 'setup.py'],
    ['Schreib Tests für den Login. Falls du server.js ändern musst, frag mich vorher', 'server.js'],
    ['Ajoute un test. Si tu dois modifier server.js, préviens-moi avant', 'server.js'],
    ['Añade pruebas. Si hay que cambiar server.js, avísame antes', 'server.js'],
  ])('%s: %s is closed', (text, path) => expect(closed(text, path)).toBe(true))

  it.each([
    ['If you have to change the header, use the helper from lib.ts first', 'header.tsx'],
    ['Before you touch the cache, read docs/cache.md. Then fix src/cache.ts', 'src/cache.ts'],
    ['If you need to update the snapshots, run npm test -u first', 'tests/__snapshots__/a.snap'],
    ['Ask me before you commit. Fix the total in src/cart.ts', 'src/cart.ts'],
  ])('%s: %s is open', (text, path) => expect(closed(text, path)).toBe(false))
})

describe('what a pattern names', () => {
  it.each([
    ['leave the three decoder_*.cpp out, they get replaced', 'src/decoder_mp3.cpp', true],
    ['leave the three decoder_*.cpp out, they get replaced', 'src/ui/waveform.cpp', false],
    ["don't touch *_pb2.py", 'api/order_pb2.py', true],
    ["don't touch *_pb2.py", 'api/order.py', false],
    ['lad legacy/ være', 'legacy/a.ts', true],
    ['lenken (/api/ical) krever innlogging, den skal være åpen', 'app/api/ical/route.ts', false],
  ])('%s: %s closed is %s', (text, path, is) => expect(closed(text, path)).toBe(is))
})

describe('what the same goes for', () => {
  it.each([
    ['Bump package.json. README untouched, same goes for the migrations', 'db/migrations/1.sql', true],
    ['Fix the total in cart.ts. Leave api.ts alone, the same goes for db.ts', 'db.ts', true],
    ['Erweitere import.ts. export.ts bleibt unverändert, das gilt auch für sync.ts', 'sync.ts', true],
    ["Don't autoselect the first tab. Same for the docs.", 'docs/a.md', false],
    ['Do not scroll to the top when a comment is posted. Same with the wiki.', 'wiki/a.md', false],
    ['Use the new colour in a.css, same for b.css', 'b.css', false],
  ])('%s: closed is %s', (text, path, is) => expect(closed(text, path)).toBe(is))
})

describe('a file that the same words ask to change', () => {
  it.each([
    [
      'Only lib/csv.ts and its test in spec/csv.ts may change; put the rest in a comment, not in the code',
      'lib/csv.ts',
    ],
    ['Only lib/csv.ts and its test in spec/csv.ts may change', 'spec/csv.ts'],
    ['Just touch the tests, not the client or server', 'test-client.js'],
    ['Corrige no CarrinhoService, mas não mexe nos testes', 'app/CarrinhoService.php'],
    ['Behebe es im OrderService, aber lass die Tests in Ruhe', 'src/OrderService.java'],
  ])('%s: %s stays open', (text, path) => expect(closed(text, path)).toBe(false))

  it.each([
    ['Just touch the tests, not the client or server', 'client.js'],
    [
      'Only lib/csv.ts and its test in spec/csv.ts may change; put the rest in a comment, not in the code',
      'lib/xml.ts',
    ],
    ['Corrige no CarrinhoService, mas não mexe nos testes', 'tests/CarrinhoTest.php'],
    ['The other guide (ops.md) belongs to the platform team, hands off. Rewrite docs/dev.md', 'docs/ops.md'],
    ['M1 und M2 bleiben trotzdem unverändert, du darfst eine neue Migration anlegen', 'db/M1__a.sql'],
    ['Bitte nur im PdfExporter beheben', 'src/CsvExporter.java'],
  ])('%s: %s is closed', (text, path) => expect(closed(text, path)).toBe(true))
})
