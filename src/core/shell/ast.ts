/**
 * What a shell command means to us, whichever parser read it. Quoting, escapes and brace expansion are already undone;
 * what only the running shell can know (variables, substitutions, globs) is still marked as such.
 */
export interface ShellScript {
  body: ShellNode[]
  /** Why the text is not valid shell, when it is not; what could be read is in the body all the same. */
  broken?: string
  /** It was not read at all, because it is too long or too intricate. */
  isUnread?: true
}

export type ShellNode =
  | ShellCommand
  | { type: 'pipeline'; stages: ShellNode[] }
  /** Runs in order and in this shell: `;`, `&&`, `{ … }`; with `and`, each only if the one before succeeded. */
  | { type: 'sequence'; items: ShellNode[]; and?: true }
  /** Runs in a subshell, so its `cd` and variables stay inside: `( … )`, and `… &`, whose end is not awaited. */
  | { type: 'subshell'; items: ShellNode[]; goesOn?: true }
  /**
   * One of the branches runs, or none. `if`: the first when the condition holds, otherwise the second; `and`, `or`: the only
   * one when it holds, or when it does not.
   */
  | { type: 'choice'; by: 'if' | 'and' | 'or'; condition: ShellNode[]; branches: ShellNode[][] }
  /** The first branch runs of whose patterns one fits the word, or none. */
  | { type: 'case'; word: ShellWord; branches: { patterns: ShellWord[]; goesOn: boolean; body: ShellNode[] }[] }
  /** `! …` */
  | { type: 'not'; body: ShellNode }
  | { type: 'each'; variable: string; values?: ShellWord[]; body: ShellNode[] }
  | { type: 'while'; condition: ShellNode[]; body: ShellNode[] }
  | { type: 'function'; name: string; body: ShellNode[] }
  | { type: 'redirected'; body: ShellNode; redirects: ShellRedirect[] }

export interface ShellCommand {
  type: 'command'
  /** `A=1 cmd`, `export A=1`, or a bare `A=1`. */
  assigns: ShellAssign[]
  words: ShellWord[]
  redirects: ShellRedirect[]
}

export interface ShellAssign {
  name: string
  append: boolean
  value: ShellWord
  /** Set for `name=(a b c)`. */
  elements?: ShellWord[]
}

export type ShellRedirect =
  | { type: 'file'; operator: '>' | '>>' | '>|' | '<' | '<>' | '>&' | '<&' | '&>' | '&>>'; target: ShellWord }
  /** A heredoc or here-string: text that becomes the standard input. */
  | { type: 'text'; body: ShellWord }

export type ShellWord = ShellPart[]

export type ShellPart =
  | { type: 'text'; text: string; quoted: boolean }
  | { type: 'glob'; text: string }
  | { type: 'variable'; name: string; quoted: boolean; operation?: ShellOperation }
  | { type: 'output'; script: ShellNode[]; quoted: boolean }
  | { type: 'process'; into: boolean; script: ShellNode[] }
  /** Several words from one: `{a,b}.ts`. Only ever the single part of its word. */
  | { type: 'words'; words: ShellWord[] }
  /** Known only when it runs, but never with a slash in it: `$((i + 1))`. */
  | { type: 'number'; scripts: ShellNode[][] }

/** `${name%.js}`, `${name:-fallback}`, `${name/a/b}`; an operator we do not follow makes the value unknown. */
export interface ShellOperation {
  operator: string
  operand: ShellWord
  replacement?: ShellWord
}

/** Reads shell text; never throws, however broken the text is. */
export type ParseShell = (text: string) => ShellScript
