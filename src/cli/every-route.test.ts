import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Api, api } from '#protocol/api/routes.ts'
import { thisProcess } from './context.ts'
import { ALL, buildProgram } from './program.ts'

/** What is the browser's own, or only helps to fill in its forms. */
const BROWSER = (why: string) => ({ browser: why })

/** For every route, the line that does the same in a terminal. A route without one does not compile. */
const LINES: { [Noun in keyof Api]: { [Name in keyof Api[Noun]]: string | { browser: string } } } = {
  health: { show: 'grove status' },
  agents: { list: 'grove proxy-status', finished: 'grove status', show: 'grove proxy-status --actions' },
  memories: {
    list: 'grove memories list',
    search: 'grove search',
    import: 'grove import file',
    show: 'grove memories show',
    uses: 'grove memories show',
    edit: 'grove memories edit',
    remove: 'grove memories delete',
  },
  learnings: {
    list: 'grove learnings list',
    show: 'grove learnings show',
    edit: 'grove learnings edit',
    archive: 'grove learnings archive',
    restore: 'grove learnings restore',
    supersede: 'grove learnings supersede',
  },
  rejectedLearnings: { list: 'grove learnings rejected', restore: 'grove learnings restore' },
  insights: { days: 'grove insights --days', list: 'grove insights' },
  intents: {
    list: 'grove intent list',
    show: 'grove intent show',
    scope: 'grove intent scope',
    add: 'grove intent add',
    change: 'grove intent done --status',
  },
  approvals: { list: 'grove intent approve --all', answer: 'grove intent approve --reject --note' },
  trace: {
    log: 'grove trace log',
    blame: 'grove trace blame',
    stats: 'grove trace stats',
    verify: 'grove trace verify',
  },
  pauses: { list: 'grove status', begin: 'grove pause', end: 'grove resume' },
  gestures: { make: BROWSER('proves a click') },
  links: { make: 'grove open --print' },
  people: {
    list: 'grove team people',
    name: 'grove team name',
    invite: 'grove team invite',
    remove: 'grove team remove',
  },
  canary: { list: 'grove doctor' },
  projects: { list: 'grove status' },
  settings: { list: 'grove doctor --settings', doctor: 'grove doctor', fix: 'grove init', demo: 'grove demo' },
  sessions: {
    list: 'grove feature list --filter --search --sort',
    create:
      'grove feature new --title --description --criterion --file --notes --base --branch --use-branch --number-branch --in-place --stash --local --push --reviews',
    template: BROWSER('what an empty form shows'),
    validatePath: BROWSER('says while a path is typed what `grove feature new` says of it'),
    files: BROWSER('completes a path, as a shell does'),
    existingTodos: 'grove feature existing-todos',
    orphanedBranches: 'grove feature branches',
    damaged: 'grove feature list',
    repair: 'grove feature repair --set-aside',
    show: 'grove feature show',
    pause: 'grove feature pause',
    resume: 'grove feature resume',
    cancel: 'grove feature cancel',
    interrupt: 'grove feature interrupt',
    message: 'grove feature message',
    choose: 'grove feature choose',
    rollback: 'grove feature rollback',
    archive: 'grove feature archive',
    unarchive: 'grove feature unarchive',
    delete: 'grove feature delete',
    undelete: 'grove feature undelete',
    finalApproval: 'grove feature approve --complete --change --review-again',
  },
  sessionPlans: {
    show: 'grove feature plan',
    versions: 'grove feature plan --versions',
    diff: 'grove feature plan --changes',
    reviews: 'grove feature reviews',
    comment: 'grove feature comment --step',
    askReview: 'grove feature ask-review',
    giveReview: 'grove feature review --step',
    sendReview: 'grove feature send-review',
    approve: 'grove feature approve --sign-off --hash',
    startWhenClean: 'grove feature approve --when-clean --no-when-clean',
  },
  sessionQuestions: {
    list: 'grove feature answer --all',
    answer: 'grove feature answer',
    restore: 'grove feature restore',
    todos: 'grove feature todos',
    decideTodo: 'grove feature decide --dismiss',
  },
  sessionRecords: {
    events: 'grove feature events',
    output: 'grove feature output --view',
    found: 'grove feature output --search',
    status: 'grove feature show --json',
    pr: 'grove feature evidence',
    checks: 'grove feature evidence',
    diff: 'grove feature changes --step',
  },
  inbox: { list: 'grove inbox' },
}

let program: Command
beforeAll(async () => {
  program = await buildProgram(thisProcess(), ALL)
})

const lines = Object.entries(LINES).flatMap(([noun, names]) =>
  Object.entries<string | { browser: string }>(names).map(([name, line]) => ({ route: `${noun}.${name}`, line })),
)

describe('what the page can do, the command line can do too', () => {
  it.each(lines.flatMap(({ route, line }) => (typeof line === 'string' ? [[route, line]] : [])))(
    '%s is `%s`',
    (_, line) => {
      expect(unknownIn(line!.split(' ').slice(1))).toEqual([])
    },
  )

  it('speaks of no route that is gone', () => {
    const routes = Object.entries(api).flatMap(([noun, names]) => Object.keys(names).map((name) => `${noun}.${name}`))
    expect(lines.map(({ route }) => route).toSorted()).toEqual(routes.toSorted())
  })
})

/** The words of a line that lead to no command, and the options that this command does not have. */
function unknownIn([word = '', ...words]: string[], command = program): string[] {
  const inner = command.commands.find((one) => one.name() === word)
  if (inner) return unknownIn(words, inner)
  const known = command.options.map(({ long }) => long)
  return [word, ...words].filter((one) => one !== '' && !known.includes(one))
}
