import { describe, expect, it } from 'vitest'
import type { DriftAction } from '../gist.ts'
import { scoreAction, startTrail } from '../score.ts'
import { checkCircling } from './circling.ts'

const edit = (path: string, diff = '+x'): DriftAction => ({ kind: 'edit', path, diff })

describe('circling', () => {
  const notesAfter = (...actions: DriftAction[]) =>
    actions.reduce((trail, action) => scoreAction(trail, action).trail, startTrail('make the parser faster')).notes
  const same = edit('src/parser.ts', '-const limit = 10\n+const limit = 20')
  const back = edit('src/parser.ts', '-const limit = 20\n+const limit = 10')

  it('is the third edit of one file that brings nothing new', () => {
    expect(checkCircling(notesAfter(same), back)).toBeUndefined()
    expect(checkCircling(notesAfter(same, { kind: 'cmd', cmd: 'npm test' }, back), same)).toMatchObject({ atMost: 7 })
  })

  it('is not steady progress in one file, nor an edit after work elsewhere', () => {
    expect(checkCircling(notesAfter(same, back), edit('src/parser.ts', '+cache = new Map()'))).toBeUndefined()
    expect(checkCircling(notesAfter(same, back, { kind: 'read', path: 'src/lexer.ts' }), same)).toBeUndefined()
  })
})
