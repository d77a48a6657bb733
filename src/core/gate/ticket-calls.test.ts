import { describe, expect, it } from 'vitest'
import { shell } from '../../../test/support/shell.ts'
import { mentionsTickets, taskCall, ticketCalls, wentThrough } from './ticket-calls.ts'

const callsIn = (command: string) => ticketCalls(shell(command, { cwd: '/app' }).commands)

const closed = (command: string) =>
  callsIn(command)
    .filter(({ does }) => does === 'close')
    .map(({ system, ids }) => [system, ...ids].join(' '))

describe('a command line closes tickets', () => {
  it.each([
    ['bd close app-1', ['beads app-1']],
    ['bd close app-1 app-2 app-3', ['beads app-1 app-2 app-3']],
    ['bd close "app-1" \'app-2\'', ['beads app-1 app-2']],
    ['bd close app-1 --reason "done; bd close x"', ['beads app-1']],
    ['bd close --reason=done app-1', ['beads app-1']],
    ['bd close -r "all tests pass" app-1 --json', ['beads app-1']],
    ['bd --db .beads/x.db close app-1', ['beads app-1']],
    ['npm test && bd close app-1', ['beads app-1']],
    ['cd app; git commit -m "x" && bd close app-1 && git push', ['beads app-1']],
    ['bd close app-1; tissue status t-9 closed', ['beads app-1', 'tissue t-9']],
    ['(cd app && bd close app-1)', ['beads app-1']],
    ['bd close app-1 2>&1 | tee log', ['beads app-1']],
    ['BD_ACTOR=me bd close app-1', ['beads app-1']],
    ['env A=b bd close app-1', ['beads app-1']],
    ['sudo -u me bd close app-1', ['beads app-1']],
    ['timeout 20 bd close app-1', ['beads app-1']],
    ['bash -lc "bd close app-1"', ['beads app-1']],
    ['/usr/local/bin/bd close app-1', ['beads app-1']],
    ['bd.exe close app-1', ['beads app-1']],
    ['id=app-1; bd close "$id"', ['beads app-1']],
    ['for id in app-1 app-2; do bd close $id; done', ['beads app-1', 'beads app-2']],
    ['bd close app-{1,2}', ['beads app-1 app-2']],
    ['bd close', ['beads']],
    ['bd update app-1 --status closed', ['beads app-1']],
    ['bd update app-1 -s closed', ['beads app-1']],
    ['beads close app-1', ['beads app-1']],
    ['beads complete app-1', ['beads app-1']],
    ['tissue status t-9 closed', ['tissue t-9']],
    ['tissue --store .claude/.tissue status t-9 closed --json', ['tissue t-9']],
    ['tissue edit t-9 --status closed --rm-tag build', ['tissue t-9']],
    ['bd close app-1 \\\n  --reason done', ['beads app-1']],
    ['bd close app-1 --reason-file why.md', ['beads app-1']],
    ['bd close app-1,app-2', ['beads app-1 app-2']],
    ['bd ready | head -1 | xargs -n 1 bd close', ['beads']],
    ['eval "bd close app-1"', ['beads app-1']],
    ['exec bd close app-1', ['beads app-1']],
    ['npx bd close app-1', ['beads app-1']],
    ['pnpm exec bd close app-1', ['beads app-1']],
    ['out=$(bd close app-1) && echo "$out"', ['beads app-1']],
    ['bash <<EOF\nbd close app-1\nEOF', ['beads app-1']],
    ["bash -euo pipefail -c 'bd close app-1'", ['beads app-1']],
    ["bash -o pipefail -c 'bd close app-1'", ['beads app-1']],
    ['$HOME/go/bin/bd close app-1', ['beads app-1']],
    ['bd --lock-timeout 5s -C sub close app-1', ['beads app-1']],
    ['bd close app-1 --comment app-9', ['beads app-1']],
    ['bd done app-1 fixed', ['beads app-1']],
    ['bd done app-1 app-2 --reason fixed', ['beads app-1 app-2']],
    ['bd done app-1', ['beads app-1']],
    ['bd update app-1 -s=closed', ['beads app-1']],
    ['bd update app-1 --add-label done --append-notes later -e 30 --status closed', ['beads app-1']],
  ])('%s', (command, expected) => {
    expect(closed(command)).toEqual(expected)
  })

  it.each([
    'echo "bd close app-1"',
    'git commit -m "bd close app-1"',
    '# bd close app-1',
    'cat <<EOF\nbd close app-1\nEOF',
    "bash tool.sh <<'EOF'\nbd close app-1\nEOF",
    'cat > notes.md <<EOF\nthen run $(echo bd close app-1)\nEOF',
    'echo bd close app-1 | xargs echo',
    'pnpm run bd close app-1',
    'grep -r "tissue status" .',
    'bd show app-1',
    'bd create "close the door"',
    'bd close --help',
    'bd update app-1 --title closed',
    'abd close app-1',
    'bd-tool close app-1',
    'tissue status t-9 paused',
    'tissue comment t-9 -m "status closed"',
    'ls bd close',
  ])('not by %s', (command) => {
    expect(closed(command)).toEqual([])
  })

  it('or says that one is being worked on', () => {
    const started = (command: string) => callsIn(command).filter(({ does }) => does === 'start')
    expect(started('bd update app-1 --status in_progress')).toMatchObject([{ ids: ['app-1'] }])
    expect(started('bd update app-1 --claim')).toMatchObject([{ ids: ['app-1'] }])
    expect(started('tissue status t-9 in_progress')).toMatchObject([{ ids: ['t-9'] }])
  })

  it('or may do so, which only running it tells', () => {
    expect(callsIn('npm test || bd close app-1')).toMatchObject([{ maybe: true }])
    expect(callsIn('if [ -f done ]; then bd close app-1; fi')).toMatchObject([{ maybe: true }])
    expect(callsIn('if true; then bd close app-1; fi')).not.toMatchObject([{ maybe: true }])
  })

  it.each([
    'npm test && bd close app-1; git status',
    'npm test && bd close app-1\ngit status',
    'npm test && bd close app-1 || true',
    'for id in app-1; do npm test && bd close $id; done',
    '{ npm test && bd close app-1; }; ls',
  ])('or may not have come to it: %s', (command) => {
    const [call] = callsIn(command)
    expect(wentThrough(call!, '2 tests failed\nOn branch main')).toBe(false)
    expect(wentThrough(call!, '✓ Closed app-1: done\nOn branch main')).toBe(true)
    expect(wentThrough(call!, '')).toBe(true)
  })

  it.each([
    'npm test && bd close app-1',
    'cd app && git add . && bd close app-1 && git push',
    'cd app; npm test && bd close app-1',
    'bd close app-1 && git push; git status',
    'npm test; bd close app-1; git status',
    '(npm test && bd close app-1)',
  ])('or must have come to it: %s', (command) => {
    const [call] = callsIn(command)
    expect(wentThrough(call!, 'On branch main')).toBe(true)
  })

  it('is read however broken it is', () => {
    expect(() => callsIn('bd close "app-1 && ((( $(')).not.toThrow()
    expect(mentionsTickets(`bd ${'x '.repeat(200_000)}`)).toBe(false)
    expect(callsIn(`bd close ${'x '.repeat(20_000)}`)[0]?.ids.length).toBeLessThan(1000)
  })
})

describe("Claude Code's own tasks", () => {
  it('are closed by being completed', () => {
    expect(taskCall('TaskUpdate', { taskId: '3', status: 'completed' })).toMatchObject({ does: 'close', ids: ['3'] })
    expect(taskCall('TaskUpdate', { taskId: '3', status: 'in_progress' })).toMatchObject({ does: 'start' })
    expect(taskCall('TaskUpdate', { taskId: '3', subject: 'completed' })).toBeUndefined()
    expect(taskCall('TaskCreate', { status: 'completed' })).toBeUndefined()
  })
})

describe('what the command printed', () => {
  const call = { system: 'beads' as const, does: 'close' as const, ids: ['app-1', 'app-2'] }

  it.each([
    ['✓ Closed app-1: done', true],
    ['', true],
    ['Error closing app-1: database is locked\nError closing app-2: database is locked', false],
    ['✓ Closed app-1: done\ncannot close app-2: blocked by open issues [app-9]', true],
    ['Issue app-1 not found', false],
    ['Tests: 0 failed, 12 passed', true],
    ['✓ Closed app-1: the invalid login no longer ends in an error', true],
    ['[{"id":"app-1","status":"closed","description":"users could not log in"}]', true],
    ['app-1 is already closed', true],
    ['Error closing app-12: not found\nClosed app-1', true],
    ['Error: failed to open database: locked', false],
    ['bash: line 1: bd: command not found', false],
    ['\u001b[32m✓\u001b[0m Closed app-1 — Login ends in an error: done', true],
  ])('%j means: went through %s', (output, expected) => {
    expect(wentThrough(call, output)).toBe(expected)
  })

  it('must say so when it is not sure that the command ran', () => {
    expect(wentThrough({ ...call, maybe: true }, '')).toBe(false)
    expect(wentThrough({ ...call, maybe: true }, 'Closed app-1')).toBe(true)
  })

  it('tells of an update only that, and with it the title, whatever words that uses', () => {
    const update = { ...call, ids: ['app-1'], byUpdate: true as const }
    expect(wentThrough(update, '✓ Updated issue: app-1 — Login fails with an error')).toBe(true)
    expect(wentThrough({ ...update, maybe: true }, '✓ Updated issue: app-1\nTests failed')).toBe(true)
    expect(wentThrough({ ...call, maybe: true }, '✓ Updated issue: app-1\nTests failed')).toBe(false)
    expect(wentThrough(update, 'Error updating app-1: database is locked')).toBe(false)
  })

  it('names the whole id where the command left out its prefix', () => {
    const short = { ...call, ids: ['a3f8'] }
    expect(wentThrough(short, 'Error closing app-a3f8: blocked by open issues')).toBe(false)
    expect(wentThrough({ ...short, maybe: true }, '✓ Closed app-a3f8: done')).toBe(true)
    expect(wentThrough({ ...short, maybe: true }, '✓ Closed app-a3f8e: done')).toBe(false)
  })

  it('tells also when the command did not name the ticket', () => {
    expect(wentThrough({ ...call, ids: [] }, 'Error: no issue ID provided and no last touched issue')).toBe(false)
    expect(wentThrough({ ...call, ids: [] }, '✓ Closed app-1: done')).toBe(true)
  })
})
