import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../test/support/shell.ts'
import { complaintsIn, followingOdds, namesVersion, withComplaints, withPass } from './follows.ts'
import { type DriftAction, type DriftTrail, judgeAction, startTrail } from './score.ts'

function trailOf(goal: string, ...actions: DriftAction[]): DriftTrail {
  return actions.reduce((trail, action) => judgeAction(trail, action).trail, startTrail(goal))
}

const edit = (path: string, diff: string): DriftAction => ({ kind: 'edit', path, diff })

describe('A change that follows from the work before it', () => {
  const work = trailOf(
    'the streak breaks when people travel west',
    edit('app/model/Habit.swift', '+var lastDoneDay: DayStamp'),
  )

  it('is one of a file that a command complained of', () => {
    const told = withComplaints(work, complaintsIn('app/db/Store.swift:12: error: no such member', true)!)
    const fix = edit('app/db/Store.swift', '-old\n+new')
    expect(followingOdds(told, fix)).toBeLessThan(followingOdds(told, edit('app/mail/Send.swift', '+x')))
    expect(followingOdds(told, edit('app/mail/Send.swift', '+x'))).toBeLessThan(1)
    expect(followingOdds(work, fix)).toBe(1)
  })

  it('is none of what a command complained of that has passed since', () => {
    const told = withComplaints(work, complaintsIn('app/db/Store.swift:12: error: no such member', true)!, 'swift test')
    const stray = edit('app/mail/Send.swift', '+x')
    expect(followingOdds(withPass(told, 'swift build', invocationsIn('swift build')), stray)).toBeLessThan(1)
    expect(followingOdds(withPass(told, 'swift test', invocationsIn('swift test')), stray)).toBe(1)
  })

  it.each([
    ['npm test', true],
    ['cd app && npm run test:unit 2>&1 | tail -5', true],
    ['docker compose exec web pytest tests/unit', true],
    ['./gradlew :app:test', true],
    ['python manage.py test shop', true],
    ['cargo nextest run', true],
    ['npx vitest run', true],
    ['mise run test -- -run TestStreak', true],
    ['bash -c "mvn -q verify"', true],
    ['npm run build', false],
    ['echo "npm test"', false],
    ['test -f a && cd test', false],
    ['git commit -m "test"', false],
    ['ls test tests', false],
  ])('%s runs the tests of the work: %s', (line, isTest) => {
    expect(withPass(work, line, invocationsIn(line)).tested ?? false).toBe(isTest)
  })

  it('is a dependency that goes with what is removed', () => {
    const drop: DriftAction = {
      kind: 'write',
      path: 'package.json',
      ran: invocationsIn('pnpm remove csv-parse'),
      diff: '',
    }
    expect(followingOdds(trailOf('rip the importer out, we dropped it'), drop)).toBeLessThan(0.5)
    expect(followingOdds(work, drop)).toBe(1)
  })

  it('is a package that is added after a check has failed', () => {
    const add: DriftAction = {
      kind: 'write',
      path: 'package.json',
      ran: invocationsIn('pnpm add -D fake-timers'),
      diff: '',
    }
    expect(followingOdds(work, add)).toBe(1)
    expect(followingOdds(withComplaints(work, []), add)).toBeLessThan(
      followingOdds(withComplaints(work, []), edit('app/mail/Send.swift', '+x')),
    )
  })

  it('is one that puts to use what was made, and the migration of what is kept', () => {
    const made = trailOf(
      'the game starts with a click',
      { kind: 'write', path: 'ui/click_to_start.gd', diff: '+extends Control' },
      edit('data/model/player.gd', '+var clicks = 0'),
    )
    expect(followingOdds(made, edit('project.cfg', '+main = "ui/click_to_start.gd"'))).toBeLessThan(0.5)
    expect(followingOdds(made, { kind: 'write', path: 'db/migrations/0004.sql', diff: '+alter' })).toBeLessThan(0.5)
    expect(followingOdds(made, edit('audio.cfg', '+volume = 3'))).toBe(1)
  })

  it('is the file whose name an earlier change has coined', () => {
    const made: DriftAction = { kind: 'write', path: 'app/model/DayStamp.swift', diff: 'struct DayStamp {}' }
    expect(followingOdds(work, made)).toBeLessThan(0.5)
    expect(judgeAction(work, made).reading.score).toBeGreaterThan(7)
  })

  it.each([
    ['release notes', 'CHANGELOG.md'],
    ['a note for the next release', '.changeset/tall-cups-move.md'],
    ['the translation of a text', 'resources/lang/de/habits.php'],
    ['what a platform wants to be told', 'app/src/main/AndroidManifest.xml'],
    ['the header beside the source', 'include/Habit.h'],
    ['something to try it out with', 'tests/tmp_probe.rs'],
  ])('is %s', (_, path) => {
    expect(followingOdds(work, { kind: 'write', path, diff: '+x' })).toBeLessThan(0.5)
  })

  it('is not more of a file that was changed before', () => {
    expect(followingOdds(work, edit('app/model/Habit.swift', '+var more: Int'))).toBe(1)
  })

  it('is not the companion of a stray change', () => {
    const trail = trailOf(
      'the parking fee ignores half hours',
      edit('src/fees.cpp', '+return ceil(minutes / 30.0);'),
      edit('src/plates.cpp', '+trie.insert(chars);'),
    )
    expect(followingOdds(trail, edit('include/fees.hpp', '+x'))).toBeLessThan(0.5)
    expect(followingOdds(trail, edit('include/plates.hpp', '+x'))).toBe(1)
  })

  it('is a lock file after its manifest, and not without it', () => {
    const lock: DriftAction = { kind: 'write', path: 'Gemfile.lock' }
    expect(followingOdds(work, lock)).toBe(1)
    expect(followingOdds(trailOf('less memory', edit('Gemfile', "+gem 'x', require: false")), lock)).toBeLessThan(0.5)
  })
})

describe('A request', () => {
  it.each([
    'CI is red since yesterday:\n\nFAILED tests/loan.php > creates a loan',
    'the build fails on main',
    'Traceback (most recent call last):\n  File "a.py"',
    'Die Pipeline schlägt fehl',
  ])('that reports a failing check is a complaint: %s', (goal) => {
    expect(followingOdds(startTrail(goal), edit('db/seeds.php', '-1\n+2'))).toBeLessThan(0.5)
  })

  it.each(['show an error if saving fails', 'add a test for the parser', 'make the build faster'])(
    'that only speaks of failures is none: %s',
    (goal) => {
      expect(followingOdds(startTrail(goal), edit('db/seeds.php', '-1\n+2'))).toBe(1)
    },
  )

  it.each([
    ['vite 6', true],
    ['android 14 kills the recording', true],
    ['move to python 3.13', true],
    ['kills the recording after 3 minutes', false],
    ['see line 80 of zpl.ts', false],
    ['retry 3 times', false],
    ['the knight gets stuck on the stairs of level2', false],
    ['the invoice of 2024 is wrong', false],
    ['round to 2 digits', false],
  ])('names a version or not: %s', (goal, expected) => {
    expect(namesVersion(goal)).toBe(expected)
  })

  it('that names a version reaches what the project is built with', () => {
    const build = edit('app/build.gradle.kts', '-targetSdk = 33\n+targetSdk = 34')
    expect(followingOdds(startTrail('android 14 kills the recording'), build)).toBeLessThan(0.5)
    expect(followingOdds(startTrail('the recording stops'), build)).toBe(1)
  })
})

describe('A complaint', () => {
  it('names files, whatever stands around them', () => {
    const output = 'src/models/room.ts(2,21): error TS2554\n  at ./src/util/dates.ts:4:1\nFAIL test/dates.test.ts > day'
    expect(complaintsIn(output, false)).toEqual(['src/models/room.ts', 'src/util/dates.ts', 'test/dates.test.ts'])
  })

  it('is not what a command says that is content', () => {
    expect(complaintsIn('Tests: 12 passed, 0 failed\nsrc/a.ts covered', false)).toBeUndefined()
  })

  it('is every output of a command that failed', () => {
    expect(complaintsIn('expected 3 in src/a.ts', true)).toEqual(['src/a.ts'])
    expect(complaintsIn('', true)).toEqual([])
  })

  it('of any length is read in no time, at its beginning and its end', () => {
    const output = `error in src/first.ts\n${'x/'.repeat(200_000)}\nerror in src/last.ts`
    expect(complaintsIn(output, true)).toEqual(expect.arrayContaining(['src/first.ts', 'src/last.ts']))
  })
})
