import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Learning } from '#core/learning/learning.ts'
import { learning } from '../testing/learning.ts'
import { learningsFile, mergeByUnion } from './learnings-md.ts'
import { renderLearning } from './learnings-text.ts'

let folder: string
const path = () => join(folder, 'learnings.md')
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'grove-learnings-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a file of learnings in git', () => {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    })
  const commit = (message: string) => {
    git('add', '--all')
    git('-c', 'user.name=T', '-c', 'user.email=t', 'commit', '--quiet', '--allow-empty', `--message=${message}`)
  }
  const merge = (branch: string) =>
    git('-c', 'user.name=T', '-c', 'user.email=t', 'merge', '--quiet', '--no-edit', branch)
  const add = async (...all: Learning[]) => {
    for (const one of all) await learningsFile(path()).append(one)
    await mergeByUnion(path(), folder)
  }

  it('merges what two branches learned, and keeps both', async () => {
    git('init', '--quiet', '--initial-branch=main')
    await add(learning('base'))
    commit('base')
    git('checkout', '--quiet', '-b', 'other')
    await add(learning('theirs'))
    commit('theirs')
    git('checkout', '--quiet', 'main')
    await add(learning('ours'))
    commit('ours')
    merge('other')
    expect((await learningsFile(path()).read()).map(({ id }) => id).sort()).toEqual([
      'lrn_base',
      'lrn_ours',
      'lrn_theirs',
    ])
    expect(git('status', '--porcelain')).toBe('')
  })

  it('merges also when both branches began the file, and when one edited the last learning', async () => {
    git('init', '--quiet', '--initial-branch=main')
    commit('empty')
    git('checkout', '--quiet', '-b', 'other')
    await add(learning('theirs'))
    commit('theirs')
    git('checkout', '--quiet', 'main')
    await add(learning('ours'))
    commit('ours')
    merge('other')
    expect(await learningsFile(path()).read()).toHaveLength(2)

    git('checkout', '--quiet', '-b', 'editing')
    const last = (await learningsFile(path()).read()).at(-1)!
    await learningsFile(path()).change(last.id, (one) => ({ ...one, detail: 'Somebody said it better than before.' }))
    commit('edit')
    git('checkout', '--quiet', 'main')
    await add(learning('more'))
    commit('more')
    merge('editing')
    const read = await learningsFile(path()).read()
    expect(read).toHaveLength(3)
    expect(read.find(({ id }) => id === last.id)?.detail).toBe('Somebody said it better than before.')
    expect(readFileSync(path(), 'utf8')).not.toContain('<<<<<<<')
  })

  it('keeps learnings apart when both branches changed the last one and added another', async () => {
    git('init', '--quiet', '--initial-branch=main')
    await add(learning('base'))
    commit('base')
    for (const name of ['theirs', 'ours']) {
      git('checkout', '--quiet', '-b', name, 'main')
      await learningsFile(path()).change('lrn_base', (one) => ({ ...one, tags: [name], detail: `As ${name} says it.` }))
      await add(learning(name))
      commit(name)
    }
    merge('theirs')
    const read = await learningsFile(path()).read()
    expect(read).toEqual(expect.arrayContaining([learning('ours'), learning('theirs')]))
    expect(read).toHaveLength(3)
    expect(['As ours says it.', 'As theirs says it.']).toContain(read.find(({ id }) => id === 'lrn_base')?.detail)
  })

  it('tears nothing apart when both branches deleted one and added another', async () => {
    git('init', '--quiet', '--initial-branch=main')
    const told = (id: string) => learning(id, { detail: `What ${id} is about.\n\nWhat to do about ${id}.` })
    await add(told('base'), told('first'), told('second'))
    commit('base')
    for (const [name, deleted] of [
      ['theirs', 'first'],
      ['ours', 'second'],
    ] as const) {
      git('checkout', '--quiet', '-b', name, 'main')
      writeFileSync(path(), readFileSync(path(), 'utf8').replace(renderLearning(told(deleted)), ''))
      await add(told(name))
      commit(name)
    }
    merge('theirs')
    const read = await learningsFile(path()).read()
    expect(read).toEqual(expect.arrayContaining([told('base'), told('ours'), told('theirs')]))
    expect(read).toEqual(read.map(({ id }) => told(id.slice(4))))
  })

  it('tears nothing apart, whatever the learnings of both branches have in common', async () => {
    git('init', '--quiet', '--initial-branch=main')
    await add(learning('base'))
    commit('base')
    const shared = ['first line', 'second line', 'third line', 'fourth line', 'fifth line', '', 'seventh line']
    const detail = fc
      .array(fc.constantFrom(...shared), { minLength: 1, maxLength: 10 })
      .map((lines) => ['A detail that begins well.', ...lines, 'And ends.'].join('\n').replaceAll(/\n{3,}/g, '\n\n'))
    const some = fc.array(detail, { minLength: 1, maxLength: 3 })
    let round = 0
    for (const [ours, theirs] of fc.sample(fc.tuple(some, some), 25)) {
      round++
      git('checkout', '--quiet', '-b', `a${round}`, 'main')
      const mine = ours!.map((text, at) => learning(`a${round}-${at}`, { detail: text }))
      await add(...mine)
      commit('a')
      git('checkout', '--quiet', '-b', `b${round}`, 'main')
      const yours = theirs!.map((text, at) => learning(`b${round}-${at}`, { detail: text }))
      await add(...yours)
      commit('b')
      merge(`a${round}`)
      const read = await learningsFile(path()).read()
      expect(read).toHaveLength(1 + mine.length + yours.length)
      expect(read).toEqual(expect.arrayContaining([learning('base'), ...mine, ...yours]))
    }
  })
})
