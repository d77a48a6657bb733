/** How far the latest action is from the goal, without asking a model over the network. */

import { covers } from '../text/covers.ts'
import { asksToRemove, withoutNames } from './checks/asked-for.ts'
import type { Check } from './checks/check.ts'
import { checkCircling, checkCorrections } from './checks/circling.ts'
import { checkDestruction } from './checks/destruction.ts'
import { checkConstraints, checkOwnLimits, checkPlan, checkScope } from './checks/limits.ts'
import { checkDropped, checkRenewal } from './checks/packages.ts'
import { checkProduction } from './checks/production.ts'
import { checkDelivered } from './delivered.ts'
import type { DriftReason } from './explain.ts'
import { followingOdds, namesVersion } from './follows.ts'
import { type DriftAction, gistOf } from './gist.ts'
import { checkLoosened } from './loosened.ts'
import { model, predict, scoreOf } from './model.ts'
import type { Proof } from './recovery.ts'
import { checkSilenced } from './silenced.ts'
import { checkSmall } from './small.ts'
import { takeStep, weigh } from './stages.ts'
import { speaksOfOther, strayFacts, strayRisk, strayScore } from './stray.ts'
import { type DriftTrail, isChange } from './trail.ts'

export type { DriftReason } from './explain.ts'
export type { DriftAction } from './gist.ts'
export { type DriftTrail, startTrail } from './trail.ts'

export interface DriftReading {
  /** 0 to 1, like a probability that the action is off goal. */
  risk: number
  /** 10 = on goal … 1 = gone. 8 and more: nothing to say; 7 nudge, 5–6 correct, 3–4 intervene, 1–2 halt. */
  score: number
  /** What speaks against the action and can be named, strongest first; a risk by itself names nothing. */
  reasons: DriftReason[]
  /** What the score rests on besides statistics. Without any it is 5 at least. */
  proof?: Proof
}

/** What only the repository knows. Each piece can speak for an action and never against it. */
export interface RepoEvidence {
  /** 0 to 1: how often git history changed this file together with files of the trail. */
  coChanged?: number
  /** The file imports a file of the trail or is imported by one. */
  imports?: boolean
  /** The file lies in the scope the task declared. */
  inScope?: boolean
  /** The request is one of those that break things in many places, and ask to mend them. */
  sweeping?: boolean
  /** An earlier piece of finished work with a like goal touched this file. */
  earlierMemory?: boolean
  /** What is left of the odds because the action follows from the work before it. */
  follows?: number
}

// What each piece leaves of the odds. Set by judgement, since the training data knows nothing of the repository.
const DAMPING = { coChanged: 0.3, imports: 0.4, inScope: 0.5, earlierMemory: 0.5, sweeping: 0.35 }

const SWEEPS =
  /\b(?:upgrad|bump \S{1,60} (?:from \S{1,20} )?to v?\d|migrat|deprecat|violations?\b|lint|switch (?:\w+ ){0,4}to\b|rename|everywhere|wherever|throughout|across the|in all\b|all (?:the )?(?:files|places|modules|services|usages|call))|\bwhat(?:ever)? (?:breaks|fails|is broken)|ce qui (?:casse|ne (?:marche|compile))|lo que se romp|lo que falle|quello che si rompe|o que quebr|was (?:dabei )?kaputt|mets? à jour|actualiza|aggiorna|atualiz|aktualis|обнов|升级|更新到|アップグレード|\S\s*(?:->|→|=>)\s*\d|\bupdate (?:it|the \w+) (?:and|to)\b|ein(?:heitlich|em Rutsch)|überall|umbenenn|partout|renomm|en todas partes|renombr|全部|所有地方|すべて/i

const FEW_WORDS = 6
/** "Move to ocaml 5.2 and menhir 3": what breaks with it lies anywhere. */
const MOVES_TO = /\b(?:move|go|get|bring|jump|change)\b[^.\n]{0,40}\b(?:to|onto|on)\b/i

const sweeping = new WeakMap<DriftTrail['aim'], boolean>()

/** Whether the request is one of those; read once, since each action of the task asks. */
function isSweeping({ aim, goal }: DriftTrail): boolean {
  const known = sweeping.get(aim)
  if (known !== undefined) return known
  // One that names nothing but a version asks for all that comes with it: "vite 6".
  const isOnlyVersion = goal.trim().split(/\s+/).length < FEW_WORDS || MOVES_TO.test(goal)
  const found = SWEEPS.test(withoutNames(goal)) || (isOnlyVersion && namesVersion(goal))
  sweeping.set(aim, found)
  return found
}

export function scoreAction(
  trail: DriftTrail,
  action: DriftAction,
  evidence: RepoEvidence = {},
): { trail: DriftTrail; reading: DriftReading } {
  const step = takeStep(trail, action)
  if (!step) return { trail, reading: { risk: trail.risk, score: trail.score, reasons: [] } }
  if (step.runs.length === 0) {
    return { trail: { ...trail, notes: step.notes }, reading: { risk: trail.risk, score: trail.score, reasons: [] } }
  }
  const { marks, row } = weigh(trail.marks, step.runs, model.runs)
  const risk = damp(predict(model.steps, row), evidence)
  const score = unlessSudden(scoreOf(risk), trail.score)
  return { trail: { ...trail, notes: step.notes, marks, risk, score }, reading: { risk, score, reasons: [] } }
}

function damp(risk: number, evidence: RepoEvidence): number {
  let odds = risk / (1 - risk)
  if (evidence.imports) odds *= DAMPING.imports
  if (evidence.inScope) odds *= DAMPING.inScope
  if (evidence.earlierMemory) odds *= DAMPING.earlierMemory
  if (evidence.sweeping) odds *= DAMPING.sweeping
  odds *= evidence.follows ?? 1
  odds *= DAMPING.coChanged ** Math.min(1, Math.max(0, evidence.coChanged ?? 0))
  return odds / (1 + odds)
}

/** One action alone never halts an agent: the worst scores need an action before it that was already off. */
function unlessSudden(score: number, before: number): number {
  return before > 6 ? Math.max(score, 3) : score
}

export interface Bounds {
  /** Paths the task may touch: folders, files, or globs of the form `src/auth/**`. Empty: anywhere. */
  scope?: string[]
  /** What the user forbade, in words: "don't touch the schema". */
  constraints?: string[]
  /** Files and folders that the agent said it would change; empty: it has said nothing. */
  plan?: string[]
  /** What the agent said it would leave alone, in its words. */
  ownLimits?: string[]
  /** The words that asked to hand the work over, where that is done and the action goes on with something else. */
  delivered?: string
  /** Corrections given since the agent was last on goal. */
  ignoredCorrections?: number
  /** Mere reminders since then. */
  ignoredReminders?: number
  evidence?: RepoEvidence
}

/** The reading with the rules a user can state: scope, constraints, going in circles, corrections ignored. */
export function judgeAction(
  trail: DriftTrail,
  action: DriftAction,
  bounds: Bounds = {},
): { trail: DriftTrail; reading: DriftReading } {
  const { scope = [], constraints = [], plan = [], ownLimits = [], evidence = {} } = bounds
  const inScope = scope.length > 0 && action.path !== undefined && covers(scope, action.path)
  const known = {
    ...evidence,
    follows: followingOdds(trail, action),
    ...(inScope && { inScope }),
    ...(isSweeping(trail) && { sweeping: true }),
  }
  const scored = scoreAction(trail, action, known)
  const request = [trail.goal, ...trail.context].join('\n')
  const found = [
    checkConstraints(action, constraints),
    checkScope(action, scope),
    checkPlan(action, plan),
    checkOwnLimits(action, ownLimits),
    inScope || evidence.inScope ? undefined : checkDestruction(action, request, isSweeping(trail)),
    checkProduction(action, request),
    checkRenewal(action, request, trail.complaints !== undefined),
    checkDropped(action, request, trail),
    checkDelivered(action, bounds.delivered),
    checkSilenced(action, request),
    checkLoosened(action, request),
    inScope || evidence.inScope ? undefined : checkSmall(trail, action),
    checkCircling(trail.notes, action),
  ].filter((check) => check !== undefined)
  // A file that the user named is what was asked for, whatever else it looks like.
  const facts = known.inScope ? undefined : strayFacts(trail, action, scored.reading.risk)
  const own = facts && damp(strayRisk(facts), known)
  // It takes several signs: the run of actions looks foreign, and so does the change by itself. The run alone is worth a reminder.
  const isRunOdd = scored.reading.score < AT_HOME
  const byItself = own === undefined ? 10 : Math.max(strayScore(own, speaksOfOther(facts!)), isRunOdd ? 0 : REMINDED)
  const base = Math.min(Math.max(scored.reading.score, REMINDED), byItself)
  // Who was reminded of something that can be named, and goes on, is corrected; so is who has handed the work over, as asked.
  const isNamed = found.some((check) => !check.isGuess)
  const isBeside = trail.handedOver === true && own !== undefined && own >= UNLIKELY
  const reminders = (isNamed ? (bounds.ignoredReminders ?? 0) : 0) + (isBeside ? 1 : 0)
  const lowered = checkCorrections(lowest(base, found), (bounds.ignoredCorrections ?? 0) + reminders)
  const proof = found.find((check) => check.proof)?.proof
  const reasons = found.map((check) => check.reason)
  const isMild = isMinor(trail, action) || (action.destroys === true && asksToRemove(request))
  const least = !isNamed && isMild ? REMINDED : LEAST_UNPROVEN
  const score = proof ? lowered : Math.max(lowered, least)
  return { trail: scored.trail, reading: { risk: scored.reading.risk, score, reasons, ...(proof && { proof }) } }
}

/**
 * Where statistics by themselves may remind of the goal and no more: a command, the first change of a task, more of what
 * was let pass before, a test beside the work; and, where the request asks for something to go, what is removed.
 */
function isMinor({ notes }: DriftTrail, action: DriftAction): boolean {
  const changes = notes.filter(isChange)
  if (action.kind === 'cmd' || changes.length === 0 || changes.some(({ path }) => path === action.path)) return true
  return gistOf(action)?.role === 'test'
}

const REMINDED = 7
const AT_HOME = 10
/** Under it a change looks so much like the work that nothing is made of it. */
const UNLIKELY = 0.2

/** A false alarm that blocks is worse than a miss, so statistics alone never reach the scores that do. */
const LEAST_UNPROVEN = 5

function lowest(score: number, checks: Check[]): number {
  const lowered = checks.reduce((s, check) => s - check.lowers, score)
  return Math.max(1, Math.min(lowered, ...checks.map((check) => check.atMost)))
}
