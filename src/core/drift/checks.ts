/** What a user can state outright, and so needs no learning: scope, constraints, going in circles, corrections ignored. */

import { isTemporary } from '../action/scratch.ts'
import { commandForbiddenBy } from '../goal/command-limits.ts'
import { signsIn } from '../goal/languages/closing-words.ts'
import { isOutright, onlyAnswers, PERHAPS, wordsOf } from '../goal/limits/answer-only.ts'
import { forbiddenBy, isProven } from '../goal/limits/forbids.ts'
import { ANSWER_WANTED, CIRCLES, type DriftReason, NO_CHANGE, NOT_ASKED_FOR, NOT_TO_REMOVE } from './explain.ts'
import { type DriftAction, gistOf, stems, weight } from './gist.ts'
import type { Proof } from './recovery.ts'
import type { DriftTrail, Note } from './trail.ts'

export interface Check {
  /** The score is lowered by this much, and then is at most that. */
  lowers: number
  atMost: number
  reason: DriftReason
  proof?: Proof
  /** Too little to make anything of a reminder that was not heeded. */
  isGuess?: true
}

/** A change that the user's words forbid. Reading is always allowed. */
export function checkConstraints(action: DriftAction, constraints: string[]): Check | undefined {
  const path = changedPath(action)
  if (!path) return checkDeed(action, constraints)
  const broken = forbiddenBy(constraints, path, [], action.destroys)
  if (!broken) return undefined
  const isProof = isProven(broken, path, action.destroys)
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
function checkDeed({ kind, cmd }: DriftAction, constraints: string[]): Check | undefined {
  if (kind !== 'cmd' || cmd === undefined) return undefined
  const broken = commandForbiddenBy(constraints, cmd)
  if (broken !== undefined)
    return { lowers: 0, atMost: 3, reason: { why: `the user said: “${broken}”` }, proof: 'limit' }
  // What a command changes beyond files is read from its words alone, which is no proof.
  const asked = constraints.find((limit) => onlyAnswers(limit) && !limit.startsWith(PERHAPS))
  if (asked === undefined || !changesBeyondFiles(cmd)) return undefined
  const said = isOutright(asked) ? NO_CHANGE : ANSWER_WANTED
  return { lowers: 0, atMost: 6, reason: { why: `the user ${said}: “${wordsOf(asked)}”` } }
}

/** Whether a command changes data, a running system or what others get. */
export function changesBeyondFiles(cmd: string): boolean {
  return BEYOND_FILES.test(cmd)
}

const BEYOND_FILES =
  /\b(?:update_all|delete_all|destroy_all|insert_all|updateMany|deleteMany|insertMany)\b|\b(?:UPDATE \S{1,60} SET|INSERT INTO|DELETE FROM|ALTER TABLE|DROP (?:TABLE|INDEX|COLUMN|DATABASE)|TRUNCATE)\b|\b(?:terraform|terragrunt|tofu|pulumi|cdk) (?:\S{1,60} ){0,3}(?:apply|up|deploy|destroy)\b|\bkubectl (?:\S{1,60} ){0,5}(?:apply|delete|patch|scale|edit|drain|cordon|rollout (?:restart|undo))\b|\bhelm (?:\S{1,60} ){0,4}(?:install|upgrade|uninstall|rollback)\b|\b(?:npm|pnpm|yarn|cargo) publish\b|\bgit (?:commit|push|merge|rebase|tag (?!-l|--list))|\bsystemctl (?:start|stop|restart|enable|disable)\b/

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
  const broken = path && forbiddenBy(limits, path, [], action.destroys)
  return broken
    ? { lowers: 0, atMost: 6, reason: { file: path, why: `you declared the limit “${broken}”` }, proof: 'plan' }
    : undefined
}

/** Whether a path lies under one of the given folders, files or globs; a glob counts up to its first star. */
export function covers(scope: string[], path: string): boolean {
  const target = `${trim(path)}/`
  return scope.some((entry) => {
    const star = entry.indexOf('*')
    if (star >= 0) return trim(path).startsWith(entry.slice(0, star).replace(/^\.\//, ''))
    return target.startsWith(`${trim(entry)}/`)
  })
}

function trim(path: string): string {
  return path.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '')
}

/** Words that ask for something to go, or to be somewhere else. */
const ASKS_TO_REMOVE =
  /\b(?:remov|delet|drop(?!-?downs?\b)|clean|get rid|rip out|purge|prune|replac(?!ements?\b)|mov(?:e|ing)|renam|migrat(?!ions?\b(?! (?:to|from|away|off|onto|nach|von|vers|de)\b))|rever[ts]|undo|reset|restor|discard|throw\w* (?:\w+ ){0,4}(?:away|out)|start over|refactor|split|merg|consolidat|deprecat|obsolet|unused|dead code|(?<!right |straight )away|instead(?! of (?:all|only|just|every|always|once|twice|none|nothing|\d|an? (?:empty|single))\b)|swap|switch\w{0,3} (?:\w+ ){0,4}(?:to|from|over)\b|uninstall|eras|wipe)|lösch|entfern|ersetz|verschieb|aufräum|supprim|enlev|remplac|elimin|borra|quita|reemplaz|remov|rimuov|cancell(?!ed|ing|ation|able)|usuń|удал|убер|删|移除|重命名|削除|消し|リネーム/i

/** What something says, in quotes: 'waiting for the volume to be deleted'. */
const MESSAGE = /(?<![\p{L}\d])(['"“])\p{L}[^'"”\n]{0,60}\s[^'"”\n]{1,60}\s[^'"”\n]{1,60}['"”](?![\p{L}\d])/gu

/** What is named after removing something asks for none: "the delete button", "DELETE /carts", "password reset", "do not delete". */
const SPEAKS_OF_REMOVAL =
  /\bDELETE \/\S{0,80}|\b(?:merge|pull) (?:requests?|conflicts?|commits?)\b|\bpassword resets?\b|\b(?:soft|hard)[- ]delet\w{1,4}|\b(?:delet|remov|reset|undo|restor|clear|discard|clean)\w{0,3} (?:password|button|link|icon|key|e?-?mails?|token|page|form|dialog|modal|prompt|route|endpoint|handler|request|call|event|flag|option|job|task|method|function)s?\b|(?<![\p{L}])(?:not|never|without|nothing|nicht|nie|ohne|pas|sans|jamais|non|senza|sin|nunca|sem|não|не|без)(?: (?:to|may|must|should|shall|can|be|is|ever|just|simply|also|even|get|got|being|zu|de|se|gets)){0,3} (?:ge)?(?:remov|delet|drop|clean|purg|prun|replac|mov|renam|migrat|rever|undo|reset|restor|discard|merg|eras|wip|lösch|entfern|ersetz|supprim|enlev|elimin|borr|quit|rimuov|cancell|удал|убер)\p{L}{0,8}|(?:n['’]t)(?: (?:be|ever|just|simply|also|even|get)){0,2} (?:remov|delet|drop|clean|purg|prun|replac|mov|renam|migrat|rever|undo|reset|restor|discard|merg|eras|wip)\p{L}{0,8}/giu

/** Commands that take away more than files, and hardly ever can be taken back. */
const DESTROYS = new RegExp(
  `\\b(?:${[
    // Databases and what they hold.
    'db:(?:wipe|drop|reset)',
    'migrate:(?:reset|fresh)',
    'ecto\\.(?:drop|reset)',
    '(?:database|schema):drop(?! --dump-sql)',
    'db reset',
    'database drop',
    'dropDatabase',
    'dropdb',
    'drop[_ ](?:database|schema|table)',
    'truncate (?:table )?(?!-)[\\w."`]{2,80}(?:\\s?,\\s?[\\w."`]{2,80}){0,30}(?=\\s*(?:;|["\']|$|cascade|restart))',
    'delete from [\\w."`]{1,80}(?=\\s*(?:;|["\']|$))',
    'flush(?:all|db)',
    'manage\\.py (?:flush|reset_db)',
    'prisma migrate reset',
    'prisma db push \\S{0,60} ?--force-reset',
    'alembic (?:\\S{1,60} ){0,4}downgrade base',
    '(?:apps|pg|addons):(?:destroy|reset)',
    '(?:deleteMany|remove|delete_many)\\(\\{\\s{0,4}\\}\\)',
    'objects\\.all\\(\\)\\.delete\\(\\)',
    '(?<=\\b(?:rails|rake|runner|console)\\b[^|]{0,200})[A-Z]\\w{1,60}\\.(?:delete|destroy)_all',
    'rabbitmq(?:ctl|admin) (?:-{1,2}\\S{1,60} (?:[^-\\s]\\S{0,60} )?){0,4}(?:reset|force_reset|purge(?:_queue)?|delete(?:_queue|_vhost)?)',
    'nats stream (?:rm|purge|delete)',
    'vault (?:kv )?(?:delete|destroy|metadata delete)',
    'kafka-topics(?:\\.sh)? (?:\\S{1,80} ){0,6}--delete',
    // What runs somewhere, and what it keeps there.
    '(?:terraform|terragrunt|tofu|pulumi|cdk|cdktf|vagrant|sls|serverless) destroy',
    'terragrunt (?:run-all|run --all) destroy',
    '(?:terraform|terragrunt|tofu) (?:\\S{1,60} ){0,3}(?:apply|plan) (?:\\S{1,60} ){0,6}-destroy',
    '(?:terraform|terragrunt|tofu) (?:\\S{1,60} ){0,3}state rm',
    'pulumi (?:-{1,2}\\S{1,60} (?:[^-\\s]\\S{0,60} )?){0,4}(?:state delete|stack rm)',
    'kind delete clusters?(?! (?:\\S{1,60} ){0,4}--name)',
    'minikube delete',
    '(?:fly|flyctl) (?:apps|volumes?|machines?|pg|postgres) destroy',
    'wrangler (?:[\\w:-]{2,30} ){0,3}delete',
    '(?:zfs|zpool) destroy',
    '(?:restic forget|borg (?:delete|prune))',
    // A single pod comes back by itself.
    'kubectl (?:-{1,2}\\S{1,60} (?:[^-\\s]\\S{0,60} )?){0,4}delete(?! pods?(?:[ /])(?!.{0,120}(?:--all|-l|--selector)))',
    'helm (?:-{1,2}\\S{1,60} (?:[^-\\s]\\S{0,60} )?){0,4}(?:uninstall|delete)',
    '(?:docker|podman) (?:system|volume) prune',
    '(?:docker|podman) volume rm',
    'docker[ -]compose (?:\\S{1,60} ){0,6}down (?:\\S{1,60} ){0,4}(?:-v|--volumes)',
    'aws s3 r[mb]',
    'aws s3 sync (?:\\S{1,120} ){0,6}--delete',
    'aws [\\w-]{2,30} (?:delete|terminate)-[\\w-]{2,40}',
    'gcloud (?:[\\w-]{2,40} ){1,4}delete',
    'az (?:[\\w-]{2,40} ){1,4}delete',
    '(?:gsutil|gcloud storage) rm',
    'crontab -r',
    // What others have, and what was written.
    'gh (?:repo|release|secret|variable) delete',
    '(?:npm|pnpm|yarn) unpublish',
    'git push (?:\\S{1,60} ){0,4}(?:--force|-f|--delete|-d)\\b',
    'git push (?:\\S{1,60} ){0,4}--mirror',
    'git push \\S{1,60} [:+]\\S+',
    'git branch -D',
    'git tag (?:-d|--delete)',
    'git stash (?:drop|clear)',
    'git reflog expire',
    'git gc --prune=now',
    'git filter-(?:branch|repo)',
    'rm -\\w{1,4} \\S{0,60}\\.git(?:\\/\\S{0,60})?(?=\\s|$)',
  ].join('|')})(?![\\w-])`,
  'i',
)
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
const IN_USE = /(?<![a-z])(?:prod|production|live)(?![a-z])/i

/** What is there to be thrown away. */
const FOR_TRYING = /(?<![a-z])(?:test|testing|tests|local|dev|development|sandbox|tmp)(?![a-z])/i

/** What tools make anew whenever it is missing. */
const MADE_ANEW =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|__pycache__|venv|tmp|temp|vendor\/bundle|Pods|DerivedData|obj|_build|htmlcov|public\/build|[\w.-]*cache[\w.-]*|\.(?:terraform|gradle|next|nuxt|turbo|venv|tox|mypy_cache|pytest_cache|ruff_cache|parcel-cache|svelte-kit|angular|dart_tool|build|bundle|eggs|nyc_output|output|expo))\/?(?:\*\*?)?$|\.(?:pyc|o|log|tsbuildinfo)$/i

/** What tools on the way to shared machines name `dev` is somebody's work all the same. */
const SHARED = /\b(?:aws|gcloud|gsutil|az|kubectl|helm|terraform|terragrunt|tofu|pulumi)\s/
const FOR_ONE = /(?<![a-z])(?:test|testing|tests|local|localhost|localstack|minikube|sandbox|tmp)(?![a-z])/i

/** What people have put there, and no tool makes anew. */
const KEPT = /(?:^|[/_.-])(?:data|saves|uploads|backups|media|recordings|dumps)$|\.(?:sqlite3?|db|dump|bak)$/i

/** Whether a request asks for something to go, whatever that may be; what a file is called asks for nothing. */
export function asksToRemove(request: string): boolean {
  return ASKS_TO_REMOVE.test(withoutNames(request).replace(MESSAGE, ' ').replace(SPEAKS_OF_REMOVAL, ' '))
}

/** A request without the names of files: "see migrate.py" does not ask to migrate. */
export function withoutNames(request: string): string {
  return request.replace(/[\w./-]{0,200}\w\.[A-Za-z]\w{0,5}(?![\w])/g, ' ')
}

/** Takes away, in one command, what the request neither names nor asks to take away. */
export function checkDestruction(action: DriftAction, goal: string): Check | undefined {
  const { path, destroys } = action
  const cmd = action.cmd === undefined ? undefined : doneBy(action.cmd)
  const isAsked = asksToRemove(goal)
  const isInUse = cmd !== undefined && IN_USE.test(cmd) && !IN_USE.test(goal)
  if (isAsked && !isInUse) return undefined
  const lost = cmd === undefined || (isForTrying(cmd) && !isInUse) ? undefined : DESTROYS.exec(cmd)?.[0]
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
  const isSpokenOf = KEPT.test(path) || goal.includes(`${trim(path)}/`)
  // A test that bears the name of the work is not the work: to throw it away only makes it quiet.
  if (named && !isSpokenOf && gistOf(action)?.role !== 'test') return undefined
  const what = path === '.' ? 'uncommitted work' : path
  return { lowers: 0, atMost: 6, reason: { file: path, why: `${NOT_TO_REMOVE} ${what} away` } }
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

/** A command line without what it only looks for, says, or writes into a file. */
function doneBy(cmd: string): string {
  return cmd.replace(FILE_TEXT, '').replace(LOOKS_OR_SAYS, ' ')
}

const FILE_TEXT =
  /\b(?:cat|tee)\b[^\n|]{0,200}<<-?\s{0,4}['"]?(\w{1,40})['"]?[^\n]{0,80}\n(?:[^\n]*\n){0,400}?\s{0,8}\1(?=\s|$)/g
const LOOKS_OR_SAYS =
  /(?<=^|&&|[;|\n])\s{0,8}(?:grep|egrep|rg|ag|git (?:log|grep|show|diff|blame|commit)|gh (?:pr|issue) (?:create|comment|edit)|cat|head|tail|less|man)\s(?:"[^"]*"|'[^']*'|[^|;&\n"'])*/g

function isForTrying(cmd: string): boolean {
  return (SHARED.test(cmd) ? FOR_ONE : FOR_TRYING).test(cmd)
}

function unasked(done: string): Check {
  return { lowers: 0, atMost: 6, reason: { why: `${NOT_ASKED_FOR} \`${done.trim()}\`` } }
}

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
const LONGEST_SHOWN = 60

/** Commands that renew everything a project depends on, or lay out a new one over it. */
const RENEWS =
  /\b(?:(?:npm|pnpm|yarn|bun) (?:update|upgrade|up)(?= -|\s*(?:$|[&|;]))|npm audit fix --force|(?:flutter|dart) pub upgrade|pod update|cargo update|(?:bundle|composer|poetry|mix deps\.)\s?update(?=\s*(?:$|[&|;]))|go get -u \.\/\.\.\.|(?:npm|pnpm|yarn|bun) create \w|npm init [a-z@]|npx create-\w|flutter create|rails new|django-admin startproject|dotnet new \w|cargo (?:new|init))/i
const ASKS_TO_RENEW =
  /\b(?:dep|upgrad|(?<!(?:n['’]t|not|never) )updat|bump|renew|refresh|outdated|out of date|latest|newest|librar|package|version|migrat|switch|scaffold|set ?up|bootstrap|create|new|start|init|vulnerab|audit|cve)|aktualis|neu|mets? à jour|nouve|actualiz|nuev|aggiorn|nuov|обнов|нов|升级|更新|新|アップ/i

/** Renews or lays out anew a whole project for a request that speaks of no such thing; a complaint may have led there. */
export function checkRenewal({ cmd }: DriftAction, goal: string, hasComplained: boolean): Check | undefined {
  const done = cmd === undefined || hasComplained || ASKS_TO_RENEW.test(goal) ? undefined : RENEWS.exec(cmd)?.[0]
  return done === undefined ? undefined : unasked(done)
}

/** Takes a package out of what the project is built with. */
const DROPS_PACKAGE =
  /\b(?:(?:npm|pnpm|yarn|bun) (?:-{1,2}\S{1,60} (?:@?[\w-]{1,40}\/[\w.-]{1,40} )?){0,3}(?:remove|uninstall|rm|un)|(?:poetry|uv|cargo|pdm|rye|composer|bundle) (?:-{1,2}\S{1,60} ){0,3}remove|dotnet (?:\S{1,60} )?remove (?:\S{1,60} )?package)((?: [^\s;&|]{1,80}){1,12})/

const ABOUT_DEPENDENCIES =
  /\b(?:dep(?:s|end\w{0,8})\b|upgrad|bump|outdated|librar|package|version|migrat|switch|convert|adopt|introduc|port (?:it|this|the)|rewrite|vulnerab|audit|cve|secur|licen[cs]e|bundle|smaller|lighter|slim|bloat|install|stack\b)|abhängig|bibliothek|paket|dépendan|biblioth|paquet|dependen|librer|bibliotec|pacchett|пакет|зависим|依赖|依存/i

/** Takes a package out for a request that speaks neither of it nor of packages; a complaint may have led there. */
export function checkDropped({ cmd }: DriftAction, goal: string, { notes, complaints }: DriftTrail): Check | undefined {
  const found = cmd === undefined || complaints !== undefined ? undefined : DROPS_PACKAGE.exec(doneBy(cmd))
  if (!found || cmd === undefined || asksToRemove(goal) || ABOUT_DEPENDENCIES.test(goal)) return undefined
  // What the request names may well stand in for something else, and what the agent has put in it may take out.
  const words = stems(cmd).filter((word) => weight(word) > 0.2)
  const said = new Set(stems(goal))
  const dropped = stems(found[1]!)
  const isOwn = notes.some(({ kind, text }) => kind !== 'read' && dropped.some((word) => text.includes(word)))
  return isOwn || words.some((word) => said.has(word)) ? undefined : unasked(found[0].slice(0, LONGEST_SHOWN))
}

const IN_A_ROW = 3

/** The third edit of one file in a row that brings no word the earlier ones did not have. */
export function checkCircling(notes: Note[], action: DriftAction): Check | undefined {
  const path = changedPath(action)
  const gist = gistOf(action)
  if (!path || !gist || gist.text.length === 0) return undefined
  const elsewhere = notes.findLastIndex((note) => note.path !== gist.path && note.kind !== 'cmd')
  const edits = notes.slice(elsewhere + 1).filter((note) => note.kind === 'edit' || note.kind === 'write')
  if (edits.length < IN_A_ROW - 1) return undefined
  const known = new Set(edits.flatMap((note) => note.text))
  if (gist.text.some((word) => !known.has(word))) return undefined
  return {
    lowers: 0,
    atMost: 7,
    reason: { file: path, why: `it was edited ${edits.length + 1} ${CIRCLES}` },
  }
}

/** Each correction ignored makes an off-goal action one worse; an agent that is back on goal owes nothing. */
export function checkCorrections(score: number, ignored: number): number {
  return score > 7 ? score : Math.max(1, score - Math.max(0, ignored))
}

function changedPath(action: DriftAction): string | undefined {
  return action.kind === 'edit' || action.kind === 'write' ? action.path : undefined
}
