import { readdir, readFile } from 'node:fs/promises'
import type { SessionSnapshot } from '../../../src/protocol/api/sessions.ts'
import type { EventRecord } from '../../../src/protocol/workflow/events.ts'
import type { Question } from '../../../src/protocol/workflow/questions.ts'
import type { Daemon, House } from './house.ts'
import { ASKED } from './model.ts'
import type { Person } from './person.ts'

export async function eventsOf(daemon: Daemon, person: Person): Promise<EventRecord[]> {
  const all: EventRecord[] = []
  for (;;) {
    const after = all.at(-1)?.number ?? 0
    const { body } = await daemon.ask<{ events: EventRecord[] }>('GET', person.path(`/events?after=${after}&limit=500`))
    if (body.events.length === 0) return all
    all.push(...body.events)
  }
}

/** What a completed session must be true of, however often Grove died on the way: one sentence for each that is not. */
export async function brokenPromises(house: House, daemon: Daemon, person: Person): Promise<string[]> {
  const seen = await person.look(daemon)
  const events = await eventsOf(daemon, person)
  const { body } = await daemon.ask<{ questions: Question[] }>('GET', person.path('/questions?all=true'))
  return [
    ...(seen.session.status === 'completed' ? [] : [`the session is ${seen.session.status}`]),
    ...numbering(events),
    ...stepsOnce(events, seen),
    ...answersKept(body.questions, person),
    ...(await repository(house, seen)),
    ...person.surprises,
  ]
}

function numbering(events: EventRecord[]): string[] {
  const at = events.findIndex(({ number }, index) => number !== index + 1)
  return at < 0 ? [] : [`event ${at + 1} has the number ${events[at]!.number}`]
}

/** A step that was reported as done is never begun again, and is reported once. */
function stepsOnce(events: EventRecord[], { plan }: SessionSnapshot): string[] {
  const done = new Set<string>()
  const broken: string[] = []
  for (const { payload } of events) {
    if (payload.type === 'execution.step_started' && done.has(payload.stepId))
      broken.push(`step ${payload.stepId} was begun again after it was done`)
    if (payload.type === 'execution.step_completed') {
      if (done.has(payload.stepId)) broken.push(`step ${payload.stepId} was done twice`)
      done.add(payload.stepId)
    }
  }
  const left = plan?.steps.filter(({ status }) => status !== 'completed').map(({ id }) => id) ?? ['all']
  return [...broken, ...left.map((id) => `step ${id} is not done`)]
}

function answersKept(questions: Question[], person: Person): string[] {
  const answered = new Set(questions.filter(({ state }) => state === 'answered').map(({ id }) => id))
  const lost = person.acknowledged.flatMap((one) => one.questions).filter((id) => !answered.has(id))
  const texts = questions.filter(({ state }) => state === 'answered').map(({ questionText }) => questionText)
  const twice = texts.filter((text, index) => texts.indexOf(text) !== index)
  const wanted = [...ASKED.rounds, ...ASKED.reviews, ASKED.blocker, ASKED.todo]
  return [
    ...lost.map((id) => `the answer to question ${id} was acknowledged and is lost`),
    ...twice.map((text) => `"${text}" was answered twice`),
    ...wanted.filter((text) => !texts.some((one) => one.includes(text))).map((text) => `"${text}" was never answered`),
  ]
}

/** One commit for each pass, all of them pushed, one pull request. */
async function repository({ project, github }: House, { session }: SessionSnapshot): Promise<string[]> {
  const branch = session.featureBranch
  const [local, remote] = await Promise.all(
    [
      ['rev-parse', branch],
      ['--git-dir', project.remote, 'rev-parse', branch],
    ].map((args) => project.git(...args)),
  )
  const commits = (await project.git('rev-list', '--count', '--first-parent', `main..${branch}`)).trim()
  const files = (await project.git('diff', '--name-only', `main...${branch}`)).split('\n').sort()
  const wanted = ['src/build.mjs', 'src/limit.mjs', 'src/login.mjs', 'src/name.mjs', 'src/tokens.mjs']
  return [
    ...(local === remote ? [] : ['the remote has another commit than the branch']),
    ...(commits === '3' ? [] : [`the branch has ${commits} commits instead of one for each of three passes`]),
    ...(files.join() === wanted.join() ? [] : [`the branch changes ${files.join(', ')}`]),
    ...(github.prs.length === 1 ? [] : [`there are ${github.prs.length} pull requests`]),
  ]
}

/** What runs for this house besides the processes that are expected: all that comes from its daemon has its home. */
export async function leftRunning(house: House, except: number[] = []): Promise<string[]> {
  // Where the system does not tell, other tests must do.
  const pids = (await readdir('/proc').catch(() => [])).filter(
    (name) => /^\d+$/.test(name) && !except.includes(Number(name)),
  )
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while it is looked at.
      const [variables, words] = await Promise.all(
        ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      )
      const isOurs = variables!.split('\0').includes(`HOME=${house.folder}`)
      return isOurs ? [`${pid} ${words!.replaceAll('\0', ' ').slice(0, 120)}`] : []
    }),
  )
  return found.flat()
}
