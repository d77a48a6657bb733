import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject, type Project, tempDir } from '../../../test/support/project.ts'
import { commentsIn } from '../syntax/comments.ts'
import { todoBlocks } from './blocks.ts'
import { todoScanner } from './todo-scanner.ts'

const blocks = async (path: string, text: string) => todoBlocks(await commentsIn(path, text))
const BLOCK = [
  'TODO: Add a limit',
  'Impact: Security - guessing',
  'Options: (A) package [recommended] (B) own',
  'Priority: High',
]
const lines = (sign: string) => BLOCK.map((line) => `${sign} ${line}`).join('\n')

describe('a block', () => {
  it.each([
    ['a.ts', `const a = 1\n/**\n${BLOCK.map((line) => ` * ${line}`).join('\n')}\n */\nf()\n`, 3],
    ['a.tsx', `const a = <b>{/* ${BLOCK.join('\n')} */}</b>\n`, 1],
    ['a.js', `${lines('//')}\nf()\n`, 1],
    ['a.go', `package a\n\n${lines('//')}\nfunc f() {}\n`, 3],
    ['a.rs', `${lines('///')}\nfn f() {}\n`, 1],
    ['A.java', `class A {\n  /* ${BLOCK.join('\n     ')} */\n}\n`, 2],
    ['a.c', `int a; /*\n${BLOCK.join('\n')}\n*/\n`, 2],
    ['a.py', `def f():\n${lines('    #')}\n    pass\n`, 2],
    ['a.rb', `${lines('#')}\nputs 1\n`, 1],
    ['a.sh', `#!/bin/sh\n\n${lines('#')}\necho\n`, 3],
    ['a.css', `/*\n${BLOCK.join('\n')}\n*/\na { b: c }\n`, 2],
    ['a.yml', `a:\n${lines('  #')}\n  b: 1\n`, 2],
    ['a.html', `<p>\n<!-- ${BLOCK.join('\n')} -->\n</p>`, 2],
    ['a.xml', `<a>\n<!--\n${BLOCK.join('\n')}\n-->\n</a>`, 3],
    ['a.vue', `<template/>\n<script lang="ts">\n${lines('//')}\nf()\n</script>`, 3],
    ['a.sql', `${lines('--')}\nSELECT 1;`, 1],
    ['a.toml', `a = 1\n${lines('#')}\n`, 2],
    ['a.kt', `${lines('//')}\nfun f() {}`, 1],
    ['Dockerfile', `FROM x\n${lines('#')}\n`, 2],
    ['a.php', `<?php\n${lines('//')}\n`, 2],
    ['a.cs', `${lines('//')}\nclass A {}`, 1],
    ['broken.ts', `function ( { [\n${lines('//')}\nlet let let`, 2],
  ])('is found in %s, whole and without its signs', async (path, text, line) => {
    expect(await blocks(path, text)).toEqual([{ type: 'TODO', line, text: BLOCK.join('\n') }])
    expect(await blocks(path, text.replaceAll('\n', '\r\n'))).toEqual([{ type: 'TODO', line, text: BLOCK.join('\n') }])
  })

  it.each([
    ['a.ts', 'const a = "// TODO: no"\nconst b = `\n// TODO: no\n`\nconst c = /\\/\\/ TODO: no/\n'],
    ['a.py', 'a = "# TODO: no"\n"""\n# TODO: no\nTODO: no\n"""\n'],
    ['a.yaml', 'a: "# TODO: no"\nb: |\n  # TODO: no\nc: x#TODO: no\n'],
    ['a.xml', '<a><![CDATA[<!-- TODO: no -->]]>TODO: no</a>'],
    ['a.sh', 'echo "# TODO: no"\ncat <<X\n# TODO: no\nX\n'],
    ['a.sql', "SELECT '-- TODO: no', 1;"],
    ['a.scss', '$a: "// TODO: no"; b { c: url(http://TODO: no) }'],
    ['a.toml', 'a = """\n# TODO: no\n"""\n'],
    ['a.ts', '// see the TODO: list\n// TODOS: no\n// no TODO here\n// TODO without a colon\n'],
    ['a.bin', '// TODO: nobody knows this language\n'],
  ])('is not what only looks like one in %s', async (path, text) => {
    expect(await blocks(path, text)).toEqual([])
  })

  it('ends at the next mark, at an empty line, at code, and at a tag of the documentation', async () => {
    const text = `
// TODO: one
// goes on
// FIXME(ada): two
//
// other words
f() // DEPENDENCY: three
// not part of three
/**
 * Says what it does.
 * TODO: four
 *
 * Priority: Low
 * @param x no
 */
f(1) // TODO: five
     // and on
`
    expect((await blocks('a.ts', text)).map(({ type, line, text }) => [type, line, text])).toEqual([
      ['TODO', 2, 'TODO: one\ngoes on'],
      ['FIXME', 4, 'FIXME(ada): two'],
      ['DEPENDENCY', 7, 'DEPENDENCY: three'],
      ['TODO', 11, 'TODO: four\nPriority: Low'],
      ['TODO', 16, 'TODO: five\nand on'],
    ])
  })
})

describe('blocks that are new since a commit', () => {
  let project: Project
  const scanner = todoScanner({ PATH: process.env.PATH, HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' })
  const place = () => ({ repository: project.dir, folder: project.dir, inPlace: true, branch: 'main' })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project.dir, path)), { recursive: true })
    writeFileSync(join(project.dir, path), text)
  }
  const fresh = async () =>
    (await scanner.newSince(place(), 'HEAD')).map(({ path, line, text }) => `${path}:${line} ${text}`)

  beforeEach(async () => {
    project = await createProject({
      'src/a.ts': '// TODO: old\nf()\n// TODO: same\ng()\n',
      'src/moved.ts': `// TODO: moves along\n${'const a = 1\n'.repeat(20)}`,
      '.gitignore': 'ignored/\n',
    })
  })
  afterEach(() => project.remove())

  it('are none when old ones move, and those that came with the work', async () => {
    expect(await fresh()).toEqual([])
    write('src/a.ts', 'h()\n\n//   todo: x\n// TODO:  old\nf()\n// TODO: same\ng()\n// TODO: same\n// FIXME: new\n')
    renameSync(join(project.dir, 'src/moved.ts'), join(project.dir, 'src/elsewhere.ts'))
    write('new file "x".py', '# DEPENDENCY: theirs\n')
    write('node_modules/x/a.js', '// TODO: no')
    write('dist/a.js', '// TODO: no')
    write('ignored/a.js', '// TODO: no')
    symlinkSync('/etc/passwd', join(project.dir, 'link.ts'))
    expect((await fresh()).sort()).toEqual([
      'new file "x".py:1 DEPENDENCY: theirs',
      'src/a.ts:8 TODO: same',
      'src/a.ts:9 FIXME: new',
    ])
    await project.git('add', '--all')
    await project.git('commit', '--quiet', '--message=Work')
    expect(await scanner.newSince(place(), 'HEAD~1')).toHaveLength(3)
    expect(await scanner.newSince(place(), 'HEAD~1', 'HEAD')).toEqual(await scanner.newSince(place(), 'HEAD~1'))
    expect(await fresh()).toEqual([])
  })

  it('are few among all there are, which can be too many to show', async () => {
    write('dist/a.js', '// TODO: no')
    write('vendor/a.go', '// TODO: no')
    const all = await scanner.all(project.dir, 10)
    expect(all.blocks.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'src/a.ts:1',
      'src/a.ts:3',
      'src/moved.ts:1',
    ])
    expect(all.truncated).toBe(false)
    expect(await scanner.all(project.dir, 2)).toMatchObject({ truncated: true, blocks: { length: 2 } })
  })

  it('can be looked for outside of git', async () => {
    const folder = await tempDir('plain')
    writeFileSync(join(folder, 'a.ts'), '// TODO: here\n')
    expect((await scanner.all(folder, 10)).blocks).toEqual([
      { path: 'a.ts', line: 1, type: 'TODO', text: 'TODO: here' },
    ])
    rmSync(folder, { recursive: true })
  })
})
