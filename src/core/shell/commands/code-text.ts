import type { CodeLanguage } from './inline-code.ts'

/**
 * The code letter for letter without what only stands in its texts and comments: `print("open('x', 'w')")` opens nothing. It is
 * the code itself where it may run its texts, or where it cannot be told for sure what is a text.
 */
export function codeAlone(language: CodeLanguage, code: string): string {
  const { pieces, doubtful } = LEXED[language]
  const alone = code.replace(pieces, (found: string, ...rest: unknown[]) => {
    const at = Number(rest.at(-2))
    // A tagged template (`sql`…``) is an argument of its tag, and `${f()}` is code: both are kept.
    if (found.startsWith('`') && (/[\w$)\]]/.test(code[at - 1] ?? '') || /\$\{[^}]*[(`]/.test(found))) return found
    if (found.startsWith('`')) return `"${blank(found.slice(1, -1))}"`
    if (!/^["']/.test(found)) return blank(found)
    // In PHP a name in brackets is a key and nothing that could be called.
    const isKey = language === 'php' && code[at - 1] === '['
    const isKept =
      (isName(found) && !isKey) || INTERPOLATED.test(found) || BY_NAME.test(code.slice(Math.max(0, at - 20), at))
    return isKept ? found : found[0] + blank(found.slice(1, -1)) + found[0]
  })
  const rest = alone.replace(pieces, '')
  const isSure = !/["'`]/.test(rest) && !doubtful?.test(rest)
  return isSure && !RUNS_TEXT.test(alone) ? alone : code
}

/** `'src/' + 'a.ts'` is one text written in two. */
export function withJoinedTexts(language: CodeLanguage, code: string): string {
  const sign = language === 'perl' || language === 'php' ? JOINED.dot : JOINED.plus
  let joined = code
  for (let round = 0; round < MOST_JOINED; round++) {
    const next = joined.replace(sign, '$1$2$4$1')
    if (next === joined) break
    joined = next
  }
  return joined
}

const MOST_JOINED = 8
const PLAIN = String.raw`(["'])([^"'\\\n]{0,100})`
const JOINED = {
  plus: new RegExp(String.raw`${PLAIN}\1\s{0,4}\+\s{0,4}${PLAIN}\3`, 'g'),
  dot: new RegExp(String.raw`${PLAIN}\1\s{0,4}\.\s{0,4}${PLAIN}\3`, 'g'),
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** Text in quotes, as most languages write it: source for a pattern. */
export const STRING = String.raw`"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
const SLASHES = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`

interface Lexed {
  /** Texts, comments and expressions. */
  pieces: RegExp
  /** What else may be a text in this language. */
  doubtful?: RegExp
}

const LEXED: Record<CodeLanguage, Lexed> = {
  python: { pieces: new RegExp(`${STRING}|#[^\\n]*`, 'g') },
  node: {
    pieces: new RegExp(
      String.raw`${STRING}|${SLASHES}|${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'}|(?<=[(,=:[!&|?{};\n]\s{0,4})\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`,
      'g',
    ),
  },
  php: { pieces: new RegExp(`${STRING}|${SLASHES}|#[^\\n]*`, 'g'), doubtful: /<<</ },
  ruby: { pieces: new RegExp(`${STRING}|#[^\\n]*`, 'g'), doubtful: /[/?]|%[qQwWxirs]?[^\w\s]|<</ },
  perl: { pieces: new RegExp(`${STRING}|#[^\\n]*`, 'g'), doubtful: /\/|\b(?:q[qwxr]?|m|s|y|tr)\s*\W|<<|\$["'#]/ },
}

/** Code that is put into a text: `f"{open(p)}"`, `"#{x()}"`. */
const INTERPOLATED = /\{[^}]{0,200}[(`]/
/** The name of a module, or of something in it. */
const BY_NAME = /(?:\brequire|\bimport|\bfrom|\buse)\s{0,4}\(?\s{0,4}$/

function isName(text: string): boolean {
  return /^["'][\w$]*["']$/.test(text)
}

/** Calls that take a text for code, or for a command. */
const RUNS_TEXT =
  /\b(?:eval|system|popen|Popen|subprocess|child_process|Function|(?<!\bre\.)compile|create_function|getattr|passthru|vm|pty)\b|(?<![.\w])exec|exec(?:Sync|File|v|l|ute)|spawn|shell|import(?:lib|_module)|_eval\b|\bsend\b|\bset(?:Timeout|Interval)\s*\(\s*["']|\bruns?\w{0,10}\s*\(|\bcall\s*\(|check_(?:call|output)/
