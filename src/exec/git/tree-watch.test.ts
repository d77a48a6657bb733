import { link, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TreeState } from '#core/ports/guard.ts'
import { createProject, tempDir } from '../../../test/support/project.ts'
import { treeWatches } from './tree-watch.ts'
import { treeChanges } from './work-tree.ts'

type WhenFinished = (work: () => Promise<void>) => void

const files = {
  'a.txt': 'one\n',
  'sub/b.txt': 'bee\n',
  'sub/deep/c.txt': 'sea\n',
  '.gitignore': 'build/\n.env\n',
}

async function watched(whenFinished: WhenFinished) {
  const project = await createProject(files)
  const folder = await tempDir('grove-watch')
  const trees = treeWatches(folder)
  whenFinished(async () => {
    trees.close()
    await project.remove()
    await rm(folder, { recursive: true, force: true })
  })
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(project.dir, path)), { recursive: true })
    await writeFile(join(project.dir, path), text)
  }
  await trees.watching(project.dir)
  await trees.look(project.dir)
  const changed = async (before: TreeState, after: TreeState) =>
    (await treeChanges(project.dir, before, after)).map(({ path }) => path).sort()
  /** What is held against a command, when others work before it begins; the short look after it must tell the same as a full one. */
  const during = async (others: () => Promise<unknown>, command: () => Promise<unknown> = async () => {}) => {
    await others()
    const before = (await trees.lookAgain(project.dir))!
    await command()
    const short = await changed(before, (await trees.lookAfter(project.dir))!)
    const full = await changed(before, (await trees.look(project.dir))!)
    expect(short).toEqual(full)
    return full
  }
  return { ...project, write, during, at: (path: string) => join(project.dir, path) }
}

describe('the look before a command', () => {
  it('knows what others changed since the last one', async ({ onTestFinished }) => {
    const { write, during, git, at } = await watched(onTestFinished)
    const others = [
      () => write('a.txt', 'theirs\n'),
      () => write('new/one.txt', '1\n'),
      () => write('new/two/three.txt', '3\n'),
      () => write('build/out.js', 'x'),
      () => write('.env', 'TOKEN=1\n'),
      () => rm(at('sub/b.txt')),
      () => rm(at('sub'), { recursive: true }),
      () => rename(at('new'), at('moved')),
      () => write('moved/two/three.txt', '4\n'),
      () => git('checkout', '-q', '--', 'sub'),
      () => write('.gitignore', '.env\n'),
      () => git('add', '-A'),
      () => git('commit', '-qm', 'all'),
      () => link(at('a.txt'), at('sub/a.txt')),
      () => write('sub/a.txt', 'through the other name\n'),
    ]
    for (const work of others) expect(await during(work), String(work)).toEqual([])
  })

  it('leaves what the command does to the look after it', async ({ onTestFinished }) => {
    const { write, during, git, at } = await watched(onTestFinished)
    const mine = () => write('a.txt', 'theirs\n')
    expect(await during(mine, () => write('a.txt', 'the command’s\n'))).toEqual(['a.txt'])
    expect(await during(mine, () => write('made/by/it.txt', 'x'))).toEqual(['made/by/it.txt'])
    expect(await during(mine, () => rm(at('sub/deep'), { recursive: true }))).toEqual(['sub/deep/c.txt'])
    expect(await during(mine, () => write('.env', 'TOKEN=2\n'))).toEqual(['.env'])
    expect(await during(mine, () => git('checkout', '-q', '--', '.'))).toEqual(['a.txt', 'sub/deep/c.txt'])
  })

  it('sees afterwards what tells no watcher: another name of the file outside, times set back, marks in the index', async ({
    onTestFinished,
  }) => {
    const { during, git, at, write } = await watched(onTestFinished)
    const elsewhere = join(await tempDir('grove-elsewhere'), 'other-name')
    onTestFinished(() => rm(dirname(elsewhere), { recursive: true }))
    await link(at('a.txt'), elsewhere)
    await write('loose.txt', 'not committed\n')
    await link(at('loose.txt'), `${elsewhere}-2`)
    const nobody = async () => {}
    expect(await during(nobody, () => writeFile(elsewhere, 'through the other name\n'))).toEqual(['a.txt'])
    expect(await during(nobody, () => writeFile(`${elsewhere}-2`, 'likewise\n'))).toEqual(['loose.txt'])
    const back = async () => {
      await writeFile(elsewhere, 'as long as the other name\n'.slice(0, 23))
      await utimes(elsewhere, 1e9, 1e9)
    }
    expect(await during(nobody, back)).toEqual(['a.txt'])
    await git('update-index', '--assume-unchanged', 'sub/b.txt')
    expect(await during(nobody, () => write('sub/b.txt', 'unseen\n'))).toEqual(['sub/b.txt'])
    expect(await during(nobody, () => write('sub/b.txt', 'unseen again\n'))).toEqual(['sub/b.txt'])
  })

  it('is a full one again after more changes than can be told one by one', async ({ onTestFinished }) => {
    const { write, during } = await watched(onTestFinished)
    const many = async () => {
      for (let n = 0; n < 400; n++) await write(`many/${n}.txt`, String(n))
    }
    expect(await during(many)).toEqual([])
    expect(await during(() => write('many/7.txt', 'seven'))).toEqual([])
  })
})
