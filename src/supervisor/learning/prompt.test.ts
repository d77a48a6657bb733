import { describe, expect, it } from 'vitest'
import { told } from '../../../test/support/learning-bench.ts'
import { benchesIn, candidate, PLACES } from '../../../test/support/learning-cases.ts'
import { reflect } from './reflect.ts'

describe.each(PLACES)('$where', ({ later }) => {
  const { setBench } = benchesIn(later)

  describe('a prompt', () => {
    it('brings to mind what fits it and was not shown yet', async () => {
      const bench = await setBench()
      bench.write('.grove/config.toml', '[retrieval]\nstrategy = "conservative"\n')
      await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [candidate] })
      expect(await bench.hook('SessionStart', { source: 'startup' })).toEqual({})
      const prompt = 'Why does the database seed script fail?'
      const answer = await bench.hook('UserPromptSubmit', { prompt })
      expect(answer.hookSpecificOutput?.additionalContext).toContain('Run the migrations')
      expect(await bench.hook('UserPromptSubmit', { prompt })).toEqual({})
      expect(await bench.hook('UserPromptSubmit', { prompt: 'Paint the button blue' })).toEqual({})
    })

    it.each([
      [
        '数据库迁移必须先于种子脚本运行',
        '种子脚本往表里写数据，而这些表只有迁移才会创建，否则会失败。',
        '为什么种子脚本会失败？',
      ],
      [
        'シードの前にマイグレーションを実行する',
        'テーブルは移行で作られるため、先に実行しないと例外になる。',
        'シードが失敗する理由を調べて',
      ],
      [
        '시드 스크립트 전에 마이그레이션을 실행해야 한다',
        '테이블은 마이그레이션에서만 만들어지므로 먼저 실행하지 않으면 실패한다.',
        '시드 스크립트가 왜 실패하지?',
      ],
    ])('finds what fits it also where words are not set apart: %s', async (summary, detail, prompt) => {
      const bench = await setBench({ '.grove/config.toml': '[retrieval]\nstrategy = "conservative"\n' })
      const others = ['Release notes are in German since 2024', 'The widget needs cookies with SameSite=None'].map(
        (other) => {
          return {
            ...candidate,
            summary: other,
            detail: `${other}, because the customer in Berlin wants it so.`,
            context_files: [],
          }
        },
      )
      await reflect(bench.world, {
        cwd: bench.root,
        candidates: [...others, { ...candidate, summary, detail, tags: ['x1'], context_files: [] }],
      })
      await bench.hook('SessionStart', { source: 'startup' })
      expect(told(await bench.hook('UserPromptSubmit', { prompt }))).toContain(summary)
    })

    it("is shown a person's own learnings where they fit, marked as such, and nowhere else", async () => {
      const bench = await setBench()
      await reflect(bench.world, { cwd: bench.root, candidates: [{ ...candidate, scope: 'personal' }] })
      expect(told(await bench.hook('SessionStart', { source: 'startup' }))).not.toContain('Run the migrations')
      const shown = told(await bench.hook('UserPromptSubmit', { prompt: 'Why does the database seed script fail?' }))
      expect(shown).toContain('Run the migrations')
      expect(shown).toContain('your own')
    })

    it('may ask to remember something, which the reflection may then claim', async () => {
      const bench = await setBench()
      await bench.hook('SessionStart', { source: 'startup' })
      const asked = {
        ...candidate,
        summary: 'Release notes are in German',
        detail: 'Every file in release-notes/ is German.',
        criteria_met: ['explicit_request'],
      }
      const before = await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [asked] })
      expect(before.rejected).toMatchObject([
        { reasons: expect.arrayContaining([expect.stringContaining('explicit_request is not borne out')]) },
      ])
      await bench.hook('UserPromptSubmit', { prompt: 'The footer never appears, never mind. Has it always been so?' })
      expect((await bench.session())?.askedToRemember).toBeUndefined()
      await bench.hook('UserPromptSubmit', { prompt: 'Fix the notes. Always write them in German.' })
      expect(await reflect(bench.world, { cwd: bench.root, ownId: 's1', candidates: [asked] })).toMatchObject({
        accepted: [{}],
      })
    })
  })
})
