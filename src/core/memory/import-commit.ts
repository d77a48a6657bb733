import { redact } from '../redact/redact.ts'
import type { Memory } from './memory.ts'
import { reasoningFrom } from './reasoning.ts'

/** A commit, as far as it can become a memory. */
export interface Commit {
  sha: string
  author: string
  at: number
  title: string
  body: string
  files: string[]
}

/** A sweep over the whole tree tells nothing about any part of it. */
const MOST_FILES = 80

/** Why a commit is not worth a memory; undefined when it may be. What it says is judged like any other memory. */
export function unteachable({ author, title, body, files }: Commit): string | undefined {
  if (BOT.test(author)) return 'by a bot'
  if (/^merge (branch|pull request|remote|tag|commit|'|origin)/i.test(title)) return 'a merge'
  if (files.length === 0) return 'no files'
  if (files.length > MOST_FILES) return 'too many files'
  if (HOUSEKEEPING.test(title)) return 'housekeeping'
  return saysNothing(title) && paragraphs(withoutTrailers(body)).length === 0 ? 'says nothing' : undefined
}

/** A single word, or words that fit any commit. Scripts without spaces between words say much in few characters. */
function saysNothing(title: string): boolean {
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]{3}/u.test(title)) return false
  const words = title
    .replace(/^\w+(\([^)]*\))?!?:\s*/, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .match(/\p{L}{2,}/gu)
  return !words || words.length < 2 || words.every((word) => ANY_COMMIT.test(word))
}

const ANY_COMMIT =
  /^(?:a|an|the|some|more|few|another|all|and|of|for|in|to|it|this|that|again|now|last|first|second|initial|new|old|minor|small|little|tiny|quick|misc|various|several|other|final|good|better|finally|fix|fixe[sd]|fixing|fixup|hotfix|bugfix|bug|bugs|issue|issues|error|errors|problem|problems|update|updates|updated|updating|change|changes|changed|edit|edits|modify|modified|tweak|tweaks|improve|improved|improvements?|clean|cleaning|cleanup|up|refactor|refactoring|refactored|work|works|working|progress|wip|stuff|things?|code|files?|commit|commits|save|saving|backup|checkpoint|temp|tmp|try|trying|test|tests|testing|tested|add|added|adding|remove|removed|oops|ups|todo|done|ready|readme|md|docs?|comments?|merge|merged|push|revert|rename|renamed|move|moved|my|me|ok|okay|yes|no)$/i

/** The commits that a commit says it takes back. */
export function revertedBy({ body }: Commit): string[] {
  return [...body.matchAll(/\bThis reverts commit ([0-9a-f]{40})\b/g)].map(([, sha]) => sha!)
}

const BOT =
  /\[bot\]$|^(dependabot|renovate|greenkeeper|snyk|github-actions|semantic-release|pre-commit-ci|weblate|mergify|bors)\b/i
const HOUSEKEEPING = new RegExp(
  [
    String.raw`^((chore|build|ci|docs?|style|release)(\([^)]*\))?!?:\s*)?`,
    '(',
    [
      String.raw`bump(s|ed|ing)?\s+(version|deps|dependenc|the|to\b|v?\d|[@\w./-]+\s+(from|to)\b)`,
      String.raw`bump$|releas(e|ing)(:|\s+(v?\d|version|candidate|notes)|$)|prepare (for )?(release|v?\d)`,
      String.raw`v?\d+\.\d+(\.\d+)?\b|version \d`,
      String.raw`update (changelog|lock ?file|dependencies|deps|yarn\.lock|package-lock|translations)|changelog\b`,
      `(auto-?)?format(ting)?$|format (code|files|with)|lint( fix(es)?)?$|(fix )?lint(er)? (errors|warnings|issues)`,
      String.raw`(fix )?typos?\b|sync (translations|locales)|wip\b`,
    ].join('|'),
    ')',
  ].join(''),
  'i',
)

/** The commit as a memory of its project; what its author wrote about the why is kept, the machinery around it is not. */
export function memoryOfCommit(commit: Commit, projectId: string, id: string): Memory {
  const { sha, author, at, files } = commit
  // Before anything is cut out of it: half a secret is not recognised any more.
  const title = redact(commit.title)
    .replace(/(?<!\s)\s*\(#\d+\)\s*$/, '')
    .trim()
  const body = withoutTrailers(redact(commit.body))
  const told = paragraphs(body)
  const { decisions, constraints } = reasoningFrom({
    goal: title,
    instruction: title,
    actions: [],
    files,
    closingWords: told.join('\n'),
  })
  return {
    id,
    projectId,
    user: author,
    instruction: title,
    goal: title,
    reasoningTrace: told,
    decisions,
    constraints,
    files,
    tags: ['git'],
    status: 'complete',
    trigger: 'import',
    linkedCommit: sha,
    createdAt: at,
  }
}

const TRAILER =
  /^(signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|change-id|reviewed-on|cc|fixes|closes|refs?|resolves|see also|pr-url|backport|cherry picked from|\(cherry picked from|generated with|🤖)\b[^\n]*$/gim

function withoutTrailers(body: string): string {
  return body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(TRAILER, '')
    .replace(/^#+\s.*$|^[ \t]*(?:[-*][ \t]*)?\[[ x]\].*$/gim, '')
    .replace(/https?:\/\/\S+/g, '')
}

/** What is written together stays together; a list gives one line per point. */
function paragraphs(body: string): string[] {
  return body
    .split(/\n(?:[ \t]*\n)+|\n(?=[ \t]*[-*•]\s)/)
    .map((part) =>
      part
        .replace(/^\s*[-*•]\s+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => part.length > 15)
    .slice(0, 12)
}
