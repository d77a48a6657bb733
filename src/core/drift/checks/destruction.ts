import { type CommandFound, commandFinder, shown } from '../../action/command-patterns.ts'
import { codeGivenTo, type Invocation, wordsOf } from '../../action/invocations.ts'
import { isTemporary } from '../../action/scratch.ts'
import { withoutSlash } from '../../text/covers.ts'
import { NOT_TO_REMOVE } from '../explain.ts'
import { type DriftAction, gistOf, stems, weight } from '../gist.ts'
import { asksToRemove } from './asked-for.ts'
import { type Check, unasked } from './check.ts'
import { IN_USE, worksInUse } from './in-use.ts'

/** Commands that take away more than files, and hardly ever can be taken back. */
const DESTROYS = commandFinder([
  // Databases and what they hold.
  '* ** db:wipe|db:drop|db:reset|*:db:wipe|*:db:drop|*:db:reset|db:wipe:*|db:drop:*|db:reset:*',
  '* ** migrate:reset|migrate:fresh|ecto.drop|ecto.reset|apps:destroy|pg:destroy|pg:reset|addons:destroy',
  '* ** database:drop|schema:drop|*:database:drop|*:schema:drop',
  '* ** db reset',
  '* ** database drop',
  'dropdb',
  'manage.py flush|reset_db',
  'prisma migrate reset',
  'prisma db push --force-reset',
  'alembic downgrade base',
  'rabbitmqctl|rabbitmqadmin reset|force_reset|purge|purge_queue|delete|delete_queue|delete_vhost',
  'nats stream rm|purge|delete',
  'vault delete|destroy',
  'vault kv delete|destroy',
  'vault kv metadata delete',
  'kafka-topics|kafka-topics.sh --delete',
  // What runs somewhere, and what it keeps there.
  'terraform|terragrunt|tofu|pulumi|cdk|cdktf|vagrant|sls|serverless destroy',
  'terragrunt run-all|run destroy',
  'terraform|terragrunt|tofu apply|plan -destroy',
  'terraform|terragrunt|tofu state rm',
  'terragrunt run-all|run apply|plan -destroy',
  'pulumi state delete',
  'pulumi stack rm',
  'kind delete cluster|clusters',
  'minikube delete',
  'fly|flyctl apps|volume|volumes|machine|machines|pg|postgres destroy',
  'wrangler ** delete',
  'zfs|zpool destroy',
  'restic forget',
  'borg delete|prune',
  'kubectl|oc delete',
  'helm uninstall|delete',
  'docker|podman system|volume prune',
  'docker|podman volume rm',
  'docker|podman compose down -v|--volumes',
  'docker-compose|podman-compose down -v|--volumes',
  'aws s3 rm|rb',
  'aws s3 sync --delete',
  'aws * delete-*|terminate-*',
  'gcloud ** delete',
  'az ** delete',
  'gsutil rm',
  'gcloud storage rm',
  'crontab -r',
  // What others have, and what was written.
  'gh repo|release|secret|variable delete',
  'npm|pnpm|yarn unpublish',
  'git push -f|--force|-d|--delete|--mirror',
  'git push * :*|+*',
  'git branch -D',
  'git tag -d|--delete',
  'git stash drop|clear',
  'git reflog expire',
  'git gc --prune=now',
  'git filter-branch|filter-repo',
  'git-filter-repo',
])

/** The same in the language of a database, or of a program that works on one. */
const DESTROYS_DATA = new RegExp(
  `\\b(?:${[
    'dropDatabase',
    'drop[_ ](?:database|schema|table)',
    'truncate (?:table )?(?!-)[\\w."`]{2,80}(?:\\s?,\\s?[\\w."`]{2,80}){0,30}(?=\\s*(?:;|["\']|$|cascade|restart))',
    'delete from [\\w."`]{1,80}(?=\\s*(?:;|["\']|$))',
    'flush(?:all|db)',
    '(?:deleteMany|remove|delete_many)\\(\\{\\s{0,4}\\}\\)',
    'objects\\.all\\(\\)\\.delete\\(\\)',
  ].join('|')})(?![\\w-])`,
  'i',
)
const DESTROYS_RECORDS = /\b[A-Z]\w{1,60}\.(?:delete|destroy)_all(?![\w-])/
const RUNS_RECORDS = /^(?:rails|rake|runner|console)$/

/** What a command destroys for good, in its own words; undefined where it destroys nothing that is not made anew. */
function lostBy(invocation: Invocation): string | undefined {
  const found = DESTROYS(invocation)
  if (found && !isHarmless(found)) return found.phrase
  const history = historyLost(invocation)
  if (history !== undefined) return history
  const ofRecords = RUNS_RECORDS.test(invocation.program) ? DESTROYS_RECORDS : undefined
  return codeGivenTo(invocation)
    .map((code) => (DESTROYS_DATA.exec(code) ?? ofRecords?.exec(code))?.[0])
    .find((lost) => lost !== undefined)
}

/** `rm -rf .git`; a lock file in it is what a git that broke off has left over. */
function historyLost({ program, args }: Invocation): string | undefined {
  if (program !== 'rm' || !args.some((arg) => /^-[rRf]|^--(?:recursive|force)$/.test(arg))) return undefined
  const at = args.findIndex((arg) => /\.git(?:\/|$)/.test(arg) && !arg.endsWith('.lock'))
  return at < 0 ? undefined : shown(['rm', ...args.slice(0, at + 1)])
}

/** A single pod comes back by itself, and a cluster with a name is one of several for trying. */
function isHarmless({ invocation: { program, args }, operands }: CommandFound): boolean {
  const [first = ''] = operands
  if (program === 'kubectl' || program === 'oc')
    return /^(?:pods?|po)(?:\/|$)/.test(first) && !args.some((arg) => /^(?:--all|-l|--selector)(?![a-z-])/.test(arg))
  if (program === 'kind') return args.some((arg) => /^--name(?:=|$)/.test(arg))
  return args.includes('--dump-sql')
}

/** What is there to be thrown away. */
const FOR_TRYING = /(?<![a-z])(?:test|testing|tests|local|dev|development|sandbox|tmp)(?![a-z])/i

/** What tools make anew whenever it is missing. */
const MADE_ANEW =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|__pycache__|venv|tmp|temp|vendor\/bundle|Pods|DerivedData|obj|_build|htmlcov|public\/build|[\w.-]*cache[\w.-]*|\.(?:terraform|gradle|next|nuxt|turbo|venv|tox|mypy_cache|pytest_cache|ruff_cache|parcel-cache|svelte-kit|angular|dart_tool|build|bundle|eggs|nyc_output|output|expo))\/?(?:\*\*?)?$|\.(?:pyc|o|log|tsbuildinfo)$/i

/** What tools on the way to shared machines name `dev` is somebody's work all the same. */
const SHARED = /^(?:aws|gcloud|gsutil|az|kubectl|oc|helm|terraform|terragrunt|tofu|pulumi)$/

const FOR_ONE = /(?<![a-z])(?:test|testing|tests|local|localhost|localstack|minikube|sandbox|tmp)(?![a-z])/i

/** What people have put there, and no tool makes anew. */
const KEPT = /(?:^|[/_.-])(?:data|saves|uploads|backups|media|recordings|dumps)$|\.(?:sqlite3?|db|dump|bak)$/i

/** Takes away, in one command, what the request neither names nor asks to take away. */
export function checkDestruction(action: DriftAction, goal: string, isSweeping = false): Check | undefined {
  const { path, destroys, ran = [] } = action
  const isAsked = asksToRemove(goal)
  const isInUse = !IN_USE.test(goal) && worksInUse(ran)
  const gone = ran.filter((one) => GOES_TO(one))
  const isMeant = (one: Invocation) => !isInUse && (isAsked || isForTrying([...gone, one], one.program))
  const lost = ran
    .map((one) => ({ one, what: lostBy(one) }))
    .find(({ one, what }) => what !== undefined && !isMeant(one))?.what
  if (lost !== undefined) return goal.toLowerCase().includes(lost.trim().toLowerCase()) ? undefined : unasked(lost)
  if (!destroys || path === undefined || MADE_ANEW.test(path)) return undefined
  // "Remove stale segments at startup" asks the program to remove: neither uncommitted work nor what lies outside is meant.
  const isBeyond = path === '.' ? !ASKS_TO_DISCARD.test(goal) : isOutside(path)
  if (isAsked && !isBeyond) return undefined
  // Whoever settles a conflict takes one side of a file, or the other; the rest of the work is not theirs to lose.
  if (path !== '.' && IN_CONFLICT.test(goal)) return undefined
  const said = new Set(stems(goal))
  const named = stems(
    path
      .split('/')
      .at(-1)!
      .replace(/\.\w+$/, ''),
  ).some((word) => weight(word) > 0.2 && said.has(word))
  // Who names a file in it speaks of it as something that is there.
  const isSpokenOf = KEPT.test(path) || goal.includes(`${withoutSlash(path)}/`)
  // A test that bears the name of the work is not the work: to throw it away only makes it quiet.
  if (named && !isSpokenOf && gistOf(action)?.role !== 'test') return undefined
  const what = path === '.' ? 'uncommitted work' : path
  // An upgrade makes files obsolete that nobody can name before.
  const isObsolete = isSweeping && !isBeyond && path !== '.' && !KEPT.test(path)
  return { lowers: 0, atMost: isObsolete ? 7 : 6, reason: { file: path, why: `${NOT_TO_REMOVE} ${what} away` } }
}

/** Words that may be meant of the work itself and not of what a program removes. */
const ASKS_TO_DISCARD =
  /\b(?:clean|rever[ts]|undo|reset|restor|discard|throw\w* (?:\w+ ){0,4}(?:away|out)|start over|start fresh|from scratch|drop (?:it|that|them|my|the|all|those) (?:\w+ )?changes|get rid of|go back|back to|roll(?:ed|ing)? ?back|untracked|uncommitted|stash|checkout|git|wipe|nuke|away)|verwirf|verwerf|zurück|aufräum|annul|défai|remets|descart|deshaz|vuelve|ripristin|desfa|cofnij|откат|верни|убер|还原|恢复|清理|戻/i

/** A place of the machine and not of the project, temporary ones aside. */
function isOutside(path: string): boolean {
  return /^(?:[~/]|\.\.(?:\/|$))/.test(path) && !isTemporary(path)
}

const IN_CONFLICT =
  /\bconflicts?\b|\brebas(?:e|ing)\b|\bcherry-?pick|konflikt|conflit|conflitt|конфликт|冲突|コンフリクト/i

/** Whether a program works on what is there to be thrown away: by its own words, or by where the line has gone before. */
function isForTrying(told: readonly Invocation[], program: string): boolean {
  const names = SHARED.test(program) ? FOR_ONE : FOR_TRYING
  return told.some((one) => names.test(wordsOf(one)))
}

/** They say where the programs behind them work. */
const GOES_TO = commandFinder([
  'cd|pushd|env|kubectx|kubens',
  'kubectl config use-context|use',
  'terraform|tofu workspace select',
  'pulumi stack select',
  'gcloud|az config|account set',
])
