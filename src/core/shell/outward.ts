import { readOptions } from './options.ts'
import { databaseChanges } from './outward-data.ts'
import type { SimpleCommand } from './simple-command.ts'
import { UNKNOWN, type Value } from './values.ts'

/**
 * Effects outside the working tree that git cannot take back: what is pushed, published, deployed, sent, or done to
 * another machine, a database, a cluster or the system.
 */

/** Shells and copies on another machine. */
const REMOTE = words('ssh scp sftp ftp lftp telnet rlogin mosh')

/** Tools that reach out unless their arguments only look. */
const ALWAYS = words(
  'ansible ansible-playbook cap mina fab twine gem-push mail mailx sendmail mutt msmtp swaks ' +
    'dropdb createdb dropuser createuser pg_restore mysqladmin mysqlimport mongorestore mongoimport flyway liquibase dbmate goose ' +
    'systemctl service launchctl shutdown reboot halt poweroff mkfs fdisk parted useradd userdel usermod passwd visudo iptables ufw nft ' +
    'semantic-release release-it np goreleaser vsce ovsx netlify-deploy surge eb cdk sls serverless copilot chalice zappa apt apt-get dnf yum apk pacman snap at',
)

/** Words that look; with anything else the tool reaches out. */
const READING: Record<string, RegExp> = {
  kubectl:
    /^(?:get|describe|logs|top|explain|api-resources|api-versions|version|diff|cluster-info|config|auth|wait|events|completion|kustomize|options)$/,
  oc: /^(?:get|describe|logs|status|whoami|explain|version|projects?|diff)$/,
  helm: /^(?:lint|template|list|ls|status|history|get|show|search|version|env|dependency|dep|create|package|pull|repo|verify|completion|diff)$/,
  terraform: /^(?:init|plan|validate|fmt|show|output|version|providers|graph|console|get|workspace|test|login)$/,
  tofu: /^(?:init|plan|validate|fmt|show|output|version|providers|graph|console|get|workspace|test)$/,
  terragrunt: /^(?:init|plan|validate|show|output|version|hclfmt|graph)$/,
  pulumi: /^(?:preview|stack|config|about|version|whoami|logs|schema|plugin|new|console)$/,
  argocd: /^(?:version|account|context)$/,
  flyctl: /^(?:status|logs|info|version|doctor|platform|releases|auth)$/,
  fly: /^(?:status|logs|info|version|doctor|platform|releases|auth)$/,
  heroku: /^(?:logs|apps|info|ps|releases|status|version|whoami|help|auth:whoami)$/,
  vercel: /^(?:dev|build|env|inspect|list|ls|logs|whoami|link|pull|help|--version|-v)$/,
  netlify: /^(?:dev|build|status|env:list|help|link|--version)$/,
  firebase: /^(?:emulators:\w+|serve|list|projects:list|help|login:list|--version)$/,
  wrangler: /^(?:dev|types|whoami|tail|init|docs|--version|check)$/,
  railway: /^(?:status|logs|whoami|list|run|shell|--version)$/,
  supabase: /^(?:start|stop|status|init|gen|test|--version)$/,
  doctl: /^(?:version|auth|account)$/,
  gcloud: /^(?:info|version|topic|help|config|auth)$/,
}

/** Words with which any tool only looks, also as the first part of a longer one: `get-caller-identity`, `env:list`. */
const LOOKS =
  /^(?:[\w-]+:)?(?:list|ls|show|get|describe|view|status|logs?|tail|help|version|whoami|diff|search|check|checks|watch|read|head|cat|query|scan|select|wait|presign|info|inspect|explain|validate|verify|lint|test|tests|plan|preview|print|synth|template|render|history|events?|top|ps|health|doctor|outdated|tree|why|audit|find|lookup|fmt|graph|output|outputs|estimate|simulate|can-i|is-[\w-]+|batch-get|filter-log-events|batch-get-[\w-]+|(?:get|list|ls|describe|show|lookup|search|validate|test|check)[-:][\w:-]+)$/

/** Words with which a tool that reaches out does something there. */
const ACTS =
  /^(?:[\w-]+:)?(?:apply|delete|create|scale|exec|run|patch|edit|label|annotate|set|put|update|add|remove|rm|destroy|deploy|push|publish|start|stop|restart|upgrade|install|uninstall|rollback|drain|cordon|cp|sync|mv|invoke|send|up|down|import|restore|reset|promote|submit|release|upload|kill|reboot|attach|detach|enable|disable|grant|revoke|approve|merge|close|write|undo|taint|unlock|modify|terminate|purge|flush|(?:create|delete|update|put|start|stop|terminate|run|modify|attach|detach|send|publish|register|deregister|add|remove|set|enable|disable|invoke)-[\w-]+)$/

/** What nearly every tool calls a command that reaches out. */
const REACHES_OUT =
  /^(?:deploy|publish|push|upload|destroy|promote|submit|rollback|rollout|provision|deprovision|teardown|ship|deliver)(?:[:-](?!dry|check|plan|preview|local|docs|test)[\w:-]*)?$/

/** The first word that says what is done decides: what stands behind it may be any name. */
function onlyLooks(given: readonly string[]): boolean {
  const verb = given.slice(0, 5).find((text) => LOOKS.test(text) || ACTS.test(text))
  return verb !== undefined && LOOKS.test(verb)
}

const GH_WRITES =
  /^(?:create|merge|close|reopen|edit|delete|comment|review|ready|lock|unlock|pin|unpin|transfer|archive|unarchive|rename|fork|sync|upload|run|rerun|cancel|enable|disable|set|remove|add|deploy|approve|publish|update-branch|clear|link|unlink|import|revert|item-\w+|field-\w+)$/

const PUBLISHES: Record<string, RegExp> = {
  npm: /^(?:publish|unpublish|deprecate|dist-tag|owner|access|team|token|profile|login|adduser|logout|star|unstar|hook|org)$/,
  pnpm: /^(?:publish|deploy|login)$/,
  yarn: /^(?:publish|npm|login|owner|tag)$/,
  bun: /^(?:publish|pm-login)$/,
  deno: /^(?:publish|deploy)$/,
  jsr: /^publish$/,
  lerna: /^publish$/,
  sbt: /(?:^|[/:\s])(?:publish(?!Local|M2)\w*|release|sonatype\w+|deploy\w*)$/,
  changeset: /^publish$/,
  cargo: /^(?:publish|yank|owner|login)$/,
  uv: /^publish$/,
  poetry: /^publish$/,
  flit: /^publish$/,
  hatch: /^publish$/,
  pdm: /^publish$/,
  gem: /^(?:push|yank|owner|signin)$/,
  mix: /^hex\.(?:publish|retire|owner)$/,
  dotnet: /^nuget$/,
  nuget: /^(?:push|delete)$/,
  pod: /^(?:trunk|repo)$/,
  dart: /^pub$/,
  mvn: /(?:^|:)(?:deploy|release:\w+|nexus-staging:\w+)$/,
  mvnw: /(?:^|:)(?:deploy|release:\w+)$/,
  gradle: /(?:^|:)(?:publish(?!\w*ToMavenLocal)\w*|upload\w*|deploy\w*|bintrayUpload|release)$/,
  gradlew: /(?:^|:)(?:publish(?!\w*ToMavenLocal)\w*|upload\w*|deploy\w*|bintrayUpload|release)$/,
  docker: /^(?:push|login|logout|rmi|prune)$/,
  podman: /^(?:push|login)$/,
  prisma: /^(?:db|migrate)$/,
  'drizzle-kit': /^(?:push|migrate|drop)$/,
  sequelize: /^db:/,
  'sequelize-cli': /^db:/,
  knex: /^(?:migrate|seed)/,
  typeorm: /^(?:migration:(?:run|revert)|schema:(?:sync|drop))$/,
  rails: /^db:/,
  rake: /^(?:db:|deploy|release)/,
  alembic: /^(?:upgrade|downgrade|stamp)$/,
  diesel: /^(?:migration|database)$/,
  sqlx: /^(?:database|migrate)$/,
  make: /^(?:deploy|publish|release|push|provision|migrate|prod)\b/,
  crontab: /^-[re]$|^[^-]/,
}

const DATABASES = words('psql mysql mariadb mongosh mongo cqlsh sqlcmd sqlplus clickhouse-client cockroach duckdb')
const REDIS_READS =
  /^(?:get|mget|keys|scan|info|ping|ttl|type|exists|hget|hgetall|lrange|llen|smembers|zrange|dbsize|monitor|client|config)$/i

/** What the commands do to the world outside the working tree, a short phrase for each. */
export function outwardEffects(commands: readonly SimpleCommand[]): string[] {
  return [...new Set(commands.flatMap((command) => outwardOf(command) ?? []))]
}

/** Arguments with which nothing is done: a dry run, help, a check. */
const ASKS =
  /^(?:--dry-?run(?:=(?!none|false)\S+)?|--help|--check(?:-mode)?|--syntax-check|--list(?:-[\w-]+)?|--plan|--preview|--what-?if|--noop|--no-act|--simulate|--just-print|--pretend)$/

function outwardOf({ name, args, redirects, host, input }: SimpleCommand): string | undefined {
  const base = name.replace(/^.*\//, '')
  const texts = args.map(({ text }) => text)
  if (texts.length === 1 && /^(?:--?version|-[vVh]|--help|help|version)$/.test(texts[0]!)) return undefined
  const given = texts.filter((text) => !text.startsWith('-'))
  const phrase = [base, ...given.slice(0, 2)].join(' ').slice(0, 80)
  if (texts.some((text) => ASKS.test(text))) return undefined
  if (/^(?:g?make|rake)$/.test(base) && texts.includes('-n')) return undefined
  if (CONTAINERS.test(base) && isElsewhere(texts, host) && !given.some((word) => CONTAINERS_LOOK.test(word)))
    return phrase
  return reachesOut(base, args, texts, given, redirects) || isFedChanges(base, given, input) ? phrase : undefined
}

/** `echo 'delete from t' | psql`, a here-document for redis-cli. */
function isFedChanges(base: string, given: readonly string[], input: string | undefined): boolean {
  if (input === undefined) return false
  if (base === 'redis-cli' && given.length === 0)
    return input.split('\n').some((line) => {
      const verb = line.trim().split(/\s/)[0]!
      return verb !== '' && !verb.includes(UNKNOWN) && !REDIS_READS.test(verb)
    })
  return DATABASES.has(base) && databaseChanges([input], [])
}

function reachesOut(base: string, args: Value[], texts: string[], given: string[], redirects: Value[]): boolean {
  const [first = '', second = ''] = given
  if (REMOTE.has(base)) return true
  if (ALWAYS.has(base)) return !onlyLooks(given) && texts[0] !== '-l' && !asksHosts(base, texts)
  if (base === 'git') return gitReachesOut(args)
  if (base === 'gh') return ghReachesOut(texts, given)
  if (base === 'glab' || base === 'hub' || base === 'tea') return GH_WRITES.test(second) || GH_WRITES.test(first)
  if (base === 'rsync') return given.length > 1 && /^[^/]*:/.test(given.at(-1)!)
  if (
    base === 'aws' ||
    base === 'az' ||
    base === 's3cmd' ||
    base === 'mc' ||
    base === 'gsutil' ||
    base === 'bq' ||
    base === 'linode-cli'
  )
    return (
      given.length > 0 &&
      !isDownload(given, texts) &&
      !onlyLooks(/^(?:gsutil|s3cmd|mc)$/.test(base) ? given : given.slice(1)) &&
      !/^(?:configure|login|version|help)$/.test(first)
    )
  if (DATABASES.has(base)) return databaseChanges(texts, redirects)
  if (base === 'redis-cli')
    return (
      first !== '' &&
      !texts.some((text) => /^--(?:scan|stat|bigkeys|memkeys|latency)/.test(text)) &&
      !REDIS_READS.test(commandOf(args, 'h p a n u'))
    )
  if (base === 'docker' || base === 'podman') return dockerReachesOut(texts, given)
  if (base === 'curl' || base === 'wget' || base === 'http' || base === 'https' || base === 'xh')
    return sends(base, texts, given)
  if (INTERPRETER.test(base) && texts.some(sendsByCode)) return true
  if (/^(?:python[\d.]*|php)$/.test(base))
    return (
      /^(?:migrate|flush|db:|migrate:|queue:|deploy)/.test(second) &&
      !ASKED_BY_NAME.test(second) &&
      /(?:manage\.py|artisan|console)$/.test(first)
    )
  const reads = Object.hasOwn(READING, base) ? READING[base]! : undefined
  if (reads) return isUnread(base, reads, texts, first === 'run-all' ? given.slice(1) : given)
  const publishes = Object.hasOwn(PUBLISHES, base) ? PUBLISHES[base]! : undefined
  if (ASKED_BY_NAME.test(first)) return false
  if (base === 'alembic' && texts.includes('--sql')) return false
  if (RUNS_SCRIPTS.has(base) && /^(?:run|run-script)$/.test(first)) return REACHES_OUT.test(second)
  if (!publishes) return !HAS_OWN_WORDS.test(base) && isTold(base, given)
  if (base === 'prisma')
    return second === 'push' || second === 'deploy' || second === 'reset' || second === 'seed' || second === 'execute'
  if (base === 'dart') return first === 'pub' && second === 'publish'
  if (base === 'dotnet') return first === 'nuget' && /^(?:push|delete)$/.test(second)
  if (base === 'yarn' && first === 'npm') return /^(?:publish|login|tag)$/.test(second)
  if (base === 'npm' && /^(?:owner|access|team|token|profile|dist-tag|hook|org)$/.test(first))
    return !/^(?:ls|list|get)$/.test(second)
  if (base === 'crontab') return !texts.includes('-l')
  const isMany =
    base === 'mvn' ||
    base === 'mvnw' ||
    base === 'sbt' ||
    base === 'gradle' ||
    base === 'gradlew' ||
    base === 'make' ||
    base === 'rake'
  return isMany ? given.some((text) => publishes.test(text)) : publishes.test(first)
}

/** `knex migrate:list`, `rails db:migrate:status`. */
const ASKED_BY_NAME = /:(?:list|status|version|show|check|validate|history|failed|monitor|table|current\w*)$/i

const RUNS_SCRIPTS = words('npm pnpm yarn bun')
/** Shells, interpreters and readers: their words are no verbs. */
const HAS_OWN_WORDS =
  /^(?:\w*sh|python[\d.]*|node|ruby|perl|php|lua\w*|echo|printf|grep|\w*grep|rg|ag|find|fd|cat|ls|man|which|type|command|test|\[|cd|mkdir|touch|cp|mv|rm|tee|head|tail|awk|gawk|sed|jq|yq|sort|wc|diff|export|alias|git-\w+|read|source|\.|for|xargs)$/

/** A tool that is not known here is told to reach out: `kamal deploy`, `eas submit`, `scripts/deploy.sh`. */
function isTold(base: string, given: readonly string[]): boolean {
  return REACHES_OUT.test(given[0] ?? '') || REACHES_OUT.test(base.replace(/\.\w+$/, ''))
}

/** `aws s3 cp s3://bucket/key -` brings something here. */
function isDownload(given: readonly string[], texts: readonly string[]): boolean {
  return (
    given.some((text) => /^(?:s3|gs|az):\/\//.test(text)) &&
    (texts.at(-1) === '-' || !/^(?:s3|gs|az):\/\//.test(given.at(-1)!)) &&
    !given.includes('rm')
  )
}

/** `gcloud run deploy`, `vercel --prod`: with no word that looks, it does something. */
function isUnread(base: string, reads: RegExp, texts: string[], given: string[]): boolean {
  const [first = ''] = given
  if (first === '') return base === 'vercel' && texts.every((text) => !reads.test(text))
  if (reads.test(first)) return false
  // What comes first there is a service: `gcloud run services list`.
  return !onlyLooks(base === 'gcloud' || base === 'doctl' ? given.slice(1) : given)
}

function gitReachesOut(args: Value[]): boolean {
  const { operands } = readOptions(args, { values: 'C c git-dir work-tree namespace', stopAtOperand: true })
  const [verb, ...rest] = operands.map(({ text }) => text)
  if (verb === 'push') return !rest.includes('--dry-run') && !rest.includes('-n')
  return (
    verb === 'send-email' ||
    verb === 'request-pull' ||
    (verb === 'svn' && rest[0] === 'dcommit') ||
    (verb === 'lfs' && rest[0] === 'push')
  )
}

function ghReachesOut(texts: string[], given: string[]): boolean {
  const [noun = '', verb = ''] = given
  if (noun === 'api') {
    const method = texts[texts.findIndex((text) => text === '-X' || text === '--method') + 1] ?? ''
    const isNamed = texts.some((text) => text === '-X' || text === '--method')
    return isNamed ? !/^get$/i.test(method) : texts.some((text) => /^(?:-[fF]|--field|--raw-field|--input)/.test(text))
  }
  return GH_WRITES.test(verb) && !(noun === 'alias' || noun === 'config' || (noun === 'pr' && verb === 'checkout'))
}

const CONTAINERS = /^(?:docker|docker-compose|podman)$/
const CONTAINERS_LOOK = /^(?:ps|ls|images|logs|inspect|info|version|stats|top|events|port|history|search|df)$/

/** Whether containers of another machine are meant: `docker -H ssh://…`, `DOCKER_HOST=tcp://…`. */
function isElsewhere(texts: readonly string[], host: string | undefined): boolean {
  const named = texts.map((text, at) => (/^(?:-H|--host)$/.test(text) ? texts[at + 1] : /^--host=(.+)/.exec(text)?.[1]))
  return [host, ...named].some((each) => each !== undefined && /^(?:ssh|tcp|https?):/.test(each) && !isLocalHost(each))
}

function isLocalHost(address: string): boolean {
  return LOCAL.test(address.replace(/^\w+:\/\/(?:[^@/]*@)?/, ''))
}

function dockerReachesOut(texts: string[], given: string[]): boolean {
  const [verb = '', second = ''] = given
  if (verb === 'push' || verb === 'login') return true
  if (verb === 'compose') return second === 'push'
  if (verb === 'buildx' || verb === 'build') return texts.includes('--push')
  if (/^(?:volume|system|image|network|container|builder)$/.test(verb)) return /^(?:rm|prune|push)$/.test(second)
  return /^(?:swarm|stack|service|secret|node|rmi)$/.test(verb) && !/^(?:ls|ps|inspect|logs)$/.test(second)
}

const LOCAL =
  /^(?:https?:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|[\w-]+\.localhost|host\.docker\.internal)(?::\d+)?(?:[/?#]|$)|^\/|^:\d/

/** `ansible all -m ping`. */
function asksHosts(base: string, texts: readonly string[]): boolean {
  const module = texts[texts.findIndex((text) => text === '-m' || text === '--module-name') + 1] ?? ''
  return (
    base === 'ansible' && /^(?:ansible\.builtin\.)?(?:ping|setup|gather_facts|debug|stat|package_facts)$/.test(module)
  )
}

/** A request that changes something on another machine. */
function sends(base: string, texts: string[], given: string[]): boolean {
  if (
    given.length > 0 &&
    given.some((text) => LOCAL.test(text)) &&
    !given.some((text) => /^https?:/.test(text) && !LOCAL.test(text))
  )
    return false
  if (base === 'wget') return texts.some((text) => /^--(?:post-(?:data|file)|method=(?!GET|HEAD)|body-)/.test(text))
  if (base !== 'curl')
    return /^(?:POST|PUT|PATCH|DELETE)$/.test(given[0] ?? '') || given.slice(1).some((text) => /^\w+:?=/.test(text))
  if (texts.some((text) => text === '-G' || text === '--get')) return false
  const method = texts.flatMap((text, at) =>
    /^(?:-X|--request)$/.test(text) ? [texts[at + 1] ?? ''] : (/^(?:-X|--request=)(\w+)$/.exec(text)?.[1] ?? []),
  )[0]
  if (method !== undefined) return !/^(?:GET|HEAD|OPTIONS)$/i.test(method)
  return texts.some((text) => /^(?:-[dFT]|--(?:data\S*|form\S*|upload-file|json)(?:=|$))/.test(text))
}

const INTERPRETER = /^(?:python[\d.]*|node|nodejs|deno|bun|tsx|ruby|perl|php)$/
/** `fetch(…, { method: 'POST' })`, `requests.post(…)`, `Request(url, data=…)`. */
const SENDS_BY_CODE =
  /\bmethod['"]?\s{0,4}(?:[:=]|=>)\s{0,4}['"](?:POST|PUT|PATCH|DELETE)\b|\b(?:requests|httpx|axios|got|session|client|http|ky|superagent|HTTParty|Faraday)\.(?:post|put|patch|delete)\s{0,4}\(|\burl(?:lib|open|retrieve)?\b[\s\S]{0,200}\bdata\s{0,4}=/i
const ADDRESS = /https?:\/\/[^\s'"`)]{1,200}/g

/** Code that is handed to an interpreter, and sends something to another machine. */
function sendsByCode(code: string): boolean {
  if (code.length > LONGEST_CODE || !SENDS_BY_CODE.test(code)) return false
  return code.match(ADDRESS)?.some((address) => !LOCAL.test(address)) ?? false
}

const LONGEST_CODE = 20_000

function commandOf(args: Value[], values: string): string {
  return readOptions(args, { values, stopAtOperand: true }).operands[0]?.text ?? ''
}

function words(text: string): Set<string> {
  return new Set(text.split(' '))
}
