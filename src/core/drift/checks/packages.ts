import { commandFinder, shown } from '../../action/command-patterns.ts'
import { type Invocation, wordsOf } from '../../action/invocations.ts'
import { type DriftAction, stems, weight } from '../gist.ts'
import type { DriftTrail } from '../trail.ts'
import { asksToRemove } from './asked-for.ts'
import { type Check, LONGEST_SHOWN, unasked } from './check.ts'

/** Commands that renew everything a project depends on, or lay out a new one over it. */
const RENEWS = commandFinder([
  'npm audit fix --force',
  'flutter|dart pub upgrade',
  'go get -u',
  'npm|pnpm|yarn|bun create',
  'npm init *',
  'npx|bunx|pnpx create-*',
  'flutter create',
  'rails new',
  'django-admin startproject',
  'dotnet new',
  'cargo new|init',
])

/** They do where no package is named. */
const RENEWS_ALL = commandFinder([
  'npm|pnpm|yarn|bun update|upgrade|up',
  'pod|cargo|bundle|composer|poetry update',
  'mix deps.update',
])

function renews(invocation: Invocation): string | undefined {
  const all = RENEWS_ALL(invocation)
  const found = all?.operands.length === 0 ? all : RENEWS(invocation)
  if (!found || (invocation.program === 'go' && !found.operands.includes('./...'))) return undefined
  const [what] = found.operands
  return what === undefined ? found.phrase : shown([found.phrase, what])
}

const ASKS_TO_RENEW =
  /\b(?:dep|upgrad|(?<!(?:n['’]t|not|never) )updat|bump|renew|refresh|outdated|out of date|latest|newest|librar|package|version|migrat|switch|scaffold|set ?up|bootstrap|create|new|start|init|vulnerab|audit|cve)|aktualis|neu|mets? à jour|nouve|actualiz|nuev|aggiorn|nuov|обнов|нов|升级|更新|新|アップ/i

/** Renews or lays out anew a whole project for a request that speaks of no such thing; a complaint may have led there. */
export function checkRenewal({ ran = [] }: DriftAction, goal: string, hasComplained: boolean): Check | undefined {
  if (hasComplained || ASKS_TO_RENEW.test(goal)) return undefined
  const done = ran.map(renews).find((phrase) => phrase !== undefined)
  return done === undefined ? undefined : unasked(done.slice(0, LONGEST_SHOWN))
}

/** Takes a package out of what the project is built with. */
const DROPS_PACKAGE = commandFinder([
  'npm|pnpm|yarn|bun remove|uninstall|rm|un',
  'yarn workspace * remove',
  'poetry|uv|cargo|pdm|rye|composer|bundle remove',
  'dotnet remove package',
  'dotnet remove * package',
])

const ABOUT_DEPENDENCIES =
  /\b(?:dep(?:s|end\w{0,8})\b|upgrad|bump|outdated|librar|package|version|migrat|switch|convert|adopt|introduc|port (?:it|this|the)|rewrite|vulnerab|audit|cve|secur|licen[cs]e|bundle|smaller|lighter|slim|bloat|install|stack\b)|abhängig|bibliothek|paket|dépendan|biblioth|paquet|dependen|librer|bibliotec|pacchett|пакет|зависим|依赖|依存/i

const MOST_READ = 20_000

/** Takes a package out for a request that speaks neither of it nor of packages; a complaint may have led there. */
export function checkDropped({ ran = [] }: DriftAction, goal: string, trail: DriftTrail): Check | undefined {
  const { notes, complaints } = trail
  if (complaints !== undefined || asksToRemove(goal) || ABOUT_DEPENDENCIES.test(goal)) return undefined
  const found = ran.map(DROPS_PACKAGE).find((one) => one !== undefined && one.operands.length > 0)
  if (!found) return undefined
  // What the request names may well stand in for something else, and what the agent has put in it may take out.
  const words = stems(ran.map(wordsOf).join(' ').slice(0, MOST_READ)).filter((word) => weight(word) > 0.2)
  const said = new Set(stems(goal))
  const dropped = stems(found.operands.join(' '))
  const isOwn = notes.some(({ kind, text }) => kind !== 'read' && dropped.some((word) => text.includes(word)))
  const phrase = shown([found.phrase, ...found.operands])
  return isOwn || words.some((word) => said.has(word)) ? undefined : unasked(phrase.slice(0, LONGEST_SHOWN))
}
