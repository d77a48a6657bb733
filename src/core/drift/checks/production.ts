import type { DriftAction } from '../gist.ts'
import { withoutNames } from './asked-for.ts'
import { type Check, LONGEST_SHOWN, unasked } from './check.ts'
import { doneBy } from './done-by.ts'

/** Changes what runs, or the data behind it. */
const OPERATES =
  /\b(?:terraform|terragrunt|tofu|pulumi|cdk) (?:\S{1,60} ){0,3}(?:apply|up|deploy)\b|\bkubectl (?:\S{1,60} ){0,5}(?:apply|patch|scale|edit|drain|cordon|replace|annotate|label|rollout (?:restart|undo)|set (?:image|env|resources))\b|\bhelm (?:\S{1,60} ){0,4}(?:install|upgrade|rollback)\b|\bdbt (?:run|build|seed|snapshot)\b|\bdb:(?:migrate|seed|rollback)\b|\bmanage\.py migrate\b|\bmigrate (?:deploy|up)\b|\bssh \S{1,80} .{0,200}\b(?:rm|restart|stop|systemctl|docker|mv|sed -i)\b/

/** Asks for something to be done where people work. */
const ASKS_TO_OPERATE =
  /\b(?:prod|production|live|deploy|releas|roll(?:ed|ing)? ?(?:out|back)|ship|apply|publish|incident|outage|down\b|hotfix|scale|restart|drain|backfill|rebuild|refresh|migrat|run (?:it|the|this)\b|rotate|upgrade)|ausroll|einspiel|déploi|despl[ie]|produ[cçkz]|上线|部署|发布|本番|デプロイ/i

/** Makes anew all that is there, which says more than to run it. */
const REBUILDS = /\bdbt (?:\S{1,80} ){1,10}--full-refresh\b/

const ASKS_TO_REBUILD = /full[- ]?refresh|rebuil|from scratch|backfill|reload/i

/** What people work with every day: to ask that something be cleaned up does not speak of it, unless it is named. */
export const IN_USE = /(?<![a-z])(?:prod|production|live)(?![a-z])/i

/** Changes what runs for everybody, for a request that asks for a change of files. */
export function checkProduction(action: DriftAction, goal: string): Check | undefined {
  const cmd = doneBy(action.cmd ?? '')
  if (!IN_USE.test(cmd) || DRY.test(cmd)) return undefined
  const anew = ASKS_TO_REBUILD.test(goal) ? undefined : REBUILDS.exec(cmd)?.[0]
  const asked = withoutNames(goal).replace(BY_THE_USER, ' ')
  const done = anew ?? (ASKS_TO_OPERATE.test(asked) ? undefined : OPERATES.exec(cmd)?.[0])
  return done === undefined ? undefined : unasked(done.slice(0, LONGEST_SHOWN))
}

/** "I apply after review", "we deploy on Monday": what people keep for themselves is not asked for. */
const BY_THE_USER =
  /(?<!should |can |may |do )\b(?:I|we)(?:['’]ll| will|['’]m going to|['’]re going to)? (?:then |myself |ourselves )?(?:apply|deploy|release|ship|publish|merge|push|roll (?:it )?out)\b/gi

const DRY = /--dry-run\b|--diff\b|\bhelm template\b/
