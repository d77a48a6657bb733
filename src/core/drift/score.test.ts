import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { model, scoreOf } from './model.ts'
import { type DriftAction, type DriftReading, judgeAction, scoreAction, startTrail } from './score.ts'

const authGoal = 'Fix token refresh: the session expires although the refresh token is still valid'
const authWork: DriftAction[] = [
  { kind: 'search', query: 'refreshToken' },
  { kind: 'read', path: 'src/auth/token.ts' },
  {
    kind: 'edit',
    path: 'src/auth/token.ts',
    diff: '-if (token.expires < now) return null\n+if (token.expires < now) return refreshToken(session)',
  },
  { kind: 'read', path: 'src/auth/session.ts' },
]
const styling: DriftAction[] = [
  { kind: 'read', path: 'src/styles/theme.css' },
  {
    kind: 'edit',
    path: 'src/styles/theme.css',
    diff: '-.button { color: gray }\n+.button { color: teal; border-radius: 4px }',
  },
  { kind: 'edit', path: 'src/components/Button.tsx', diff: '+<button className="rounded teal" onHover={animate}>' },
]

function follow(goal: string, actions: DriftAction[]): DriftReading[] {
  let trail = startTrail(goal)
  return actions.map((action) => {
    const scored = scoreAction(trail, action)
    trail = JSON.parse(JSON.stringify(scored.trail))
    return scored.reading
  })
}

function lastRisk(actions: DriftAction[], goal = authGoal): number {
  return follow(goal, actions).at(-1)!.risk
}

describe('the risk of one more action', () => {
  const onGoal = lastRisk([
    ...authWork,
    { kind: 'edit', path: 'src/auth/session.ts', diff: '+session.token = refreshToken(session)' },
  ])
  const offGoal = lastRisk([...authWork, ...styling])

  it('is higher for styling than for auth when the goal is auth', () => {
    expect(offGoal).toBeGreaterThan(onGoal + 0.3)
  })

  it.each<[string, DriftAction]>([
    [
      'the test of a touched file',
      {
        kind: 'edit',
        path: 'test/auth/token.test.ts',
        diff: '+it("refreshes an expired token", () => refreshToken(session))',
      },
    ],
    [
      'docs that name the goal',
      { kind: 'edit', path: 'docs/auth.md', diff: '+The refresh token keeps a session alive after it expires.' },
    ],
    ['the file itself again', { kind: 'read', path: 'src/auth/token.ts' }],
  ])('stays low for %s', (_, action) => {
    expect(lastRisk([...authWork, action])).toBeLessThan(offGoal / 2)
  })

  it.each(['git status', 'npm test', 'git diff --stat', 'cargo test', 'pytest -q'])('does not move at `%s`', (cmd) => {
    const before = follow(authGoal, [...authWork, ...styling])
    const after = follow(authGoal, [...authWork, ...styling, { kind: 'cmd', cmd }])
    expect(after.at(-1)).toMatchObject({ risk: before.at(-1)!.risk, score: before.at(-1)!.score })
  })

  it('falls again when the agent comes back', () => {
    expect(lastRisk([...authWork, ...styling, authWork[2]!, authWork[3]!])).toBeLessThan(offGoal)
  })
})

describe('evidence from the repository', () => {
  it.each([{ coChanged: 1 }, { imports: true }, { inScope: true }, { earlierMemory: true }])(
    '%o lowers the risk',
    (evidence) => {
      let trail = startTrail(authGoal)
      for (const action of [...authWork, styling[0]!]) trail = scoreAction(trail, action).trail
      const plain = scoreAction(trail, styling[1]!).reading.risk
      expect(scoreAction(trail, styling[1]!, evidence).reading.risk).toBeLessThan(plain)
    },
  )
})

describe('the score', () => {
  it('falls as the risk rises, from 10 to 1', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        expect(scoreOf(Math.min(a, b))).toBeGreaterThanOrEqual(scoreOf(Math.max(a, b)))
      }),
    )
    expect([scoreOf(0), scoreOf(1)]).toEqual([10, 1])
    expect(model.cuts).toEqual([...model.cuts].sort((a, b) => a - b))
  })

  it('does not halt at a single action', () => {
    for (const action of styling) {
      const readings = follow(authGoal, [...authWork, action])
      expect(readings.at(-1)!.score).toBeGreaterThan(2)
    }
  })
})

describe('any sequence of actions', () => {
  const word = fc.constantFrom(
    'auth',
    'token',
    'cache',
    'button',
    'schema',
    'parser',
    'server',
    'constructor',
    '__proto__',
  )
  const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.ts`)
  const action: fc.Arbitrary<DriftAction> = fc.oneof(
    fc.record({ kind: fc.constantFrom('read' as const, 'search' as const), path }),
    fc.record({ kind: fc.constantFrom('edit' as const, 'write' as const), path, diff: fc.lorem({ maxCount: 40 }) }),
    fc.record({ kind: fc.constant('search' as const), query: fc.string() }),
    fc.record({ kind: fc.constant('cmd' as const), cmd: fc.string() }),
  )

  it('gives the same readings twice, in range', () => {
    fc.assert(
      fc.property(fc.lorem(), fc.array(action, { maxLength: 12 }), (goal, actions) => {
        const readings = follow(goal, actions)
        expect(readings).toEqual(follow(goal, actions))
        for (const { risk, score } of readings) {
          expect(risk).toBeGreaterThanOrEqual(0)
          expect(risk).toBeLessThanOrEqual(1)
          expect(Number.isInteger(score) && score >= 1 && score <= 10).toBe(true)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('leaves a trail of bounded size', () => {
    let trail = startTrail('x'.repeat(1e5))
    for (let i = 0; i < 150; i++) {
      const diff = Array.from({ length: 500 }, (_, n) => `+word${i}x${n} other${n}`).join('\n')
      trail = scoreAction(trail, { kind: 'edit', path: `src/a${i}/b${i}.ts`, diff }).trail
    }
    expect(trail.notes.length).toBeLessThanOrEqual(60)
    expect(JSON.stringify(trail).length).toBeLessThan(150_000)
  })
})

describe('what the user stated', () => {
  const edit = (path: string): DriftAction => ({ kind: 'edit', path, diff: '+token = refreshToken(session)' })
  const judge = (action: DriftAction, bounds: Parameters<typeof judgeAction>[2]) => {
    let trail = startTrail(authGoal)
    for (const done of authWork) trail = scoreAction(trail, done).trail
    return judgeAction(trail, action, bounds).reading
  }

  it('caps the score where a constraint forbids the path', () => {
    const reading = judge(edit('src/db/schema.ts'), { constraints: ["don't touch the schema"] })
    expect(reading.score).toBeLessThanOrEqual(3)
    expect(reading.reasons[0]).toEqual({ file: 'src/db/schema.ts', why: "the user said: “don't touch the schema”" })
    expect(reading.proof).toBe('limit')
  })

  it('lowers the score outside the scope', () => {
    const free = judge(edit('src/auth/refresh.ts'), {})
    expect(judge(edit('src/auth/refresh.ts'), { scope: ['src/auth/'] }).score).toBe(free.score)
    expect(judge(edit('src/auth/refresh.ts'), { scope: ['src/billing/'] })).toMatchObject({ score: 4, proof: 'limit' })
    expect(free.proof).toBeUndefined()
  })

  it('is all that goes below a five: statistics alone do not', () => {
    let trail = startTrail(authGoal)
    const scores = [...authWork, ...styling, ...styling].map((action) => {
      const judged = judgeAction(trail, action, { ignoredCorrections: 4 })
      trail = judged.trail
      return judged.reading.score
    })
    expect(Math.min(...scores)).toBe(5)
  })

  it('does not include throwing things away, unless that is what was asked', () => {
    const gone: DriftAction = { kind: 'write', path: 'roles/backup', destroys: true }
    const thrownAway = (goal: string) => judgeAction(startTrail(goal), gone).reading
    expect(thrownAway('Fix the trailing spaces in roles/users')).toMatchObject({
      score: 6,
      reasons: [{ file: 'roles/backup', why: 'the request does not ask to throw roles/backup away' }],
    })
    expect(thrownAway('Remove the roles that nothing uses').score).toBeGreaterThan(7)
    expect(thrownAway('The backup role is broken, start it from scratch').score).toBeGreaterThan(7)
  })

  it('counts ignored corrections only while the agent is off goal', () => {
    expect(judge(authWork[2]!, { ignoredCorrections: 3 }).score).toBeGreaterThan(7)
    const bounds = { constraints: ['never edit the schema'] }
    expect(judge(edit('src/db/schema.ts'), { ...bounds, ignoredCorrections: 2 }).score).toBe(1)
  })
})
