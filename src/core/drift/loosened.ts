/**
 * A check or a protection that is made weaker although nobody spoke of it: strict types, a lint rule, the verification of
 * certificates, who may come in. Only plain marks count, and only where they replace something that was there.
 */
import { commandFinder } from '../action/command-patterns.ts'
import type { Invocation } from '../action/invocations.ts'
import type { Check } from './checks/check.ts'
import { addedBy, removedBy } from './diff-lines.ts'
import { NOT_ASKED_TO } from './explain.ts'
import { type DriftAction, gistOf } from './gist.ts'

interface Loosening {
  /** What the file or the command says now. */
  mark: RegExp
  /** Where it counts; anywhere but in tests, if nothing is said. */
  where?: RegExp
  /** Words of a request that may well ask for it. */
  about: RegExp
  /** It follows "the request does not ask to". */
  what: string
}

const LINT_RULES =
  /(?:^|\/)(?:\.?eslint|\.?biome|\.?rubocop|\.?pylint|\.?flake8|\.?ruff|\.?stylelint|\.?golangci|\.?swiftlint|\.?ktlint|detekt|\.?credo|checkstyle|phpstan|psalm|\.?clang-tidy|\.?ansible-lint|\.?markdownlint|\.?hadolint|mypy|setup\.cfg|pyproject)/i

const LOOSENINGS: Loosening[] = [
  {
    mark: /"?(?:strict\w{0,24}|noImplicit\w{1,12}|noUnchecked\w{1,24}|checkJs)"?\s{0,4}[:=]\s{0,4}false\b|\b(?:disallow_untyped\w{0,8}|check_untyped_defs|strict)\s{0,4}=\s{0,4}[Ff]alse\b|\bignore_(?:missing_imports|errors)\s{0,4}=\s{0,4}[Tt]rue\b/,
    where:
      /(?:^|\/)(?:[tj]sconfig[\w.-]*\.json|mypy\.ini|setup\.cfg|pyproject\.toml|\.?flow\w*|analysis_options\.yaml)$/,
    about: /strict|tsconfig|mypy\.ini|option|configur|set ?up|migrat|upgrad|turn(?:ed|ing)? off|disabl|relax|loosen/i,
    what: 'weaken the type checks',
  },
  {
    mark: /["']?[\w@/-]{2,60}["']?\s{0,4}:\s{0,4}\[?["']?off\b["']?|"recommended"\s{0,4}:\s{0,4}false|\bEnabled:\s{0,4}false\b|\{[\w.]{3,80},\s{0,4}false\}|^\s{0,12}(?:disable|ignore|extend-ignore|disabled_rules)\s{0,4}[:=]/m,
    where: LINT_RULES,
    about:
      /\brules?\b|configur|set ?up|introduc|adopt|migrat|upgrad|turn(?:ed|ing)? off|disabl|relax|loosen|allow|ignor/i,
    what: 'switch a rule off',
  },
  {
    mark: /@ts-nocheck\b|\beslint-disable(?= {0,4}(?:\*\/|$))|^# {0,4}(?:type: ignore|mypy: ignore-errors|flake8: noqa|ruff: noqa|pylint: (?:skip-file|disable=all))\s{0,4}$|#!\[allow\((?:warnings|clippy::all|unused)\)\]|\/\/nolint:all\b|\brubocop:disable all\b|@SuppressWarnings\("all"\)/m,
    about: /suppress|ignor|nocheck|silenc|disabl|generated|vendored/i,
    what: 'keep a whole file from being checked',
  },
  {
    mark: /\bNoWarn\b|(?<![\w-])-Wno-\w|TreatWarningsAsErrors>\s{0,4}false|\bwarningsAsErrors\s{0,4}=\s{0,4}false|\bignore(?:BuildErrors|DuringBuilds)\s{0,4}:\s{0,4}true\b|\babortOnError\s{0,4}=?\s{0,4}false\b|\bfail_ci_if_error:\s{0,4}false\b/,
    about: /warning|suppress|ignor/i,
    what: 'let the build pass over errors or warnings',
  },
  {
    mark: /\b[\w.-]{0,40}baseline[\w.-]{0,40}\.(?:neon|xml|json|ya?ml|php)\b|\brubocop_todo\.yml\b/,
    where:
      /(?:^|\/)(?:phpstan|psalm|\.?rubocop|detekt|lint|\.?eslint|\.?ktlint|build\.gradle|app\/build\.gradle|mypy|pyproject)[\w.-]*$/i,
    about: /baseline|rubocop_todo|suppress|ignor|for now|later/i,
    what: 'take what a check finds off its list',
  },
  {
    mark: /\bjest\.retryTimes\(|\bretries\s{0,4}[:=]\s{0,4}[1-9]|--reruns?[ =]\d|--retries?[ =]\d|\bflaky\s{0,4}[:=]\s{0,4}[Tt]rue\b|@[Ff]laky\b|\|\| {0,4}(?:npm|pnpm|yarn|mix|pytest|go|cargo|bundle exec|\.\/gradlew|mvn|dotnet) (?:run )?test\b/,
    where:
      /(?:^|\/)(?:\.github\/|\.gitlab-ci|\.circleci\/|Jenkinsfile|azure-pipelines|package\.json|pytest\.ini|tox\.ini|pyproject\.toml|(?:jest|vitest|playwright|cypress)[\w.-]*config)|(?:^|[/._-])(?:tests?|specs?|__tests__|e2e)[/._-]/i,
    about: /retr(?:y|ies)|rerun|re-run|run (?:it|them) again/i,
    what: 'run a failing test again',
  },
  {
    mark: /\bexpect\(true\)|\bassertTrue\(true\)|\bassert!\(true\)|\bassert\s{1,4}True\b|\bAssert\.(?:IsTrue|True)\(true\)/,
    where: /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e)(?:[/._-]|$)|Tests?\.\w{1,6}$/i,
    about: /placeholder|dummy|stub|weaken|loosen/i,
    what: 'take the meaning out of a test',
  },
  {
    mark: /\bverify\s{0,4}=\s{0,4}False\b|\brejectUnauthorized\s{0,4}:\s{0,4}false\b|\bInsecureSkipVerify\s{0,4}:\s{0,4}true\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b|\bSSL_VERIFY(?:PEER|HOST),\s{0,4}(?:false|0)\b|\bsslmode=disable\b|\bssl_?[vV]erify\s{0,4}[:=]?\s{0,4}(?:false|"false"|0)\b|\bVERIFY_NONE\b|StrictHostKeyChecking[= ]no\b|\bdanger_accept_invalid_certs\(true\)|\bstrict-ssl\s{1,4}false\b|\bverify_certs\s{0,4}=\s{0,4}False\b/,
    about: /\btls\b|\bssl\b|cert|https|self-?signed|insecure|host key/i,
    what: 'leave certificates or host keys unchecked',
  },
  {
    mark: /\bcsrf_exempt\b|\bcsrf\(\)\.disable\(\)|\bcsrf\s{0,4}[:=]\s{0,4}false\b|:verify_authenticity_token\b|\bAllowAnonymous\b|\bpermitAll\(\)|\bauth(?:entication|orization)?\w{0,12}["']?\s{0,4}[:=]\s{0,4}(?:false|none|disabled)\b|\bskip_before_action :authenticate/i,
    about:
      /csrf|auth|log ?in|sign ?in|public|anonym|permission|access|token|guest|without (?:a |an )?(?:account|password)/i,
    what: 'open what was protected',
  },
  {
    mark: /Allow-Origin["']?[^\n]{0,12}\*|\borigins?\s{0,4}[:=]\s{0,4}(?:\[?\s{0,4}["']\*|true\b)|\ballow_origins\s{0,4}=\s{0,4}\[\s{0,4}["']\*|\bAllowAnyOrigin\b|\bALLOWED_HOSTS\s{0,4}=\s{0,4}\[\s{0,4}["']\*/,
    about: /cors|origin|cross|host/i,
    what: 'let every origin or host in',
  },
  {
    mark: /\bprivileged:\s{0,4}true\b|\ballowPrivilegeEscalation:\s{0,4}true\b|\brunAsUser:\s{0,4}0\b|(?<![\d.])0\.0\.0\.0\/0\b|\bpermissions:\s{0,4}write-all\b|\b(?:publicly_accessible|force_destroy|skip_final_snapshot)\s{0,4}=\s{0,4}true\b|\b(?:deletion_protection|prevent_destroy)\s{0,4}=\s{0,4}false\b|"(?:Action|Resource|Principal)"\s{0,4}:\s{0,4}"\*"/,
    about:
      /permission|privileg|root|public|internet|access|network|ingress|cidr|firewall|destroy|delet|polic|\biam\b|polic|tear ?down/i,
    what: 'lift a protection',
  },
]

/** What lets a command go past a check: by an option, or by what it does as a whole. */
const PAST_BY_OPTION = commandFinder([
  '* --generate-baseline|--set-baseline|--create-baseline|--update-baseline|--write-baseline|--suppress-all|--auto-gen-config',
  'git commit -n|--no-verify',
  'git push|merge|rebase|am --no-verify',
])
const PAST_CHECKS = commandFinder([
  '* ** detektBaseline|*:detektBaseline|updateLintBaseline|*:updateLintBaseline',
  'git config ** http.sslVerify false',
  'chmod 777|0777|a+rwx',
])
const SETS = commandFinder(['env HUSKY=0'])

function pastCheckBy(invocation: Invocation): string | undefined {
  const { program, args } = invocation
  const option = PAST_BY_OPTION(invocation)?.option
  // `git commit -uno` is about files that git does not know.
  if (option !== undefined && !option.startsWith('-u')) return option
  const unchecked = program === 'git' ? args.find((arg) => /^http\.sslVerify=false$/i.test(arg)) : undefined
  return PAST_CHECKS(invocation)?.phrase ?? (SETS(invocation) && 'HUSKY=0') ?? unchecked
}

const ABOUT_PAST_CHECKS = /no-verify|baseline|suppress|todo|hook|husky|permission|chmod|skip|ssl|bypass/i

const NUMBER = /(?<![\w.])(\d{1,4}(?:\.\d{1,3})?)(?![\w.])/
const THRESHOLD = /coverage|threshold|fail[_-]?under|minimum|\b(?:branches|functions|lines|statements)\b/i
const MORE_SLACK = { about: /coverage|threshold|minimum/i, what: 'lower the coverage that is asked for' }

/** Something is made weaker, and no part of the request speaks of it except to rule it out. */
export function checkLoosened(action: DriftAction, request: string): Check | undefined {
  const { path, ran = [] } = action
  const wanted = withoutRefusals(request)
  if (action.kind === 'cmd') {
    const past = ABOUT_PAST_CHECKS.test(wanted) ? undefined : ran.map(pastCheckBy).find((by) => by !== undefined)
    return past === undefined ? undefined : weaker(`pass a check by with \`${past}\``)
  }
  if (path === undefined || DEVELOPMENT.test(path)) return undefined
  const added = addedBy(action)
  const removed = removedBy(action)
  if (added === '') return undefined
  const isTest = gistOf(action)?.role === 'test'
  const found = LOOSENINGS.find(
    ({ mark, where, about }) =>
      (where ? where.test(path) : !isTest) && mark.test(added) && !mark.test(removed) && !about.test(wanted),
  )
  if (found) return weaker(found.what, path)
  return isLowered(removed, added) && !MORE_SLACK.about.test(wanted) ? weaker(MORE_SLACK.what, path) : undefined
}

/** Where people loosen things for themselves. */
const DEVELOPMENT = /(?:^|[/._-])(?:dev|develop|development|local|example|sample|sandbox|docs?)(?:[/._-]|$)/i

function weaker(what: string, file?: string): Check {
  return { lowers: 0, atMost: 6, reason: { ...(file && { file }), why: `${NOT_ASKED_TO} ${what}` } }
}

/** A request without what it rules out and what is past: "…, not by suppressing it", "after the upgrade" ask for no such thing. */
function withoutRefusals(request: string): string {
  return request
    .replace(PAST, '')
    .replace(
      /(?:\b(?:not|never|without|instead of|no|pas de?|sans|keine?n?|nicht|ohne|sin|senza|sem|geen|zonder|bez|без|не)(?![\p{L}])|n['’]t\b)[^.;,!?\n]{0,120}/giu,
      '',
    )
}

const PAST =
  /\b(?:after|since|following|ever since|due to|because of) (?:the |our |an? |last |this )?(?:[\w@./-]{1,30} ){0,3}(?:upgrade|migration|update|bump|switch)\b/gi

/** The same line with a smaller number, where the line is about how much has to be covered. */
function isLowered(removed: string, added: string): boolean {
  const before = removed.split('\n').filter((line) => THRESHOLD.test(line))
  return added.split('\n').some((line) => {
    const now = NUMBER.exec(line)
    const frame = line.replace(NUMBER, '#')
    const old = now && before.find((one) => one.replace(NUMBER, '#') === frame)
    return old ? Number(NUMBER.exec(old)?.[1]) > Number(now[1]) : false
  })
}
