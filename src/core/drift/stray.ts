/**
 * How little one change has to do with what was asked. The learned score compares runs of actions and needs a few of
 * them; a person notices the second stray change at the latest. A handful of plain facts about the change, weighed by
 * numbers that `npm run bench train-stray` writes.
 */
import { type DriftAction, type Gist, gistOf, weight } from './gist.ts'
import { aimOf } from './goal.ts'
import learned from './stray.min.json' with { type: 'json' }
import { type DriftTrail, isChange, type Note } from './trail.ts'

/** The facts about a change, each between 0 and 1; `odds` is what the learned score makes of it, and may be negative. */
export type StrayFacts = Record<keyof typeof learned.weights, number>

/** Undefined for what is no change of a file, and for a file that the task has changed before. */
export function strayFacts(trail: DriftTrail, action: DriftAction, risk: number): StrayFacts | undefined {
  if (action.kind !== 'edit' && action.kind !== 'write') return undefined
  const gist = gistOf(action)
  const changed = trail.notes.filter(isChange)
  if (!gist || gist.path === '' || changed.some(({ path }) => path === gist.path)) return undefined
  const aim = aimOf(trail.aim)
  const isAsked = (word: string) => aim.words.has(word) || aim.context.has(word)
  const request = `${trail.goal}\n${trail.context.join('\n')}`
  const [textInGoal = 0, textInGoalTwice = 0] = weights(gist.text.filter(isAsked))
  const [nameInGoal = 0] = weights(gist.base.filter(isAsked))
  const ofManifest = isManifest(gist.path)
  const ofPipeline = isPipeline(gist.path)
  const readAt = trail.notes.findIndex(({ path, kind }) => path === gist.path && kind === 'read')
  const firstChangeAt = trail.notes.findIndex(isChange)
  const isReadFirst = readAt >= 0 && (firstChangeAt < 0 || readAt < firstChangeAt)
  return {
    odds: logOdds(risk),
    // Nothing connects it with the work. By itself that is little: what a feature needs often has words of its own.
    apart: is(isApart(trail, action)),
    tested: is(trail.tested === true),
    complained: is(trail.complaints !== undefined),
    done: shareMet(changed, [...aim.words.keys()]),
    long: Math.min(1, trail.aim.words.length / 30),
    many: Math.min(1, new Set(changed.map(({ path }) => path)).size / 6),
    wide: is(reachesFar(request)),
    open: is(OPEN.test(request)),
    // A command that installs something "writes" a manifest that was there before.
    write: is(action.kind === 'write' && !ofManifest),
    rewrites: is(action.kind === 'write' && readAt >= 0),
    // Who looks at a file before the work begins looks at it for the work. Later reads say nothing: what is edited is read before.
    readFirst: is(isReadFirst),
    // Where the request is in other words than the code, that they share none says little.
    foreign: is(FOREIGN.test(request)),
    textInGoal,
    textInGoalTwice,
    nameInGoal,
    test: is(gist.role === 'test'),
    manifest: is(ofManifest),
    manifestAsked: is(ofManifest && ABOUT_PACKAGES.test(request)),
    pipeline: is(ofPipeline),
    pipelineAsked: is(ofPipeline && ABOUT_BUILDS.test(request)),
  }
}

/**
 * Whether a change has nothing in common with the work: no word of the request in its text, its name or its folder, and no
 * name or word of the first change or of those that are tied to it.
 */
export function isApart(trail: DriftTrail, action: DriftAction): boolean {
  const gist = gistOf(action)
  if (!gist || !trail.notes.some(isChange) || liesElsewhere(trail)) return false
  return !tiedTo(trail).isTied(gist)
}

/** The changes that hang together with the first one, and what tells whether another one does. */
export function tiedTo(trail: DriftTrail): { changes: Note[]; isTied: (one: Gist) => boolean } {
  const used = new Set<string>()
  const names = new Set<string>()
  const isTied = (one: Gist) =>
    isAsked(trail, one) ||
    [...one.text, ...one.base].some((word) => word.length > 3 && used.has(word)) ||
    one.ids.some((name) => names.has(name))
  const changes: Note[] = []
  for (const change of trail.notes.filter(isChange)) {
    // What a platform is told of the work names the rest of it.
    if (changes.length > 0 && !isTied(change) && !DECLARES.test(change.path)) continue
    changes.push(change)
    for (const word of [...change.text, ...change.base]) used.add(word)
    for (const name of change.ids) names.add(name)
  }
  return { changes, isTied }
}

/** Whether a request says what is wrong and not where, or in a language of its own, and the first change has not met its words either. */
export function liesElsewhere(trail: DriftTrail): boolean {
  const first = trail.notes.find(isChange)
  return first !== undefined && (OPEN.test(trail.goal) || FOREIGN.test(trail.goal)) && !isAsked(trail, first)
}

function isAsked({ aim }: DriftTrail, { text, base, folder }: Gist): boolean {
  const { words, context } = aimOf(aim)
  return [...text, ...base, ...folder.filter(isTelling)].some((w) => w.length > 2 && (words.has(w) || context.has(w)))
}

function isTelling(folder: string): boolean {
  return !ANYWHERE.has(folder)
}

/** Folders that most projects have all of their work in. */
const ANYWHERE = new Set(['src', 'app', 'lib', 'main', 'test', 'tests', 'packag', 'pkg', 'internal', 'com', 'org'])

/** The probability that a change with these facts is none of what was asked. */
export function strayRisk(facts: StrayFacts): number {
  const names = Object.keys(learned.weights) as (keyof StrayFacts)[]
  const sum = names.reduce((total, name) => total + learned.weights[name] * facts[name], learned.bias)
  return 1 / (1 + Math.exp(-sum))
}

/**
 * Whether something about a change speaks of other work: nothing ties it to this one, this one is done and tested, a file is
 * new, or it is about how the project is built. That it looks unlike the work is not enough for a correction.
 */
export function speaksOfOther({ apart, tested, write, manifest, pipeline }: StrayFacts): boolean {
  return [apart, tested, write, manifest, pipeline].some((fact) => fact === 1)
}

/** 6 is a correction, 7 a reminder; more cannot be said on such grounds. */
export function strayScore(risk: number, isOther: boolean): number {
  if (isOther && risk >= learned.correctFrom) return 6
  return risk >= learned.nudgeFrom ? 7 : 10
}

/** Whether a request is likely to concern many places. */
export function reachesFar(request: string): boolean {
  return WIDE.test(request.replace(SAYS_NOTHING_OF_IT, ''))
}

/** Quoted names, "that's all", and the test that goes with any change. */
const SAYS_NOTHING_OF_IT =
  /"[^"\n]{1,60}"|“[^”\n]{1,60}”|\bthat(?:['’]?s| is|['’]ll be) all\b|\badd (?:(?:an?|one|some) )?(?:(?:unit|small|regression) )?tests?\b/gi

const WIDE =
  /\b(?:all|every|each|everywhere|across|throughout|wherever|whole|entire|rename|upgrade|migrat\w+|bump|switch|convert|port|replace|refactor|support|add|implement|introduce|new|allow|enable|needs? (?:an?|to)|turn on|from now on|be able to|(?:is|are) (?:now )?called|fallout|as well|whatever (?:it takes|is (?:needed|necessary)))\b|(?<!\d%? ?)(?:→|->)|\balle|überall|toutes?|partout|todos|todas|全部|所有|すべて/i
const FOREIGN = /(?=\p{L})[^\0-\x7f]/u
/** A request that names what is wrong and not where: the cause may lie anywhere. */
const OPEN =
  /\b(?:slow|fast(?:er)?|memory|performance|speed|leak|cpu|latency|red|green|fails?|failing|failure|broken?|broke|flaky|crash\w*|why|cause|find out|security|vulnerab\w*|build|deploy|ci|error|out of date|outdated|end to end|release|hang\w*|freez\w*|fr[oe]zen?|dies|died|stuck|drops|dropp(?:ed|ing)|disconnect\w*|tim(?:es?|ed|ing) ?outs?|too many|oom|\w{1,40}(?:Error|Exception))\b/i
const MANIFEST =
  /(?:^|\/)(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|requirements[\w./-]*\.txt|pyproject\.toml|poetry\.lock|Pipfile(?:\.lock)?|Gemfile(?:\.lock)?|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|composer\.(?:json|lock)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|libs\.versions\.toml|gradle\.properties|pubspec\.(?:yaml|lock)|mix\.(?:exs|lock)|environment\.ya?ml|Podfile|Package\.swift|conanfile\.txt|[\w.-]+\.csproj|Directory\.\w+\.props)$/
const PIPELINE =
  /(?:^|\/)(?:\.github\/workflows\/|\.circleci\/|\.gitlab-ci\.yml|Jenkinsfile|azure-pipelines\.yml|Dockerfile[\w.-]*|docker-compose[\w.-]*\.ya?ml|Makefile|CMakeLists\.txt|\.(?:eslintrc|prettierrc|swiftlint|rubocop|ansible-lint)[\w.]*|tsconfig[\w.]*\.json|(?:vite|webpack|rollup|tailwind|nuxt|babel|jest|cypress)\.config\.\w+)/

/** Where a program of a platform says what it has and may do. */
export const DECLARES =
  /(?:^|\/)(?:AndroidManifest\.xml|Info\.plist|manifest\.json|\w+\.entitlements|\w+\.webmanifest)$/i

/** Where a project says what it is built from. */
export function isManifest(path: string): boolean {
  return MANIFEST.test(path)
}

/** Where it says how it is built, checked and delivered. */
export function isPipeline(path: string): boolean {
  return PIPELINE.test(path)
}

/** Where a project says what it is built from, with and for. */
export function saysWhatItIsBuiltWith(path: string): boolean {
  return isManifest(path) || isPipeline(path)
}

/** Whether a request speaks of what a project is built from, with or for. */
export function speaksOfBuilding(request: string): boolean {
  return ABOUT_PACKAGES.test(request) || ABOUT_BUILDS.test(request)
}

const ABOUT_PACKAGES =
  /\b(?:dep|upgrad|updat|bump|install|librar|package|version|migrat|switch|\d+\.\d+|crate|gem|plugin)/i
const ABOUT_BUILDS =
  /\b(?:ci|build|pipeline|docker|deploy|workflow|lint|compil|toolchain|upgrad|bump|action|release|version|\d+\.\d+)/i

/** Bounded, so that a run that looks very foreign does not outweigh all else. */
function logOdds(chance: number): number {
  const bounded = Math.min(0.997, Math.max(0.003, chance))
  return Math.log(bounded / (1 - bounded)) / 3
}

function is(fact: boolean): number {
  return fact ? 1 : 0
}

/** How telling these words are, the most telling first. */
function weights(words: string[]): number[] {
  return words.map(weight).toSorted((a, b) => b - a)
}

/** How much of the goal the changes so far have met: who has done what was asked may well be looking for more to do. */
function shareMet(changes: Note[], goal: string[]): number {
  const used = new Set(changes.flatMap(({ base, text, folder }) => [...base, ...text, ...folder]))
  const mass = (words: string[]) => words.reduce((sum, word) => sum + weight(word), 0)
  return mass(goal) === 0 ? 0 : mass(goal.filter((word) => used.has(word))) / mass(goal)
}
