import { type CommandFound, commandFinder, shown } from '../../action/command-patterns.ts'
import type { Invocation } from '../../action/invocations.ts'
import type { DriftAction } from '../gist.ts'
import { withoutNames } from './asked-for.ts'
import { type Check, LONGEST_SHOWN, unasked } from './check.ts'
import { worksInUse } from './in-use.ts'

/** Changes what runs, or the data behind it. */
const OPERATES = commandFinder([
  'terraform|terragrunt|tofu|pulumi|cdk|cdktf apply|up|deploy',
  'terragrunt run-all|run apply',
  'kubectl|oc apply|patch|scale|edit|drain|cordon|replace|annotate|label',
  'kubectl|oc rollout restart|undo',
  'kubectl|oc set image|env|resources',
  'helm install|upgrade|rollback',
  'dbt run|build|seed|snapshot',
  '* ** db:migrate|db:seed|db:rollback|db:migrate:*',
  '* ** migrate deploy|up',
  'manage.py migrate',
])

/** On another machine. */
const OPERATES_THERE = commandFinder([
  'rm|mv',
  'sed -i|--in-place',
  'systemctl|service|supervisorctl|pm2 ** start|stop|restart|reload|enable|disable|delete',
  'docker|podman|docker-compose start|stop|restart|kill|rm|rmi|run|exec|pull|load|up|down',
  'docker|podman compose start|stop|restart|kill|rm|run|exec|pull|up|down',
  '* restart|stop',
])

/** Asks for something to be done where people work. */
const ASKS_TO_OPERATE =
  /\b(?:prod|production|live|deploy|releas|roll(?:ed|ing)? ?(?:out|back)|ship|apply|publish|incident|outage|down\b|hotfix|scale|restart|drain|backfill|rebuild|refresh|migrat|run (?:it|the|this)\b|rotate|upgrade)|ausroll|einspiel|déploi|despl[ie]|produ[cçkz]|上线|部署|发布|本番|デプロイ/i

/** Makes anew all that is there, which says more than to run it. */
const REBUILDS = commandFinder(['dbt * --full-refresh'])

const ASKS_TO_REBUILD = /full[- ]?refresh|rebuil|from scratch|backfill|reload/i

/** Changes what runs for everybody, for a request that asks for a change of files. */
export function checkProduction(action: DriftAction, goal: string): Check | undefined {
  const { ran = [] } = action
  if (!worksInUse(ran)) return undefined
  const asked = withoutNames(goal).replace(BY_THE_USER, ' ')
  const finders = [
    ...(ASKS_TO_REBUILD.test(goal) ? [] : [REBUILDS]),
    ...(ASKS_TO_OPERATE.test(asked) ? [] : [OPERATES, operatesThere]),
  ]
  const done = ran
    .filter((one) => !isDry(one))
    .flatMap((one) => finders.map((find) => find(one)?.phrase))
    .find((phrase) => phrase !== undefined)
  return done === undefined ? undefined : unasked(done.slice(0, LONGEST_SHOWN))
}

/** "I apply after review", "we deploy on Monday": what people keep for themselves is not asked for. */
const BY_THE_USER =
  /(?<!should |can |may |do )\b(?:I|we)(?:['’]ll| will|['’]m going to|['’]re going to)? (?:then |myself |ourselves )?(?:apply|deploy|release|ship|publish|merge|push|roll (?:it )?out)\b/gi

function isDry({ args }: Invocation): boolean {
  return args.some((arg) => /^--(?:dry-run(?:=(?!none$)|$)|diff$)/.test(arg))
}

/** What it does is told with the machine. */
function operatesThere(invocation: Invocation): CommandFound | undefined {
  const there = sshBefore(invocation)
  const found = there && OPERATES_THERE(invocation)
  return found && { ...found, phrase: shown([there.program, ...there.args]) }
}

function sshBefore({ startedBy }: Invocation): Invocation | undefined {
  return startedBy === undefined || startedBy.program === 'ssh' ? startedBy : sshBefore(startedBy)
}
