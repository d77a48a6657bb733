import type { ToolInput } from '../action/input.ts'
import type { ToolReading } from '../action/reading.ts'
import { isGroveTool } from '../action/tools.ts'
import { weight } from '../drift/gist.ts'
import type { SimpleCommand } from '../shell/simple-command.ts'
import { baseName } from '../shell/values.ts'
import type { Learning } from './learning.ts'
import { isSameFile, termsOf } from './query.ts'

/**
 * Whether an agent used a learning it was shown. Being shown is no use: only what the agent itself did or said counts,
 * and only when it is recognisably this learning's files, commands or advice.
 */

/** What the agent did and said, sorted by what can be recognised in it. */
export interface Evidence {
  texts: string[]
  commands: string[]
  /** The files that its commands run. */
  programs: string[]
  changed: string[]
  read: string[]
}

const WRITES = new Set(['edit', 'write'])
/** Calling Grove about a learning, or reading its files, is not using what it says. */
const OWN_PROGRAM = /(^|\/)grove(\.js)?$/
const OWN_FILE = /(^|\/)\.grove\//

/** A sentence in which the agent sets something aside. */
const SETS_ASIDE =
  /\b(not|isn't|aren't|never|nicht|kein\w*|pas|non|no)\b[^.!?\n]{0,30}\b(relevant|applicable|related|needed|useful|helpful|apply|applies|zutreffend|pertinente?s?|relevante?s?)\b|\b(irrelevant|unrelated|inapplicable|does(?:n't| not) (?:apply|matter|concern))\b|не (относится|применим)|不相关|無関係|無關|관련이 없/iu

/** What can be recognised in what the agent said. To call something beside the point is not to use it. */
export function evidenceInWords(said: string): Evidence {
  const used = said.split(/(?<=[.!?。！？])\s+|\n/).filter((sentence) => !SETS_ASIDE.test(sentence))
  return { ...NOTHING, texts: used.length > 0 ? [used.join('\n')] : [] }
}

/** What can be recognised in what the agent did. */
export function evidenceInCall(
  { tool, kind, files, command, excerpt, effect }: ToolReading,
  input: ToolInput,
): Evidence {
  if (isGroveTool(tool)) return NOTHING
  const programs = effect.kind === 'shell' ? effect.script.commands.flatMap(programOf) : []
  if (programs.some((program) => OWN_PROGRAM.test(program))) return NOTHING
  const paths = files.filter((file) => !OWN_FILE.test(file))
  if (files.length > 0 && paths.length === 0) return NOTHING
  const written = writtenIn(input)
  return {
    texts: written ?? (excerpt ? [excerpt] : []),
    commands: command ? [command] : [],
    programs,
    changed: WRITES.has(kind) ? paths : [],
    read: WRITES.has(kind) ? [] : paths,
  }
}

const INTERPRETER = /^(bash|sh|zsh|node|bun|tsx|python3?|ruby|perl|source|\.)$/

/** The file that a command runs: itself, or what it gives to an interpreter. */
function programOf({ name, args }: SimpleCommand): string[] {
  if (!INTERPRETER.test(baseName(name))) return [name]
  const script = args.find(({ text }) => !text.startsWith('-'))
  return script ? [script.text] : []
}

const NOTHING: Evidence = { texts: [], commands: [], programs: [], changed: [], read: [] }

/** What a writing tool puts into a file, as a whole. */
function writtenIn({ content, new_string: replacement }: ToolInput): string[] | undefined {
  const texts = [content, replacement].filter((text) => typeof text === 'string')
  return texts.length > 0 ? texts : undefined
}

export function joinEvidence(all: readonly Evidence[]): Evidence {
  return {
    texts: all.flatMap(({ texts }) => texts),
    commands: all.flatMap(({ commands }) => commands),
    programs: all.flatMap(({ programs }) => programs),
    changed: all.flatMap(({ changed }) => changed),
    read: all.flatMap(({ read }) => read),
  }
}

/** Files every task touches say nothing about which learning was used. */
const COMMON_FILE =
  /(^|\/)(package(-lock)?\.json|readme(\.\w+)?|claude\.md|changelog\.md|tsconfig\.json|cargo\.toml|go\.(mod|sum)|\.gitignore|yarn\.lock|pnpm-lock\.yaml)$/i
/** Nor do commands that every task runs. */
const COMMON_COMMAND =
  /^(git (status|add|commit|diff|log|show|push|pull|fetch|stash|checkout)|(npm|pnpm|yarn|bun) (test|t|install|i|ci|start|run (test|build|lint|format|dev))|make( test| build)?|cargo (test|build|check)|go (test|build)|pytest|tsc)\b[^\w:-]*$/
/** How much of the advice must be in one passage: alone, and together with reading its file. */
const ADVICE = { share: 0.6, words: 3 }
const ADVICE_WITH_FILE = { share: 0.35, words: 2 }

/** What shows that the agent used the learning; undefined when nothing does. */
export function howReferenced(learning: Learning, evidence: Evidence): string | undefined {
  const said = `${learning.summary}\n${learning.detail}`
  if (evidence.texts.some((text) => text.includes(learning.id))) return 'named it'
  const command = codeIn(said).find((code) => evidence.commands.some((ran) => holds(ran, code)))
  if (command) return `ran ${command}`
  const files = learning.contextFiles.filter((file) => !COMMON_FILE.test(file))
  // An edit of the file that a learning warns of changing is not a use of it.
  const changed = WARNS.test(learning.summary)
    ? undefined
    : files.find((file) => evidence.changed.some((path) => isSameFile(file, path)))
  if (changed) return `changed ${changed}`
  const ran = files.find((file) => evidence.programs.some((one) => isSameFile(file, one.replace(/^\.\//, ''))))
  if (ran) return `ran ${ran}`
  const code = codeIn(said).find((name) => evidence.texts.some((text) => text.includes(name)) && isTelling(name))
  if (code) return `used ${code}`
  const name = namesIn(said).find((one) => [...evidence.texts, ...evidence.commands].some((text) => names(text, one)))
  if (name) return `used ${name}`
  const told = toldIn(evidence)
  const advice = [...termsOf(learning.summary)]
  const isFollowed = (least: typeof ADVICE) => told.some((passage) => holdsAdvice(advice, passage, least))
  if (isFollowed(ADVICE)) return 'followed the advice'
  const read = files.find((file) => evidence.read.some((path) => isSameFile(file, path)))
  return read && isFollowed(ADVICE_WITH_FILE) ? `read ${read} and followed the advice` : undefined
}

const WARNS =
  /^(never|do not|don't|avoid|stop|nie|niemals|keine?n?|ne\s|n'|nunca|no\s|não|non\s|не\s|никогда|нельзя|不要|别|切勿|勿)|(ないこと|しない|말 것|지 않는다)\s*[.。]?$/iu

/** What stands in backticks, tidied. */
function codeIn(text: string): string[] {
  const spans = advised(text, /`([^`\n]{3,200})`/g).map((span) => span.slice(1, -1).trim().replaceAll(/\s+/g, ' '))
  return [...new Set(spans)].filter((span) => span.length >= 3)
}

/** Names that can only be identifiers: of three words and more, or called. Product names have other humps. */
const NAME =
  /(?<![\w`.$/-])(?:[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+){2,}|[a-z][a-z0-9]*(?:_[a-z0-9]+){2,}|[a-z][a-z0-9]*[A-Z_]\w*(?=\(\)))(?![\w`])/g
const COMMON_NAME =
  /^(to(String|Locale\w*|LowerCase|UpperCase)|(add|remove)EventListener|getElementById|querySelectorAll?|(set|clear)(Timeout|Interval)|use(State|Effect|LayoutEffect|Memo|Callback)|hasOwnProperty|forEach|(before|after)(Each|All))$/

/** Such names, where it does not warn of them. */
function namesIn(text: string): string[] {
  return advised(text, NAME).filter((name) => !COMMON_NAME.test(name))
}

const WARNING = /\b(never|don't|do not|must not|avoid|instead of|rather than)\s+(\w+\s+){0,2}$/i

/** What the pattern finds, without what the text tells not to do. */
function advised(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) =>
    WARNING.test(text.slice(Math.max(0, match.index - 80), match.index)) ? [] : [match[0]],
  )
}

function names(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '')) return true
  }
  return false
}

/** The words of the command stand in what was run, in a row and whole. */
function holds(ran: string, code: string): boolean {
  if (COMMON_COMMAND.test(code)) return false
  const tidy = ` ${ran.replaceAll(/[\s;&|()"']+/g, ' ')} `
  if (!tidy.includes(` ${code.replaceAll(/[\s;&|()"']+/g, ' ').trim()} `)) return false
  return /[\s-]/.test(code) || isTelling(code)
}

/** A name that is not typed by chance: joined words, a flag with a value, or a word general code does not use. */
function isTelling(code: string): boolean {
  if (/\s/.test(code)) return code.split(' ').some(isTelling)
  if (code.length < 5) return false
  if (/[a-z][A-Z]|\w_\w|\w\.\w|^--[a-z]+-/.test(code)) return true
  return code.length >= 6 && [...termsOf(code)].some((term) => weight(term) > 0.8)
}

/** Cached by evidence, which is compared with every learning that was shown. */
const passagesOf = new WeakMap<Evidence, Set<string>[]>()

/** The terms of each passage of what was said and written. */
function toldIn(evidence: Evidence): Set<string>[] {
  const known = passagesOf.get(evidence)
  if (known) return known
  const told = evidence.texts.flatMap(passages).map(termsOf)
  passagesOf.set(evidence, told)
  return told
}

const PASSAGE = /[\s\S]{1,600}/g

/** A long answer touches on everything somewhere; advice is followed in one place. */
function passages(text: string): string[] {
  return text
    .slice(0, 100_000)
    .split(/\n\s*\n/)
    .flatMap((part) => part.match(PASSAGE) ?? [])
}

/** Enough of what is telling in the advice stands in the passage. */
function holdsAdvice(asked: readonly string[], there: ReadonlySet<string>, least: typeof ADVICE): boolean {
  // Mostly too little of it is there, and then it need not be weighed.
  if (asked.filter((term) => there.has(term)).length < least.words) return false
  const wanted = asked.filter((term) => weight(term) >= 0.2)
  const met = wanted.filter((term) => there.has(term))
  const mass = (terms: string[]) => terms.reduce((sum, term) => sum + weight(term), 0)
  return met.length >= least.words && mass(met) >= least.share * mass(wanted)
}
