import { commandFinder } from '../../action/command-patterns.ts'
import { codeGivenTo, type Invocation } from '../../action/invocations.ts'
import { commandForbiddenBy } from '../../goal/command-limits.ts'
import { signsIn } from '../../goal/languages/closing-words.ts'
import { isOutright, onlyAnswers, PERHAPS, wordsOf } from '../../goal/limits/answer-only.ts'
import { forbiddenBy, isProven } from '../../goal/limits/forbids.ts'
import { covers } from '../../text/covers.ts'
import { ANSWER_WANTED, NO_CHANGE } from '../explain.ts'
import { type DriftAction, deedOf, gistOf } from '../gist.ts'
import { type Check, changedPath } from './check.ts'

/** A change that the user's words forbid. Reading is always allowed. */
export function checkConstraints(action: DriftAction, constraints: string[]): Check | undefined {
  const path = changedPath(action)
  if (!path) return checkDeed(action, constraints)
  const broken = forbiddenBy(constraints, path, [], deedOf(action))
  if (!broken) return undefined
  const isProof = isProven(broken, path, deedOf(action))
  const said = onlyAnswers(broken) ? (isProof ? NO_CHANGE : ANSWER_WANTED) : 'said'
  const reason = { file: path, why: `the user ${said}: “${wordsOf(broken)}”` }
  // A question asks for no change, but forbids none either; and what was only likely meant is no proof.
  if (isProof) return { lowers: 0, atMost: 3, reason, proof: 'limit' }
  const isGuess = !onlyAnswers(broken) && !signsIn(broken).some(({ name }) => SHUTS.has(name))
  return isGuess ? { lowers: 0, atMost: 7, reason, isGuess } : { lowers: 0, atMost: 6, reason }
}

/** Signs of a limit; what was taken for one without any of them may well be the request itself. */
const SHUTS: ReadonlySet<string> = new Set(['refuses', 'closed', 'only', 'rest', 'except'])

/** A command that does what the user's words forbid: "do not commit". */
function checkDeed({ kind, ran }: DriftAction, constraints: string[]): Check | undefined {
  if (kind !== 'cmd' || ran === undefined) return undefined
  const broken = commandForbiddenBy(constraints, ran)
  if (broken !== undefined)
    return { lowers: 0, atMost: 3, reason: { why: `the user said: “${broken}”` }, proof: 'limit' }
  // What a command changes beyond files is guessed from its words, which is no proof.
  const asked = constraints.find((limit) => onlyAnswers(limit) && !limit.startsWith(PERHAPS))
  if (asked === undefined || !changesBeyondFiles(ran)) return undefined
  const said = isOutright(asked) ? NO_CHANGE : ANSWER_WANTED
  return { lowers: 0, atMost: 6, reason: { why: `the user ${said}: “${wordsOf(asked)}”` } }
}

/** Whether a command line changes data, a running system or what others get. */
export function changesBeyondFiles(ran: readonly Invocation[]): boolean {
  return ran.some(
    (one) => BEYOND_FILES(one) || makesTag(one) || codeGivenTo(one).some((code) => CHANGES_DATA.test(code)),
  )
}

const BEYOND_FILES = commandFinder([
  'terraform|terragrunt|tofu|pulumi|cdk|cdktf apply|up|deploy|destroy',
  'terragrunt run-all|run apply|destroy',
  'kubectl|oc apply|delete|patch|scale|edit|drain|cordon',
  'kubectl|oc rollout restart|undo',
  'helm install|upgrade|uninstall|rollback',
  'npm|pnpm|yarn|cargo publish',
  'git commit|push|merge|rebase',
  'systemctl start|stop|restart|enable|disable',
])

/** `git tag` by itself, or with a pattern to look for, only shows them. */
function makesTag(invocation: Invocation): boolean {
  const found = NAMES_TAGS(invocation)
  return found !== undefined && found.operands.length > 0 && !LISTS_TAGS(invocation)
}

const NAMES_TAGS = commandFinder(['git tag'])
const LISTS_TAGS = commandFinder(['git tag -l|--list|-n|--contains|--points-at|--merged'])

const CHANGES_DATA =
  /\b(?:update_all|delete_all|destroy_all|insert_all|updateMany|deleteMany|insertMany)\b|\b(?:UPDATE \S{1,60} SET|INSERT INTO|DELETE FROM|ALTER TABLE|DROP (?:TABLE|INDEX|COLUMN|DATABASE)|TRUNCATE)\b/

/** A change outside the declared scope. Tests, docs and configuration often lie elsewhere, so they weigh less. */
export function checkScope(action: DriftAction, scope: string[]): Check | undefined {
  const path = changedPath(action)
  if (!path || scope.length === 0 || covers(scope, path)) return undefined
  const source = gistOf(action)?.role === 'source'
  const why = `the user limited the work to ${scope.join(', ')}`
  return { lowers: source ? 3 : 1, atMost: source ? 4 : 10, reason: { file: path, why }, proof: 'limit' }
}

/** A change of source that the agent itself has not declared. It may have learned better, so this is a correction at first. */
export function checkPlan(action: DriftAction, plan: string[]): Check | undefined {
  const path = changedPath(action)
  if (!path || plan.length === 0 || covers(plan, path) || gistOf(action)?.role !== 'source') return undefined
  const why = `you declared to change ${plan.slice(0, 3).join(', ')}`
  return { lowers: 0, atMost: 6, reason: { file: path, why }, proof: 'plan' }
}

/** A change that goes against a limit which the agent itself has declared: it has read the user's words so. */
export function checkOwnLimits(action: DriftAction, limits: string[]): Check | undefined {
  const path = changedPath(action)
  const broken = path && forbiddenBy(limits, path, [], deedOf(action))
  return broken
    ? { lowers: 0, atMost: 6, reason: { file: path, why: `you declared the limit “${broken}”` }, proof: 'plan' }
    : undefined
}
