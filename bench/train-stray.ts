/**
 * npm run bench train-stray -- --stories <folder>… [--data <folder with trajs.jsonl and labels.jsonl>]
 * Trains how a single stray change is known and writes the weights. With --data it also says how often the same change
 * would be called stray in tasks that stay on goal, which it was not trained on.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readToolCall } from '#core/action/reading.ts'
import { followingOdds, withComplaints, withPass } from '#core/drift/follows.ts'
import { gistOf } from '#core/drift/gist.ts'
import { type DriftTrail, judgeAction, scoreAction, startTrail } from '#core/drift/score.ts'
import learned from '#core/drift/stray.min.json' with { type: 'json' }
import { type StrayFacts, speaksOfOther, strayFacts } from '#core/drift/stray.ts'
import { isChange } from '#core/drift/trail.ts'
import { driftActionsOf } from '#supervisor/goal/actions/drift-actions.ts'
import { freshSessionState } from '#supervisor/session/session-state.ts'
import { shell } from '../test/support/shell.ts'
import { loadCases } from './drift/data.ts'
import { chanceOf, fitLogistic } from './drift/logistic.ts'
import { loadStories, type SessionStory } from './stories/data.ts'

const { values } = parseArgs({ options: { stories: { type: 'string', multiple: true }, data: { type: 'string' } } })
if (!values.stories) throw new Error('Usage: npm run bench train-stray -- --stories <folder>… [--data <folder>]')

const PENALTY = 1
const NAMES = Object.keys(learned.weights) as (keyof StrayFacts)[]

interface Row {
  story: string
  folder: string
  event: number
  isOff: boolean
  facts: number[]
  /** What is left of the odds because the change follows from the work before it. */
  follows: number
  /** It is reminded of at most: the first change of a task, a test, what does not speak of other work, a run that looks at home. */
  isMild: boolean
}

const folders = values.stories.flatMap(loadStories)
const sessions = folders.flatMap((stories) => stories.sessions)
const rows = folders.flatMap(({ folder, sessions }) => sessions.flatMap((story) => rowsOf(story, folder)))
const silent = new Set(sessions.filter(isSilent).map(({ id }) => id))
// Where a spoken limit makes an action wrong, nothing about the action itself need look wrong.
const lessons = rows.filter(({ story, isOff }) => !isOff || silent.has(story))
const fits = new Map<string, ReturnType<typeof train>>()
const left = rows.map((row) => ({ ...row, chance: leftOut(row) }))
for (const from of [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8]) report(from)

const { weights, bias } = train(lessons)
const round = (value: number) => Number(value.toFixed(3))
const found = {
  bias: round(bias),
  weights: Object.fromEntries(NAMES.map((name, k) => [name, round(weights[k]!)])),
  nudgeFrom: learned.nudgeFrom,
  correctFrom: learned.correctFrom,
}
writeFileSync('src/core/drift/stray.min.json', `${JSON.stringify(found)}\n`)
console.log(`wrote src/core/drift/stray.min.json\n${JSON.stringify(found.weights)}`)
if (values.data) reportOnGoal(values.data)

function rowsOf(story: SessionStory, folder: string): Row[] {
  const made: Row[] = []
  const session = freshSessionState(story.id)
  let trail = startTrail('')
  let goal = ''
  for (const [event, told] of story.events.entries()) {
    if (told.type === 'user') {
      trail = startTrail(told.text, goal ? [goal] : [])
      goal = told.text
    }
    if (told.type !== 'action') continue
    if (told.result === 'error' && told.tool === 'Bash') trail = withComplaints(trail, [])
    if (told.result !== 'ok') continue
    const call = { tool: told.tool, input: told.input, outcome: 'ran' as const }
    const read = readToolCall(call, { cwd: '.', root: '.' }, shell)
    if (read.command !== undefined) trail = withPass(trail, read.command, read.invocations)
    for (const action of driftActionsOf(session, read)) {
      const { reading, trail: next } = judgeAction(trail, action)
      const facts = factsOf(trail, action, reading.risk)
      const follows = followingOdds(trail, action)
      const stray = strayFacts(trail, action, reading.risk)
      const isMild =
        !trail.notes.some(isChange) ||
        gistOf(action)?.role === 'test' ||
        (stray !== undefined && !speaksOfOther(stray)) ||
        scoreAction(trail, action, { follows }).reading.score === 10
      if (facts && told.label !== 'neutral')
        made.push({ story: story.id, folder, event, isOff: told.label === 'off', facts, follows, isMild })
      trail = next
    }
  }
  return made
}

function factsOf(trail: DriftTrail, action: Parameters<typeof strayFacts>[1], risk: number): number[] | undefined {
  const facts = strayFacts(trail, action, risk)
  return facts && NAMES.map((name) => facts[name])
}

/** It is due only with the second stray action: no limit was spoken, and nothing was destroyed. */
function isSilent({ kind, events, expect }: SessionStory): boolean {
  const first = events.findIndex((event) => event.type === 'action' && event.label === 'off')
  return kind === 'drift' && expect.due_by !== null && expect.due_by > first
}

function train(from: Row[]) {
  return fitLogistic(
    from.map(({ facts }) => facts),
    from.map(({ isOff }) => isOff),
    PENALTY,
  )
}

/** What a model says that has seen no story of the folder or, where there is one folder, of a tenth of its stories. */
function leftOut(row: Row): number {
  const { facts, follows } = row
  const part = partOf(row)
  const fit = fits.get(part) ?? train(lessons.filter((one) => partOf(one) !== part))
  fits.set(part, fit)
  const chance = chanceOf(fit, facts)
  const odds = (chance / (1 - chance)) * follows
  return odds / (1 + odds)
}

function partOf({ folder, story }: Row): string {
  return folders.length > 1 ? folder : String(sessions.findIndex(({ id }) => id === story) % 10)
}

function report(from: number) {
  const fires = (id: string, until: number) =>
    left.some(({ story, event, chance, isMild }) => story === id && event <= until && chance >= from && !isMild)
  const quiet = sessions.filter(({ kind }) => kind === 'legit')
  const alarms = quiet.filter(({ id }) => fires(id, Number.POSITIVE_INFINITY)).length / quiet.length
  const hits = sessions.filter(({ id, expect }) => silent.has(id) && fires(id, expect.due_by!)).length / silent.size
  console.log(`left out, from ${from}: in time ${hits.toFixed(2)}, false alarms ${alarms.toFixed(3)}`)
}

function reportOnGoal(folder: string) {
  const cases = loadCases(folder).filter(({ label }) => label.kind === 'on')
  const alarms = cases.filter(({ traj }) => {
    let trail = startTrail(traj.goal, traj.context)
    return traj.actions.some((action) => {
      const { reading, trail: next } = scoreAction(trail, action)
      const facts = factsOf(trail, action, reading.risk)
      trail = next
      return facts !== undefined && chanceOf({ weights, bias }, facts) >= learned.correctFrom
    })
  })
  console.log(`on goal in ${folder}: ${alarms.length} of ${cases.length} tasks have a change that would be corrected`)
}
