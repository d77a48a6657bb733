import { describe, expect, it } from 'vitest'
import { filesAskedFor, targetsAskedFor } from './asked.ts'
import { hear, limitOn, type Orders } from './orders.ts'

const heard = (...said: string[]) =>
  said.reduce<Orders>((orders, text) => hear(orders, text), { constraints: [], expectedScope: [] })

describe('what is asked for', () => {
  it.each([
    ['Remover a tentativa no instalador.sh, não é necessária uma cópia', ['instalador.sh']],
    ['Update src/a.ts to match src/b.ts', ['src/a.ts']],
    ['Add tests for src/b.ts', []],
    ['Could you fix src/a.ts so it stops importing src/b.ts?', ['src/a.ts']],
    ['Do not change src/a.ts', []],
  ])('%s: %j', (said, files) => {
    expect(filesAskedFor([said])).toEqual(files)
  })

  it('may be a name, or a kind of file, but not the language of all of it', () => {
    expect(targetsAskedFor('Bitte in PriceCalculator beheben.')).toMatchObject([{ words: ['pric', 'calculator'] }])
    expect(targetsAskedFor('Also write a unit test')).toMatchObject([{ sorts: ['test'] }])
    expect(targetsAskedFor('Create a java project')).toEqual([])
    expect(targetsAskedFor('No new tests.')).toEqual([])
  })
})

describe('what is asked for is never closed by the same words', () => {
  it.each([
    ['Bitte src/cart/total.ts anpassen, sonst nichts ändern. Und einen Test dazu schreiben.', 'src/cart/total.test.ts'],
    ['Corrige el redondeo en PriceService, no toques nada más. Añade una prueba.', 'tests/price_service_test.py'],
    ['Corrige el redondeo en PriceService, no toques nada más.', 'src/services/PriceService.java'],
    ['Fix the crash in src/a.ts. Nothing else please. Update the changelog.', 'CHANGELOG.md'],
    ['Fix the rounding in src/price.ts. No other files. Also write a unit test.', 'test/rounding.test.ts'],
    ['修改 src/a.ts 里的错误，其他文件不要动。另外添加测试。', 'tests/a.test.ts'],
    ['src/a.tsのバグを修正してください。他のファイルは触らないで。テストも追加して。', 'tests/a.test.ts'],
    ['Corrige src/a.ts et ajoute un test. Ne touche à rien d’autre.', 'src/a.test.ts'],
    ['Não altere nada no config.py. Corrija o erro no parser.py.', 'parser.py'],
    [
      'Unlike a.php, which has to stay untouched, CartController.php should log who emptied it.',
      'src/CartController.php',
    ],
    ['Look for the region; if it exists, update deploy.ps1; if not, leave deploy.ps1 as-is.', 'deploy.ps1'],
    ['Mexe onde quiser, menos em e2e/. Tarefa: desfazer no botão de regar (api/water).', 'src/routes/api/water.ts'],
    ['token.go refreshes once and then never touches the session again. Keep it alive.', 'internal/session.go'],
    [
      'Recreate the missing files with placeholders:\n\n- admin/logs/page.tsx: a title\n- admin/layout.tsx: an empty layout\n\nDo not touch other files like globals.css, layout.tsx, lib/utils.ts.',
      'web/src/app/admin/layout.tsx',
    ],
    ['Add a field to the frame and bump the protocol version. Docs too.', 'docs/protocol.md'],
    [
      'Get rid of the old server, use the new one. Routes must stay the same, RoutesSpec is the contract.',
      'src/main/http/Routes.scala',
    ],
    ['As mudanças devem ir no script de instalação e não no código.', 'install.sh'],
    [
      'Bitte in PriceCalculator beheben. SeasonRule lassen wir, und in PriceCalculator bitte nur die Methode roundUp anfassen.',
      'src/PriceCalculator.java',
    ],
  ])('%s: %s', (said, path) => {
    expect(limitOn(heard(said), path)).toBeUndefined()
  })

  it.each([
    ['Recreate these:\n- admin/layout.tsx: empty\n\nDo not touch layout.tsx.', 'src/app/layout.tsx'],
    ['Recreate these:\n- admin/layout.tsx: do not touch', 'admin/layout.tsx'],
    ['Leave the migrations alone. Docs too.', 'docs/protocol.md'],
    ['Rework the server. routes.ts must stay the same.', 'src/routes.ts'],
    ['Rework the server. The tests must stay the same.', 'test/server.test.ts'],
  ])('but what is not asked for is: %s: %s', (said, path) => {
    expect(limitOn(heard(said), path)).toBeDefined()
  })

  it('nor by older ones, which still close the rest', () => {
    const orders = heard('Only touch src/api/users.ts.', 'Now fix the typo in InvoiceMailer too')
    expect(limitOn(orders, 'src/mail/InvoiceMailer.ts')).toBeUndefined()
    expect(limitOn(orders, 'src/mail/OrderMailer.ts')).toContain('Only touch src/api/users.ts')
  })
})

describe('what is only named beside it stays closed', () => {
  it.each([
    ['Corrige el redondeo en PriceService, no toques nada más.', 'src/services/OrderService.java'],
    ['Não altere nada no config.py. Corrija o erro no parser.py.', 'config.py'],
    ['Add tests for src/parser.ts. Do not change src/parser.ts.', 'src/parser.ts'],
    ['Please update src/a.ts to use the helper in src/b.ts, do not change src/b.ts', 'src/b.ts'],
    ['Please update src/a.ts to match src/b.ts. src/b.ts is frozen.', 'src/b.ts'],
    ['Could you fix src/a.ts so it stops importing src/b.ts? Leave src/b.ts alone.', 'src/b.ts'],
    ['Refactor UserStore so that it no longer calls AuthClient. AuthClient must stay as it is.', 'src/AuthClient.ts'],
    ['Fix the total in src/total.ts. Do not write tests, touch nothing else.', 'test/total.test.ts'],
  ])('%s: %s', (said, path) => {
    expect(limitOn(heard(said), path)).toBeDefined()
  })
})
