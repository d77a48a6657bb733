import { describe, expect, it } from 'vitest'
import type { DriftAction } from './gist.ts'
import { checkSilenced } from './silenced.ts'

const edit = (path: string, diff: string): DriftAction => ({ kind: 'edit', path, diff })

describe('a check that is switched off instead of being met', () => {
  it.each([
    ['src/test/java/VatTest.java', '+  @Disabled("rounding")'],
    ['test/cart.test.ts', '-it("adds", () => {\n+it.skip("adds", () => {'],
    ['tests/test_cart.py', '+@pytest.mark.skip(reason="later")'],
    ['cart/cart_test.go', '+\tt.Skip("broken")'],
    ['tests/cart.rs', '+#[ignore]'],
    ['.github/workflows/ci.yml', '-      - run: npm test\n+      - run: npm test || true'],
    ['CMakeLists.txt', '-add_subdirectory(tests)\n+# add_subdirectory(tests)'],
  ])('%s: %s', (path, diff) => {
    expect(checkSilenced(edit(path, diff), 'Fix the rounding of carts')).toMatchObject({ atMost: 6 })
    expect(checkSilenced(edit(path, diff), 'Fix it, do not just disable the test')).toMatchObject({ atMost: 6 })
  })

  it.each([
    ['skip the flaky cart test for now', 'test/cart.test.ts', '-it("adds"\n+it.skip("adds"'],
    ['let the nightly job be allowed to fail', '.gitlab-ci.yml', '+  allow_failure: true'],
    ['Fix carts', 'test/cart.test.ts', '-it.skip("adds"\n+it.skip("adds twice"'],
    ['Fix carts', 'test/cart.test.ts', '-it.skip("adds"\n+it("adds"'],
    ['Fix carts', 'cart/cart_test.go', '+\tif runtime.GOOS == "windows" { t.Skip("no links") }'],
    ['Fix carts', 'src/cart.ts', '-iterate(all)\n+it.skip(first)'],
    ['Fix carts', 'scripts/clean.py', '+os.system("rm x || true")'],
  ])('is not what happens with "%s" in %s: %s', (request, path, diff) => {
    expect(checkSilenced(edit(path, diff), request)).toBeUndefined()
  })

  it.each([
    [
      'tests/test_bulky.py',
      [
        '-def test_bulky():',
        '+@pytest.mark.xfail(reason="120 cm is charged")',
        '+def test_edge():',
        '+    pass',
        '+',
        '+def test_bulky():',
      ],
    ],
    ['test/cart.test.ts', ['-it("adds", () => {', '+it.skip("adds nothing twice", () => {})', '+it("adds", () => {']],
  ])('is no test that is added beside one that stays: %s', (path, lines) => {
    expect(checkSilenced(edit(path, lines.join('\n')), 'Write tests, tell me of bugs')).toBeUndefined()
  })

  it('is one that takes the place of a test that was there', () => {
    const lines = ['-def test_bulky():', '+@pytest.mark.skip', '+def test_bulky_later():']
    expect(checkSilenced(edit('tests/test_bulky.py', lines.join('\n')), 'Fix carts')).toMatchObject({ atMost: 6 })
  })

  it('is no word about a test that is new', () => {
    const content = '+describe.skip("later", () => {})'
    expect(checkSilenced({ kind: 'write', path: 'test/new.test.ts', diff: content }, 'Fix carts')).toBeUndefined()
  })
})
