import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectAt } from '#exec/git/git.ts'
import { select } from '#supervisor/guard/intents/select-intent.ts'
import { recordLesson } from '#supervisor/guard/lessons.ts'
import { reflect } from '#supervisor/learning/reflect.ts'
import { allLearnings } from '#supervisor/learning/retrieve.ts'
import { rememberWork } from '#supervisor/memory/remember.ts'
import { guarded, intentsYaml } from '../../../test/support/guarded.ts'
import { guardLinks } from './guard-links.ts'

async function linked(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, {
    '.orchestration/active_intents.yaml': intentsYaml({ 'token-refresh': ['src/auth/**'] }).replace(
      'Work of token-refresh',
      'Refresh the session tokens before they expire',
    ),
  })
  const { config } = stage.opened
  const [memory, learning] = await Promise.all([stage.opened.memory(), stage.opened.learning()])
  const world = { ...stage.world, ...guardLinks({ memory, learning, projectAt }) }
  return { ...stage, config, memory, learning, world }
}

describe('an intent that is selected', () => {
  it('brings along what the team remembers and has learned about it', async ({ onTestFinished }) => {
    const { memory, learning, world, guardedProject, dir, store } = await linked(onTestFinished)
    const project = await projectAt(dir)
    await store.projects.put(project)
    await rememberWork(memory, {
      id: 'mem-1',
      projectId: project.id,
      goal: 'Refresh session tokens in src/auth before they expire',
      instruction: 'Refresh session tokens before they expire',
      trigger: 'complete',
      reasoningTrace: ['Tokens expired in the middle of a request'],
      decisions: [{ choice: 'refresh at 80 % of the lifetime', reason: 'clocks differ' }],
      constraints: [],
      files: ['src/auth/token.ts'],
      tags: ['tokens', 'session'],
      status: 'complete',
      createdAt: Date.now(),
    })
    const kept = await reflect(learning, {
      cwd: dir,
      candidates: [
        {
          category: 'pitfall',
          summary: 'Compare the expiry of session tokens with the clock of the server',
          detail:
            'Use the Date header of the answer instead of the local clock; otherwise tokens are refreshed too late.',
          tags: ['tokens', 'session'],
          criteria_met: ['behavior_changing'],
        },
      ],
    })
    expect(kept.rejected).toEqual([])
    await memory.indexes.catchUp()
    const context = (await select(world, guardedProject, { sessionId: 's1' }, 'token-refresh')) as string
    expect(context).toContain('refresh at 80 % of the lifetime (clocks differ)')
    expect(context).toContain('- pitfall: Compare the expiry of session tokens with the clock of the server')
  })

  it('needs neither to work', async ({ onTestFinished }) => {
    const { world, guardedProject, home } = await linked(onTestFinished)
    await writeFile(join(home, 'personal-learnings.md'), 'not what anybody expects')
    expect(await select(world, guardedProject, { sessionId: 's1' }, 'token-refresh')).toContain('<owned_scope>')
  })
})

describe('a lesson', () => {
  it('is offered to the write gate, and becomes a learning', async ({ onTestFinished }) => {
    const { world, guardedProject, learning, dir } = await linked(onTestFinished)
    const lesson =
      'Run `npm run migrate` before the tests in test/db. They read the schema from the database and fail with "no such table" otherwise.'
    expect(await recordLesson(world, guardedProject, { sessionId: 's1' }, lesson)).toContain('Kept in CLAUDE.md')
    const { learnings } = await allLearnings(learning, learning.libraryAt(dir, learning.settingsAt(dir)))
    expect(learnings).toMatchObject([
      { category: 'pitfall', summary: 'Run `npm run migrate` before the tests in test/db.', status: 'active' },
    ])
  })
})
