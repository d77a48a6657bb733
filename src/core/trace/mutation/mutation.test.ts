import { describe, expect, it } from 'vitest'
import { classifyMutation } from '#exec/syntax/parse.ts'

const REFACTOR = 'AST_REFACTOR'
const EVOLUTION = 'INTENT_EVOLUTION'
const judge = async (path: string, before: string | undefined, after: string | undefined) => {
  const { class: verdict, why } = await classifyMutation(before, after, path)
  return { verdict, why }
}

describe('a file as a whole', () => {
  it.each([
    ['is new', undefined, 'const a = 1', EVOLUTION, 'a new file'],
    ['is gone', 'const a = 1', undefined, EVOLUTION, 'the file is gone'],
    ['is emptied', 'const a = 1', '', EVOLUTION, 'nothing is left of the file'],
    ['is the same', 'const a = 1', 'const a = 1', REFACTOR, 'nothing changed'],
    ['is new and empty', undefined, '\n', REFACTOR, 'the file is empty'],
  ])('%s', async (_, before, after, verdict, why) => {
    expect(await judge('a.ts', before, after)).toEqual({ verdict, why })
  })
})

describe('the reason', () => {
  it.each([
    ['a.ts', 'function f(x) { return x }', 'function f(y) { return y }', 'renames x → y'],
    ['a.ts', 'function f() {}\nfunction g() {}', 'function g() {}\nfunction f() {}', 'moves declarations'],
    [
      'a.ts',
      "import a from 'a'\nimport b from 'b'\na(b)",
      "import b from 'b'\nimport a from 'a'\na(b)",
      'rearranges imports',
    ],
    ['a.ts', 'f( 1 ) // one', 'f(1)', 'changes only layout or comments'],
    ['a.ts', 'f((a) => a + 1)', 'f((a) => {\n  return a + 1\n})', 'changes only layout or comments'],
    ['a.js', 'f(a => ({ a }))', 'f((a) => {\n  return { a }\n})', 'changes only layout or comments'],
    ['a.js', 'f(a => {\n  a + 1\n})', 'f(a => a + 1)', 'binary expression instead of statement block'],
    ['a.ts', 'const a = 1', 'const a = 2', 'changes a: "1" became "2"'],
    ['a.ts', 'f()', 'f()\ng()', 'adds expression statement'],
    ['a.ts', 'function f() {}', 'function f() {}\nfunction g() {}', 'adds g'],
    ['a.py', 'def f():\n    return g()', 'def f():\n    return h()', 'changes f: uses h instead of g'],
  ])('in %s from %j to %j is: %s', async (path, before, after, why) => {
    expect((await judge(path, before, after)).why).toBe(why)
  })
})

describe('a rename', () => {
  const verdict = async (before: string, after: string) => (await judge('a.ts', before, after)).verdict

  it('is a refactor when every use follows', async () => {
    expect(await verdict('let a = 1; a++; f(a)', 'let b = 1; b++; f(b)')).toBe(REFACTOR)
  })

  it('is not when one use is forgotten', async () => {
    expect(await verdict('let a = 1; a++; f(a)', 'let b = 1; b++; f(a)')).toBe(EVOLUTION)
  })

  it('is not when two names become one', async () => {
    expect(await verdict('function f(a, b) { return a - b }', 'function f(a, b) { return a - a }')).toBe(EVOLUTION)
  })

  it('is not when it catches a name from further out', async () => {
    expect(
      await verdict('const x = 1; function f(a) { return a + x }', 'const x = 1; function f(x) { return x + x }'),
    ).toBe(EVOLUTION)
  })

  it('may reuse a name that another function also has', async () => {
    expect(await verdict('const f = (a) => a; const g = (b) => b', 'const f = (b) => b; const g = (b) => b')).toBe(
      REFACTOR,
    )
  })

  it('of a member needs its declaration in sight', async () => {
    expect(await verdict('class A { run() {} }\nnew A().run()', 'class A { go() {} }\nnew A().go()')).toBe(REFACTOR)
    expect(await verdict('a.run()', 'a.go()')).toBe(EVOLUTION)
    expect(await verdict('class A { run() {} }\nnew A().run()', 'class A { go() {} }\nnew A().run()')).toBe(EVOLUTION)
  })

  it('of what the language itself calls changes the program', async () => {
    expect(await verdict('class A { constructor() { f() } }', 'class A { build() { f() } }')).toBe(EVOLUTION)
  })
})

describe('an order that has effects', () => {
  it.each([
    ['a.ts', "import './polyfill'\nimport './styles.css'\nrun()", "import './styles.css'\nimport './polyfill'\nrun()"],
    [
      'a.ts',
      "import './setup'\nimport { app } from './app'\napp()",
      "import { app } from './app'\nimport './setup'\napp()",
    ],
    ['a.js', "require('./a')\nrequire('./b')", "require('./b')\nrequire('./a')"],
    ['a.css', "@import 'a.css';\n@import 'b.css';", "@import 'b.css';\n@import 'a.css';"],
    ['a.css', '.a { color: red }\n.b { color: blue }', '.b { color: blue }\n.a { color: red }'],
    ['a.go', 'package a\n\nvar p = point{1, 2}\n', 'package a\n\nvar p = point{2, 1}\n'],
    [
      'a.go',
      'package a\n\ntype point struct {\n\tx int\n\ty int\n}\n\nvar p = point{1, 2}\n',
      'package a\n\ntype point struct {\n\ty int\n\tx int\n}\n\nvar p = point{1, 2}\n',
    ],
    ['a.rs', 'struct P(i32, u8);\n', 'struct P(u8, i32);\n'],
    [
      'a.c',
      'struct p { int x; int y; };\nstruct p a = { 1, 2 };\n',
      'struct p { int y; int x; };\nstruct p a = { 1, 2 };\n',
    ],
    [
      'a.ts',
      "app.get('/users/me', me)\napp.get('/users/:id', one)",
      "app.get('/users/:id', one)\napp.get('/users/me', me)",
    ],
    [
      'a.py',
      "urlpatterns = [path('a/me', me), path('a/<id>', one)]",
      "urlpatterns = [path('a/<id>', one), path('a/me', me)]",
    ],
    [
      'a.py',
      "@app.route('/me')\ndef me():\n    return 1\n\n\n@app.route('/<id>')\ndef one():\n    return 2\n",
      "@app.route('/<id>')\ndef one():\n    return 2\n\n\n@app.route('/me')\ndef me():\n    return 1\n",
    ],
    [
      'package.json',
      '{"exports":{".":{"import":"./a.mjs","default":"./a.cjs"}}}',
      '{"exports":{".":{"default":"./a.cjs","import":"./a.mjs"}}}',
    ],
    ['a.ts', 'enum E { A, B }', 'enum E { B, A }'],
    [
      'a.rb',
      "get '/me' do\n  1\nend\n\nget '/:id' do\n  2\nend\n",
      "get '/:id' do\n  2\nend\n\nget '/me' do\n  1\nend\n",
    ],
    ['a.yml', '- a\n- b\n', '- b\n- a\n'],
    ['a.py', 'import a\nfrom b import *\nfrom c import *\n', 'import a\nfrom c import *\nfrom b import *\n'],
    ['a.ts', 'const a = f()\nconst b = g()', 'const b = g()\nconst a = f()'],
  ])('is no refactor: %s %j → %j', async (path, before, after) => {
    expect((await judge(path, before, after)).verdict).toBe(EVOLUTION)
  })

  it.each([
    ['a.ts', "import a from 'a'\nimport b from 'b'\na(b)", "import b from 'b'\nimport a from 'a'\na(b)"],
    ['package.json', '{"name":"a","version":"1.0.0"}', '{"version":"1.0.0","name":"a"}'],
    ['a.yml', 'a: 1\nb: 2\n', 'b: 2\na: 1\n'],
    [
      'a.py',
      'def f():\n    return 1\n\n\ndef g():\n    return 2\n',
      'def g():\n    return 2\n\n\ndef f():\n    return 1\n',
    ],
  ])('that has none is one: %s %j → %j', async (path, before, after) => {
    expect((await judge(path, before, after)).verdict).toBe(REFACTOR)
  })
})

it('reads the letters of a string, not its quotes', async () => {
  expect((await judge('a.py', `a = "it's \\u0041"`, `a = 'it\\'s A'`)).verdict).toBe(REFACTOR)
  expect((await judge('a.py', `a = b'x'`, `a = 'x'`)).verdict).toBe(EVOLUTION)
  expect((await judge('a.rb', `a = '\\n'`, `a = "\\n"`)).verdict).toBe(EVOLUTION)
  expect((await judge('a.py', `f("'")`, `f('"')`)).verdict).toBe(EVOLUTION)
})

it('falls back to words and signs when a file does not parse', async () => {
  expect(await judge('a.ts', 'const = [1,2', 'const = [ 1, 2')).toEqual({
    verdict: REFACTOR,
    why: 'changes only layout',
  })
  expect((await judge('a.ts', 'const = [1,2', 'const = [1,3')).verdict).toBe(EVOLUTION)
})

it('judges a very long or very deep file without harm', async () => {
  const deep = `${'('.repeat(5000)}1${')'.repeat(5000)}`
  expect((await judge('a.js', deep, deep.replace('1', ' 1'))).verdict).toBe(REFACTOR)
  const long = 'f(1)\n'.repeat(300_000)
  expect((await judge('a.js', long, `${long}f(2)\n`)).verdict).toBe(EVOLUTION)
})

it('takes a language for what its file name says', async () => {
  expect((await classifyMutation('a', 'b', 'x/Makefile')).language).toBeUndefined()
  expect((await classifyMutation('{}', '{ }', '.prettierrc')).language).toBe('json')
  expect((await classifyMutation('a: 1', 'a:  1', 'x.YML')).language).toBe('yaml')
})
