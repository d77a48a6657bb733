/**
 * A test or a check that is switched off although nobody asked for it: it goes quiet, and what it complained of stays. Only
 * plain marks count; a test that is skipped on a condition, and one that is new, is work like any other.
 */
import type { Check } from './checks/check.ts'
import { addedBy, removedBy } from './diff-lines.ts'
import { NOT_ASKED_TO } from './explain.ts'
import { type DriftAction, gistOf } from './gist.ts'

/** Marks of test frameworks that keep a test from running. */
const SKIPS =
  /\b(?:it|test|describe|context|suite|specify)\.skip\b|(?<![\w.])x(?:it|test|describe|context|specify)\s*\(|@(?:pytest\.mark\.|unittest\.)(?:skip|xfail)(?![\w])|\bpytest\.skip\(|\bself\.skipTest\(|@(?:Disabled|Ignore)\b|\[Ignore\b|\bSkip\s*=\s*"|\bt\.Skip(?:f|Now)?\(|#\[ignore|@(?:module)?tag :?skip\b|\bmarkTest(?:Skipped|Incomplete)\(|\bXCTSkip\(|\bGTEST_SKIP\(|\bDISABLED_\w|(?<![\w.])skip: ?true\b/

/** What lets a check of a pipeline or a script fail unnoticed, or leaves it out. */
const TOLERATES =
  /\|\| {0,4}(?:true|:|exit 0)(?![\w-])|\b(?:continue-on-error|allow_failure): {0,4}true\b|-DskipTests\b|-Dmaven\.test\.skip\b|--passWithNoTests\b|^[ \t]{0,40}(?:#|\/\/) {0,8}(?:run: {0,4})?(?:add_subdirectory\(tests?\)|(?:npm|yarn|pnpm)(?: run)? test\b|pytest\b|go test\b|cargo test\b|mix test\b|ctest\b)/m

const RUNS_CHECKS =
  /(?:^|\/)(?:\.github\/|\.gitlab-ci|\.circleci\/|\.buildkite\/|\.woodpecker|Jenkinsfile|azure-pipelines|bitbucket-pipelines|Makefile|justfile|Taskfile|CMakeLists\.txt|tox\.ini|noxfile|Rakefile|package\.json|pom\.xml|build\.gradle|\.pre-commit|\.husky\/)|\.(?:sh|bash|mk)$/i

const CONDITIONAL = /\b(?:if|unless|when|platform|runtime|skipif|process\.env|getenv)\b/i

/** Words of a request that speak of it, a wish that it be left on set aside. */
const SPEAKS_OF_IT =
  /(?<!(?:n['’]t|\bnot|\bnever|\bwithout|\bno|\binstead of) (?:just |simply |only |even )?)\b(?:skip|disabl|ignor|quarantin|mut(?:e|ing)\b|silenc|(?:switch|turn)\w{0,3} (?:\w+ ){0,3}off|comment\w{0,3} (?:\w+ ){0,3}out|suppress|xfail|pending|deactivat|allow\w{0,3} (?:\w+ ){0,2}to fail|non-blocking|optional)|überspring|deaktiv|abschalt|ausschalt|désactiv|ignore[rz]|saute[rz]?\b|desactiv|omit|salta|disattiv|пропус|отключ|跳过|禁用|スキップ|無効/i

export function checkSilenced(action: DriftAction, request: string): Check | undefined {
  const { path } = action
  if (path === undefined || SPEAKS_OF_IT.test(request)) return undefined
  const isTest = gistOf(action)?.role === 'test'
  const marks = isTest ? SKIPS : RUNS_CHECKS.test(path) ? TOLERATES : undefined
  if (!marks) return undefined
  const added = addedBy(action)
  const removed = removedBy(action)
  if (!marks.test(added) || marks.test(removed) || CONDITIONAL.test(added)) return undefined
  if (isTest && marksNewTest(added, removed)) return undefined
  return { lowers: 0, atMost: 6, reason: { file: path, why: isTest ? TEST_OFF : CHECK_OFF } }
}

/** Whether what the mark stands at is a test that the change adds beside one that was there: a finding that is written down. */
function marksNewTest(added: string, removed: string): boolean {
  if (!TEST_NAME.test(removed)) return false
  const lines = added.split('\n')
  const below = lines.slice(lines.findIndex((line) => SKIPS.test(line)))
  const found = below.map((line) => TEST_NAME.exec(line)).find((one) => one !== null)
  const name = found?.[1] ?? found?.[2]
  return (
    name !== undefined &&
    !removed.includes(name) &&
    lines.some((line) => removed.includes(line) && TEST_NAME.test(line))
  )
}

/** What a test is called: `def test_bulky(`, `it.skip('adds', …)`. */
const TEST_NAME =
  /\b(?:def|func|fun|fn|void|function) {1,4}(\w{1,120})|\b(?:it|test|describe|context|specify)\b[.\w]{0,20} {0,4}\(? {0,4}["'`]([^"'`]{1,120})["'`]/

const TEST_OFF = `${NOT_ASKED_TO} switch a test off`
const CHECK_OFF = `${NOT_ASKED_TO} switch a check off`
