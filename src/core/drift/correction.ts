import { neutralise } from '../context/fence.ts'
import type { CorrectionLevel } from '../step.ts'
import { ANSWER_WANTED, CIRCLES, listed, NO_CHANGE, NOT_ASKED_FOR, NOT_ASKED_TO, NOT_TO_REMOVE } from './explain.ts'
import type { Proof } from './recovery.ts'

/** What the agent should do to come back; the first step is the one that recovery is checked against. */
export interface RecoveryPlan {
  /** Files whose opening or editing counts as coming back. */
  backTo: string[]
  steps: string[]
}

export interface Drifted {
  /** What was asked for, in the user's words, in one line. */
  goal: string
  /** The task that these words belong to, where they are not all of it. */
  partOf?: string | undefined
  /** What the agent did, in the past tense, as it follows "you": "changed src/a.ts". */
  did: string
  /** Why that looks foreign, in terms that can be checked; it follows a semicolon. */
  why: string
  file?: string
  /** What speaks against it besides statistics. */
  proof?: Proof | undefined
}

/** Reasons are told to the agent; others hear of it. */
const OF_THE_AGENT = /^you (?=declared)/

/** The drift in one sentence, for people and records. */
export function reasonOf({ did, why }: Drifted): string {
  return ended(`The agent ${did}; ${why.replace(OF_THE_AGENT, 'it ')}`)
}

/** The way back: to the files that the goal is about, and away from the change where something forbids it. */
export function recoveryPlan({ file, proof, goal, why, did }: Drifted, onGoalFiles: string[]): RecoveryPlan {
  const others = [...new Set(onGoalFiles)].filter((one) => one !== file)
  // A folder says nothing beside a file in it.
  const backTo = others.filter((one) => !others.some((other) => isWithin(other, one))).slice(0, 2)
  const onward = why.includes(ANSWER_WANTED)
    ? 'answer the question, and offer the change'
    : why.includes(NO_CHANGE)
      ? 'answer the user, and change nothing'
      : why.includes(CIRCLES)
        ? 'read once more what fails, or ask the user'
        : backTo.length > 0
          ? `go on with ${listed(backTo, 'or')}`
          : 'go back to what was asked'
  const undo = file && (proof || why.includes(ANSWER_WANTED)) ? [undoing(file, did)] : []
  return {
    backTo,
    steps: [...undo, `${onward[0]!.toUpperCase()}${onward.slice(1)}.`, `Finish what was asked: ${goal}`],
  }
}

function undoing(file: string, did: string): string {
  if (file === '.') return 'Bring back what was thrown away, if you can.'
  if (did.startsWith('moved ')) return `Move ${file} back.`
  return did.startsWith('removed ') ? `Bring back ${file}.` : `Take back your change to ${file}.`
}

function isWithin(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** Whether an action does what the plan asks for first. */
export function recovers(plan: RecoveryPlan | undefined, files: string[]): boolean {
  return plan?.backTo.some((file) => files.includes(file)) ?? false
}

/** In words: whatever goal, names or a judge's sentences are made of, a correction stays under 120 of them. */
const MOST = { goal: 24, goalOfPart: 12, partOf: 8, did: 10, why: 20, step: 9, chars: 1600 }

const IF_NEEDED = 'If the request needs this change, say why in one sentence and carry on; if not, take it back.'
const IF_STUCK = 'If the request needs this change, say why in one sentence and carry on.'
const IF_LOST = 'If the request needs this, say why in one sentence; if not, put it back as far as you can.'
const IF_WEAKER = 'If the request needs this, say why in one sentence; if not, take it back.'
const IF_WANTED = 'If the user did ask for this change, say so in one sentence and carry on.'

/** The words that reach the agent: what was asked, what was done, why it looks foreign, what to do now, who can lift it. */
export function correctionText(level: CorrectionLevel, drift: Drifted, plan: RecoveryPlan): string {
  const task = drift.partOf === undefined ? '' : `, as part of “${inWords(drift.partOf, MOST.partOf)}”`
  const asked = `Asked for: “${inWords(drift.goal, task === '' ? MOST.goal : MOST.goalOfPart)}”${task}`
  const done = ended(`Done: you ${inWords(drift.did, MOST.did)}; ${inWords(whyBeside(drift), MOST.why)}`)
  const [first = '', second = ''] = plan.steps.slice(0, -1).map((step) => inWords(step, MOST.step))
  const now = second === '' ? first : `${first} Then ${second[0]!.toLowerCase()}${second.slice(1)}`
  switch (level) {
    case 'nudge':
      return lines('Grove, a reminder.', asked, done, 'Carry on if it serves what was asked.')
    case 'correct':
      return lines(
        drift.why.includes(CIRCLES)
          ? 'Grove: this looks like going in circles.'
          : 'Grove: this does not look like part of what was asked.',
        asked,
        done,
        `Now: ${now} ${unlessMeant(drift.why)} The user's word settles it.`,
      )
    case 'intervene':
      return lines(
        drift.proof === 'limit'
          ? 'Grove: this goes against a limit that the user has set.'
          : 'Grove: you have left the goal.',
        asked,
        done,
        `Now: ${now} Only a new word from the user lifts this.`,
      )
    case 'halt':
      return lines(
        'Grove: stop.',
        asked,
        done,
        `Now, before anything else: ${now} Until then such writes may be refused. Only a new word from the user lifts this.`,
      )
  }
}

/** Beside the goal, a question that stands in it need not be quoted once more. */
function whyBeside({ why, goal }: Drifted): string {
  const question = why.split(`${ANSWER_WANTED}: “`)[1]?.replace(/”$/, '')
  return question !== undefined && goal.includes(question) ? why.replace(`: “${question}”`, '') : why
}

function unlessMeant(why: string): string {
  if (why.includes(ANSWER_WANTED)) return IF_WANTED
  if (why.includes(NOT_TO_REMOVE) || why.includes(NOT_ASKED_FOR)) return IF_LOST
  if (why.includes(CIRCLES)) return IF_STUCK
  return why.includes(NOT_ASKED_TO) ? IF_WEAKER : IF_NEEDED
}

/** The same for the user's eyes, in one line. */
export function correctionLine(level: CorrectionLevel, drift: Drifted): string {
  const verb = { nudge: 'reminded', correct: 'corrected', intervene: 'corrected', halt: 'told' }[level]
  const why = toUser(inWords(drift.why, MOST.why))
  const line = ended(
    `Grove ${verb} the agent${level === 'halt' ? ' to stop' : ''}: it ${inWords(drift.did, MOST.did)}; ${why}`,
  )
  return neutralise(line.replace(/\s+/g, ' '))
}

function toUser(why: string): string {
  return why
    .replace(OF_THE_AGENT, 'it ')
    .replace(/^the user wants /, 'you want ')
    .replace(/^the user /, 'you ')
}

function lines(...parts: string[]): string {
  return neutralise(parts.join('\n').slice(0, MOST.chars))
}

/** A full stop, unless a quotation has its own sign. */
function ended(text: string): string {
  return /[.?!]”$/.test(text) ? text : `${text}.`
}

/** So many words of a text at most, in one line. */
function inWords(text: string, most: number): string {
  const words = text.trim().split(/\s+/)
  const short = words.length <= most ? words.join(' ') : `${words.slice(0, most).join(' ')} …`
  return closed(short.length <= most * 14 ? short : `${short.slice(0, most * 14 - 2).trimEnd()} …`)
}

/** A quotation or a command that was cut short still ends. */
function closed(text: string): string {
  const code = text.split('`').length % 2 === 0 ? `${text}\`` : text
  return code.lastIndexOf('“') > code.lastIndexOf('”') ? `${code}”` : code
}
