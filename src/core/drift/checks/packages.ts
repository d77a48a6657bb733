import { type DriftAction, stems, weight } from '../gist.ts'
import type { DriftTrail } from '../trail.ts'
import { asksToRemove } from './asked-for.ts'
import { type Check, LONGEST_SHOWN, unasked } from './check.ts'
import { doneBy } from './done-by.ts'

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
