/**
 * What makes a change follow from the work before it, although the request says nothing of it: a command complained and
 * named the file, the agent has just coined its name, or it is one of those that go with any change.
 */
import { commandFinder } from '../action/command-patterns.ts'
import { type Invocation, takesOrders } from '../action/invocations.ts'
import { pathWords } from '../text/paths.ts'
import { asksToRemove } from './checks/asked-for.ts'
import { type DriftAction, type Gist, gistOf } from './gist.ts'
import { DECLARES, liesElsewhere, saysWhatItIsBuiltWith, tiedTo } from './stray.ts'
import { type DriftTrail, isChange, type Note } from './trail.ts'

// What each leaves of the odds that the change is astray, as the told sessions have it.
const NAMED_IN_COMPLAINT = 0.1
const AFTER_COMPLAINT = 0.35
const GOES_WITH_ANY_CHANGE = 0.13
const NAME_WAS_COINED = 0.22
const SAME_NAME = 0.37
const FOR_TRYING = 0.22
const BUILT_FOR_VERSION = 0.3
const DEPENDENCY_GOES_TOO = 0.13

/** What is left of the odds that an action is astray. */
export function followingOdds(trail: DriftTrail, action: DriftAction): number {
  const gist = gistOf(action)
  if (!gist) return 1
  const { ran = [] } = action
  const isDropped = ran.some((one) => DROPS_DEPENDENCY(one)) && asksToRemove(trail.goal)
  // A check that has failed may well miss a package.
  const isMissed = trail.complaints !== undefined && ran.some((one) => ADDS_DEPENDENCY(one))
  const odds =
    complaintOdds(trail.complaints ?? reportedIn(trail.goal), gist.path) *
    (isDropped || isMissed ? DEPENDENCY_GOES_TOO : 1)
  if (action.kind !== 'edit' && action.kind !== 'write') return odds
  const isForVersion = saysWhatItIsBuiltWith(gist.path) && namesVersion(trail.goal)
  return odds * companionOdds(trail, gist) * (isForVersion ? BUILT_FOR_VERSION : 1)
}

/** What a removed feature alone has needed is removed with it. */
const DROPS_DEPENDENCY = commandFinder([
  'npm|pnpm|yarn|bun remove|rm|uninstall|un',
  'yarn workspace * remove',
  'poetry|uv|cargo|bundle|composer|pdm|pipenv remove|uninstall',
  'pip|pip3 uninstall',
  'uv pip uninstall',
  'go mod tidy',
  'dotnet remove',
  'dotnet * remove',
])

const ADDS_DEPENDENCY = commandFinder([
  'npm|pnpm|yarn|bun add|install|i',
  'yarn workspace * add',
  'poetry|uv|cargo|bundle|pdm|pipenv add|install',
  'flutter|dart pub add|install',
  'composer require',
  'pip|pip3 install',
  'uv pip install',
  'go get',
  'dotnet add',
  'dotnet * add',
  'mix deps.get',
])

/** "vite 6", "android 14", "python 3.13": what is built with it, or runs on it, says so in its manifests and its pipeline. */
export function namesVersion(request: string): boolean {
  return VERSION.test(request)
}

const VERSION =
  /(?<![\w./-])(?!(?:after|about|above|all|and|any|at|around|below|by|case|chapter|code|column|count|day|error|every|exactly|figure|first|for|from|has|have|http|in|issue|last|least|level|limit|line|max|min|month|most|next|of|on|only|option|or|over|page|part|per|phase|point|port|row|rule|section|size|stage|status|step|table|task|than|the|then|these|those|ticket|timeout|to|top|under|until|week|width|with|within|year)(?![a-z.+#-]))[a-z][a-z.+#-]{1,20} ?v?\d{1,2}(?:\.\d{1,3}){0,2}(?![\w%:/-]|\.\d| ?(?:times|minutes?|mins?|seconds?|secs?|ms|hours?|days?|weeks?|months?|years?|items?|rows?|lines?|px|chars?|characters|files?|tests?|pages?|users?|people|percent|of|kb|mb|gb|x)\b)/i

function complaintOdds(named: readonly string[] | undefined, path: string): number {
  if (named === undefined) return 1
  const isNamed =
    path !== '' && named.some((one) => one === path || one.endsWith(`/${path}`) || path.endsWith(`/${one}`))
  return isNamed ? NAMED_IN_COMPLAINT : AFTER_COMPLAINT
}

function companionOdds(trail: DriftTrail, gist: Gist): number {
  // What goes with a stray change is as stray; and more of the same file follows from nothing but itself.
  const work = liesElsewhere(trail) ? trail.notes.filter(isChange) : tiedTo(trail).changes
  const changes = work.filter(({ path }) => path !== gist.path)
  if (FOR_TRYING_NAME.test(gist.path)) return FOR_TRYING
  if (changes.length === 0) return 1
  if (RELEASE_NOTES.test(gist.path) || TRANSLATIONS.test(gist.path)) return GOES_WITH_ANY_CHANGE
  if (LOCKFILE.test(gist.path) && changes.some(({ path }) => MANIFEST.test(path))) return GOES_WITH_ANY_CHANGE
  if (changes.some((note) => hasCoined(note, gist) || isNamedBy(note, gist))) return NAME_WAS_COINED
  if (MIGRATION.test(gist.path) && changes.some(({ path }) => STORED.test(path))) return NAME_WAS_COINED
  return DECLARES.test(gist.path) ||
    FEEDS.test(gist.path) ||
    changes.some(({ stem }) => stem !== '' && stem === gist.stem)
    ? SAME_NAME
    : 1
}

/**
 * A name of several words that an earlier change uses is that of the file: `DayStamp` and `DayStamp.swift`. One word does
 * where the file is new: `plug Web.Locale` and `web/locale.ex`.
 */
function hasCoined({ ids, text }: Note, { kind, stem, base }: Gist): boolean {
  if (base.length > 1) return ids.includes(stem)
  return kind === 'write' && base.length === 1 && stem.length > 3 && text.includes(base[0]!)
}

/** It names a file of the work by its whole name: what has been made is put to use. */
function isNamedBy({ stem, base }: Note, { ids }: Gist): boolean {
  return base.length > 1 && ids.includes(stem)
}

/** What is kept, and how what is kept already comes to look the same. */
const STORED =
  /(?:^|[/_.-])(?:entit(?:y|ies)|models?|schemas?|domain|db|database|repositor(?:y|ies)|stores?|dao)(?:[/_.-]|$)|(?:Entity|Model|Dao|Db)\.\w{1,5}$/i
const MIGRATION = /(?:^|\/)(?:db\/)?(?:migrations?|migrate|alembic\/versions)\/[^/]{1,200}$/i

const FOR_TRYING_NAME = /(?:^|[/_.-])(?:tmp|temp|scratch|probe|try|debug|repro)(?:[/_.-]|$)/i
const RELEASE_NOTES =
  /(?:^|\/)(?:CHANGE(?:LOG|S)|HISTORY|NEWS|RELEASES?)(?:[.-][\w.-]+)?$|(?:^|\/)(?:\.changeset|changelog\.d|changes|newsfragments)\//i
const TRANSLATIONS =
  /(?:^|\/)(?:_?locales?|i18n|l10n|lang|langs|languages|translations?|\w+\.lproj|values(?:-\w+)?)\/|\.(?:po|pot|arb|xliff?|strings|xcstrings|ftl|resx)$|(?:^|\/)strings\.xml$/i
/** What tests are fed with, and what a platform wants to be told of any part of a program. */
const FEEDS = /(?:^|\/)(?:res\/xml|fixtures?|testdata|__mocks__|__snapshots__)\//i
const LOCKFILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile(?:\.lock)?|go\.sum|Cargo\.lock|composer\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|Package\.resolved|package\.json)$/
const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|Pipfile|Gemfile|go\.mod|Cargo\.toml|composer\.json|mix\.exs|pubspec\.yaml|Podfile|Package\.swift)$/

/** A request that reports a check which fails, in words or as its output: the cause may lie anywhere. */
const REPORTS =
  /\b(?:ci|builds?|pipelines?|tests?|specs?|suite|deploy(?:ment)?s?|workflows?|nightly|lint(?:er)?|compil\w{1,12})\b[^.\n]{0,40}\b(?:is red|are red|red (?:since|again)|fail(?:s|ed|ing)|broken|breaks|rot|schlägt fehl|échou\w+|falla\w*|падает|падают)(?![\p{L}])|^[ \t]{0,20}(?:FAIL(?:ED|URE)?\b|ERROR\b|\S{0,80}(?:Error|Exception)\b.{0,80}:|Traceback )/imu

function reportedIn(request: string): string[] | undefined {
  return REPORTS.test(request) ? complaintsIn(request, true) : undefined
}

const COMPLAINS =
  /(?<!\b(?:0|no|without) )\b(?:error|fail(?:ed|ing|ure|ures|s)?|exception|traceback|panic(?:ked)?|warning|not ok)\b/i
const MOST_NAMED = 60
/** The beginning and the end of an output say what is wrong. */
const MOST_READ = 8000

/** The files that a command's output complains of; undefined when it does not complain. */
export function complaintsIn(output: string, hasFailed: boolean): string[] | undefined {
  const half = MOST_READ / 2
  const read = output.length > MOST_READ ? `${output.slice(0, half)}\n${output.slice(-half)}` : output
  if (!hasFailed && !COMPLAINS.test(read)) return undefined
  const files = pathWords(read).map((path) => path.replace(/^\.\//, ''))
  return [...new Set(files)].filter((path) => FILE.test(path)).slice(0, MOST_NAMED)
}

/** A file of the project itself, not of an installed package. */
const FILE = /^(?!\/|.*node_modules\/)[^*]{1,200}\.\w{1,12}$/

/** The trail of an agent that has seen a command complain: what it does next may be about that. */
export function withComplaints(trail: DriftTrail, named: readonly string[], command?: string): DriftTrail {
  const { complainedBy: _, delivered: __, handedOver: ___, ...rest } = trail
  const complaints = [...new Set([...named, ...(trail.complaints ?? [])])].slice(0, MOST_NAMED)
  return { ...rest, complaints, ...(command !== undefined && { complainedBy: command }) }
}

/** A command has passed: what it complained of has been seen to and, where it runs tests, so has the work. */
export function withPass(trail: DriftTrail, command: string, ran: readonly Invocation[]): DriftTrail {
  const { complaints: _, complainedBy, ...rest } = trail
  const settled: DriftTrail = complainedBy === command ? rest : trail
  return ran.some(runsTests) && trail.notes.some(isChange) ? { ...settled, tested: true } : settled
}

function runsTests(invocation: Invocation): boolean {
  return TESTS(invocation) !== undefined || (takesOrders(invocation) && TEST_PROGRAM.test(invocation.program))
}

/** `npm test`, `make unit-test`, `gradlew :app:test`, `cargo nextest run`. */
const TESTS = commandFinder([
  '* ** test|tests|spec|specs|verify|nextest|pytest|vitest|jest|rspec|ctest|phpunit|runTests|test:*|*:test|*:test:*|*Test|*Tests',
])
const TEST_PROGRAM =
  /^(?:(?:py|vi|c|next|doc)?tests?|jest|mocha|ava|rspec|specs?|phpunit|verify|runTests|\w{1,40}Tests?)(?:\.\w{1,4})?$/
