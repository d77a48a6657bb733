import { describe, expect, it } from 'vitest'
import type { Commit } from '#core/memory/import-commit.ts'
import type { GitHistory } from '#core/ports/import.ts'
import { store, storeForEach } from '../../../test/support/start-engine.ts'
import { importGit } from './import-git.ts'

storeForEach()

const commit = (n: number): Commit => ({
  sha: String(n).padStart(40, '0'),
  author: 'Ada',
  at: n * 1_000,
  title: `Teach the importer lesson number ${n}`,
  body: '',
  files: [`src/lesson-${n}.ts`],
})

/** A history of so many commits, in a straight line; `breakAfter` ends the reading like a crash would. */
function history(length: number, breakAfter = Number.POSITIVE_INFINITY): GitHistory & { read: number } {
  const numberOf = (sha: string) => Number(sha)
  const self = {
    read: 0,
    headOf: async () => commit(length).sha,
    aside: async () => ({ branch: 'side', commits: new Set([commit(2).sha]) }),
    isBehind: async (_root: string, one: string, head: string) => numberOf(one) <= numberOf(head),
    lengthOf: async (_root: string, { head, known }: { head: string; known?: string }) =>
      numberOf(head) - numberOf(known ?? '0'),
    async *commitsOf(_root: string, { head, skip, known, most = 1e9 }: Parameters<GitHistory['commitsOf']>[1]) {
      const first = Math.max(numberOf(known ?? '0'), numberOf(head) - most) + 1
      for (let n = first + skip; n <= numberOf(head); n++) {
        if (self.read === breakAfter) throw new Error('the power went out')
        self.read++
        yield commit(n)
      }
    },
  }
  return self
}

const wish = { projectId: 'p', root: '/p' }
const needs = (of: GitHistory) => ({
  store,
  clock: { now: () => 1 },
  history: of,
  idFor: (...parts: string[]) => parts.join(':'),
})

describe('importing a history', () => {
  it('goes on where it was broken off, and reads nothing twice', async () => {
    const broken = history(450, 333)
    await expect(importGit(needs(broken), wish)).rejects.toThrow('the power went out')
    expect(await store.memories.count('p')).toBe(300)

    const whole = history(450)
    expect(await importGit(needs(whole), wish)).toMatchObject({ read: 150, kept: 150 })
    expect(await store.memories.count('p')).toBe(450)
  })

  it('finishes what was broken off before it reads what is new', async () => {
    await expect(importGit(needs(history(450, 333)), wish)).rejects.toThrow()
    const longer = history(500)
    expect(await importGit(needs(longer), wish)).toMatchObject({ read: 200, kept: 200 })
    expect(await store.memories.count('p')).toBe(500)
    expect(await importGit(needs(history(500)), wish)).toMatchObject({ read: 0, kept: 0 })
    expect(await importGit(needs(history(503)), wish)).toMatchObject({ read: 3, kept: 3 })
  })

  it('reads the older ones too when more is asked for than the time before', async () => {
    expect(await importGit(needs(history(300)), { ...wish, most: 20 })).toMatchObject({ kept: 20 })
    expect(await importGit(needs(history(300)), { ...wish, most: 20 })).toMatchObject({ read: 0 })
    expect(await importGit(needs(history(300)), wish)).toMatchObject({ read: 300, kept: 280, known: 20 })
    expect(await importGit(needs(history(300)), wish)).toMatchObject({ read: 0 })
    expect(await importGit(needs(history(300)), { ...wish, most: 20 })).toMatchObject({ read: 0 })
  })

  it('leaves out commits that an agent made under supervision: their memory says more', async () => {
    await importGit(needs(history(1)), wish)
    const [made] = await store.memories.list('p', { limit: 1 })
    await store.memories.put({ ...made!, id: 'mem_1', trigger: 'complete', linkedCommit: commit(2).sha })
    expect(await importGit(needs(history(3)), wish)).toMatchObject({ read: 2, kept: 1, known: 1 })
  })

  it('tells how far it is', async () => {
    const seen: string[] = []
    await importGit(needs(history(250)), wish, ({ read }, share) => seen.push(`${read} ${share}`))
    expect(seen).toEqual(['100 0.4', '200 0.8', '250 1'])
    const rest: number[] = []
    await expect(importGit(needs(history(650, 320)), { ...wish, projectId: 'q' })).rejects.toThrow()
    await importGit(needs(history(650)), { ...wish, projectId: 'q' }, (_, share) => rest.push(share))
    expect(rest[0]).toBe(400 / 650)
  })

  it('does not leave what was taken back as it was', async () => {
    const why = 'It was slow because `readAll` waits for the network.'
    const of = history(3)
    const { commitsOf } = of
    of.commitsOf = async function* (...args) {
      for await (const one of commitsOf(...args)) {
        const revert = { title: 'Revert "lesson 1"', body: `This reverts commit ${commit(1).sha}.\n\n${why}` }
        yield one.sha === commit(3).sha ? { ...one, ...revert } : one
      }
    }
    await importGit(needs(of), wish)
    const [third, , first] = await store.memories.list('p', { limit: 9 })
    expect(first).toMatchObject({ supersededBy: third!.id, updatedAt: 3_000 })
    expect(third).toMatchObject({ reasoningTrace: expect.arrayContaining([why]) })
  })

  it('marks what lies on a branch of its own', async () => {
    await importGit(needs(history(3)), wish)
    const kept = await store.memories.list('p', { limit: 9 })
    expect(kept.map(({ linkedCommit, branch }) => [Number(linkedCommit), branch])).toEqual([
      [3, undefined],
      [2, 'side'],
      [1, undefined],
    ])
  })

  it('leaves alone what a person has changed or deleted', async () => {
    await importGit(needs(history(3)), wish)
    const [first, second] = await store.memories.list('p', { limit: 2 })
    await store.memories.put({ ...first!, goal: 'My own words', updatedAt: 9_999_999 })
    await store.memories.remove(second!.id, { at: 1 })
    await importGit(needs(history(3)), { ...wish, again: true })
    expect(await store.memories.get(first!.id)).toMatchObject({ goal: 'My own words' })
    expect(await store.memories.get(second!.id)).toBeUndefined()
  })
})
