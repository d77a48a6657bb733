import {
  type AndOr,
  type Assignment,
  type Command,
  type Elif,
  forEachChild,
  type If,
  type ParameterOperation,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type Word,
  type WordPart,
} from 'unbash'
import type {
  ParseShell,
  ShellAssign,
  ShellCommand,
  ShellNode,
  ShellOperation,
  ShellPart,
  ShellRedirect,
  ShellScript,
  ShellWord,
} from '#core/shell/ast.ts'
import { alternatives, DEEPEST_BRACE, MOST_WORDS } from './braces.ts'

/** Reads shell text with unbash and keeps what matters for knowing its writes. */
export const parseShell: ParseShell = (text) => {
  if (text.length > LONGEST) return unread('too long')
  if (depthOf(text) * text.length > MOST_STEPS) return unread('nested too deep')
  const documents = text.split('<<').length - 1
  return documents * text.length > MOST_STEPS ? unread('too many here-documents') : toScript(parse(text))
}

function unread(broken: string): ShellScript {
  return { body: [], broken, isUnread: true }
}

/** No command is longer: it is one argument of a shell, and Linux starts none with one of more than 128 KB. */
const LONGEST = 256 * 1024
/** Commands are not nested like this by hand, and the parser looks for the end of each bracket, and of each here-document, anew. */
const MOST_STEPS = 20_000_000
const DEEPEST = 500

/** How many brackets are open at once, at most; quoted ones count too, since the parser follows them through most quotes. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40 || code === 123) deepest = Math.max(deepest, ++depth)
    else if ((code === 41 || code === 125) && depth > 0) depth--
  }
  return deepest >= DEEPEST ? Infinity : deepest
}

/** What the parser says where it leaves out the rest. */
const TOO_DEEP = /^maximum [a-z ]+ depth exceeded$/

/** Longer chains are read as if each command ran, so that following them needs no deep stack. */
const LONGEST_CHAIN = 1000

function toScript(script: ParsedScript): ShellScript {
  const body = script.commands.map(toStatement)
  const [error, ...more] = script.errors ?? []
  if (!error) return { body }
  const isUnread = [error, ...more].some(({ message }) => TOO_DEEP.test(message))
  return { body, broken: error.message, ...(isUnread && { isUnread }) }
}

function toBody(script: ParsedScript | undefined): ShellNode[] {
  return script ? script.commands.map(toStatement) : []
}

function toStatement(statement: Statement): ShellNode {
  const node = toNode(statement.command)
  return statement.background ? { type: 'subshell', items: [node], goesOn: true } : node
}

function toItems(list: { commands: readonly Statement[] }): ShellNode[] {
  return list.commands.map(toStatement)
}

type AnyNode = PipelineNode | AndOr | { type: 'CompoundList'; commands: readonly Statement[] }

function toNode(node: AnyNode): ShellNode {
  switch (node.type) {
    case 'Command':
      return toCommand(node)
    case 'AndOr':
      return toAndOr(node)
    case 'Pipeline': {
      const body: ShellNode =
        node.commands.length === 1 ? toNode(node.commands[0]!) : { type: 'pipeline', stages: node.commands.map(toNode) }
      return node.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1 ? { type: 'not', body } : body
    }
    case 'Redirected':
      return { type: 'redirected', body: toNode(node.command), redirects: node.redirects.map(toRedirect) }
    case 'Subshell':
      return { type: 'subshell', items: toItems(node.body) }
    case 'BraceGroup':
      return { type: 'sequence', items: toItems(node.body) }
    case 'CompoundList':
      return { type: 'sequence', items: toItems(node) }
    case 'If':
      return toIf([node, ...node.elif], node.else && toItems(node.else))
    case 'Case':
      return {
        type: 'case',
        word: toWord(node.word),
        branches: node.items.map(({ pattern, body, terminator }) => ({
          patterns: pattern.map((word) => toWord(word)),
          goesOn: terminator === ';&' || terminator === ';;&',
          body: toItems(body),
        })),
      }
    case 'For':
    case 'Select': {
      const body = toItems(node.body)
      const variable = node.name.value
      return node.wordlist
        ? { type: 'each', variable, values: node.wordlist.map((word) => toWord(word)), body }
        : { type: 'each', variable, body }
    }
    case 'ArithmeticFor':
      return {
        type: 'while',
        condition: [node.initialize, node.test, node.update].flatMap((part) =>
          part ? [quiet([[{ type: 'number', scripts: scriptsIn(part) }]])] : [],
        ),
        body: toItems(node.body),
      }
    case 'While':
      return {
        type: 'while',
        condition: node.kind === 'until' ? untilHolds(toItems(node.clause)) : toItems(node.clause),
        body: toItems(node.body),
      }
    case 'Function':
      return { type: 'function', name: node.name.value, body: [toNode(node.body)] }
    case 'Coproc':
      return { type: 'subshell', items: [toNode(node.body)] }
    case 'TestCommand':
      return testNode(node.expression)
    case 'ArithmeticCommand':
      if (/^\s*\d+\s*$/.test(node.body)) return named(Number(node.body) === 0 ? 'false' : 'true')
      return { type: 'sequence', items: [counted(node.body), quiet([[{ type: 'number', scripts: scriptsIn(node) }]])] }
  }
}

/** `elif` is an `if` of its own in the other branch. */
function toIf([first, ...others]: readonly (If | Elif)[], otherwise: ShellNode[] | undefined): ShellNode {
  const rest = others.length > 0 ? [toIf(others, otherwise)] : otherwise
  const branches = [toItems(first!.then), ...(rest ? [rest] : [])]
  return { type: 'choice', by: 'if', condition: toItems(first!.clause), branches }
}

/** `until` goes on while its last command fails. */
function untilHolds(clause: ShellNode[]): ShellNode[] {
  const last = clause.at(-1)
  return last ? [...clause.slice(0, -1), { type: 'not', body: last }] : []
}

/** `((i++))` gives a variable another number, whichever of those it names. */
function counted(arithmetic: string): ShellCommand {
  const names = /\+\+|--|=/.test(arithmetic) ? (arithmetic.match(/\b[A-Za-z_]\w*/g) ?? []) : []
  const number: ShellPart = { type: 'number', scripts: [] }
  const assigns = names.map((name) => ({ name, append: false, value: [number] }))
  return { type: 'command', assigns, words: [], redirects: [] }
}

/** Commands people put before `&&` to ask a question; others are put there because they are expected to succeed. */
const QUESTIONS = new Set(['test', '[', '[[', 'grep', 'command', 'which', 'type', 'false', 'diff', 'cmp', 'pgrep'])

function isQuestion(node: ShellNode): boolean {
  if (node.type === 'command') return node.words[0]?.[0]?.type === 'text' && QUESTIONS.has(node.words[0][0].text)
  return isTest(node)
}

/** What `[[ … ]]` becomes when it asks more than one thing. */
function isTest(node: ShellNode): boolean {
  switch (node.type) {
    case 'command':
      return node.words[0]?.[0]?.type === 'text' && node.words[0][0].text === '[['
    case 'not':
      return isTest(node.body)
    case 'sequence':
      return node.items.every(isTest)
    case 'choice':
      return node.by === 'or' && [...node.condition, ...node.branches.flat()].every(isTest)
    default:
      return false
  }
}

function toAndOr(node: AndOr): ShellNode {
  if (node.commands.length > LONGEST_CHAIN) return { type: 'sequence', items: node.commands.map(toNode) }
  return node.commands.slice(1).reduce<ShellNode>((left, command, at) => {
    const right = toNode(command)
    const by = node.operators[at] === '||' ? 'or' : 'and'
    if (by === 'or' || isQuestion(left)) return { type: 'choice', by, condition: [left], branches: [[right]] }
    return { type: 'sequence', items: [left, right], and: true }
  }, toNode(node.commands[0]!))
}

/** A construct that runs nothing itself, though its words may hold substitutions that do. */
function quiet(words: ShellWord[]): ShellCommand {
  return named('test', words)
}

function named(name: string, words: ShellWord[] = []): ShellCommand {
  return { type: 'command', assigns: [], words: [[literal(name, true)], ...words], redirects: [] }
}

/** `[[ … ]]`: each question by itself, joined as commands are. */
function testNode(expression: TestExpression): ShellNode {
  switch (expression.type) {
    case 'TestUnary':
      return named('[[', [[literal(expression.operator, true)], toWord(expression.operand)])
    case 'TestBinary':
      return named('[[', [toWord(expression.left), [literal(expression.operator, true)], toWord(expression.right)])
    case 'TestLogical': {
      const [first, ...others] = expression.operands.map(testNode)
      if (expression.operator === '&&') return { type: 'sequence', items: [first!, ...others], and: true }
      return others.reduce<ShellNode>(
        (left, right) => ({ type: 'choice', by: 'or', condition: [left], branches: [[right]] }),
        first!,
      )
    }
    case 'TestNot': {
      const body = testNode(expression.operand)
      return expression.negations.length % 2 === 1 ? { type: 'not', body } : body
    }
    case 'TestGroup':
      return testNode(expression.expression)
  }
}

function toCommand(command: Command): ShellCommand {
  const assigns: ShellAssign[] = []
  const words: ShellWord[] = command.name ? [toWord(command.name)] : []
  const redirects: ShellRedirect[] = []
  for (const part of [...command.prefix, ...command.suffix]) {
    if (part.type === 'Assignment') assigns.push(toAssign(part))
    else if (part.type === 'Word') words.push(toWord(part))
    else redirects.push(toRedirect(part))
  }
  return { type: 'command', assigns, words, redirects }
}

function toAssign(assign: Assignment): ShellAssign {
  const { name, value } = assign
  const append = assign.append === true
  if (value.type === 'ArrayValue')
    return { name, append, value: [], elements: value.elements.map((word) => toWord(word)) }
  return { name, append, value: toWord(value) }
}

function toRedirect(redirect: Redirection): ShellRedirect {
  if (redirect.type === 'HereDoc') {
    const { body } = redirect
    return {
      type: 'text',
      body: body.parts ? body.parts.flatMap((part) => toParts(part, true)) : [literal(body.text, true)],
    }
  }
  const target = redirect.target ? toWord(redirect.target) : []
  if (redirect.type === 'HereString') return { type: 'text', body: target }
  return { type: 'file', operator: redirect.operator, target }
}

function toWord(word: Word, depth = 0): ShellWord {
  if (!word.parts) return [literal(word.value, /^['"\\]/.test(word.text))]
  const at = word.parts.findIndex((part) => part.type === 'BraceExpansion')
  if (at >= 0) return expandBraces(word.parts, at, depth)
  return word.parts.flatMap((part) => toParts(part, false))
}

function literal(text: string, quoted: boolean): ShellPart {
  return { type: 'text', text, quoted }
}

function toParts(part: WordPart, quoted: boolean): ShellPart[] {
  switch (part.type) {
    case 'Literal':
      return [literal(part.value, quoted)]
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value, true)]
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.length === 0 ? [literal('', true)] : part.parts.flatMap((child) => toParts(child, true))
    case 'Glob':
    case 'ExtendedGlob':
      return [{ type: 'glob', text: part.text }]
    case 'SimpleExpansion':
      return [{ type: 'variable', name: part.text.slice(1), quoted }]
    case 'ParameterExpansion': {
      if (part.prefix)
        return [part.prefix === '#' ? { type: 'number', scripts: [] } : { type: 'variable', name: '', quoted }]
      const name = part.index ? `${part.parameter}[${part.index.value}]` : part.parameter
      return [
        part.operation
          ? { type: 'variable', name, quoted, operation: toOperation(part.operation) }
          : { type: 'variable', name, quoted },
      ]
    }
    case 'CommandExpansion':
      return [{ type: 'output', script: toBody(part.script), quoted }]
    case 'ProcessSubstitution':
      return [{ type: 'process', into: part.operator === '>', script: toBody(part.script) }]
    case 'ArithmeticExpansion':
      return [{ type: 'number', scripts: scriptsIn(part) }]
    case 'BraceExpansion':
      return [literal(part.text, false)]
  }
}

/** Arithmetic is only a number to us, but `$(( $(touch x) ))` still runs something. */
function scriptsIn(node: SyntaxNode): ShellNode[][] {
  const scripts: ShellNode[][] = []
  forEachChild(node, (child) => {
    if (child.type === 'Script') scripts.push(toBody(child))
    else scripts.push(...scriptsIn(child))
  })
  return scripts
}

function toOperation(operation: ParameterOperation): ShellOperation {
  switch (operation.type) {
    case 'Default':
    case 'Remove':
      return { operator: operation.operator, operand: toWord(operation.operand) }
    case 'Replace':
      return {
        operator: operation.operator,
        operand: toWord(operation.pattern),
        replacement: toWord(operation.replacement),
      }
    default:
      return { operator: operation.operator, operand: [] }
  }
}

/** Spells out one brace and lets the parser read the result again, so that nesting and quotes need no second set of rules. */
function expandBraces(parts: readonly WordPart[], at: number, depth: number): ShellWord {
  const before = parts
    .slice(0, at)
    .map((part) => part.text)
    .join('')
  const after = parts
    .slice(at + 1)
    .map((part) => part.text)
    .join('')
  const choices = alternatives(parts[at]!.text)
  // Counted before anything is spelled out: `{a,b}{a,b}…` doubles with every brace.
  const braces = parts.filter((part) => part.type === 'BraceExpansion')
  const count = braces.reduce((product, part) => product * alternatives(part.text).length, 1)
  if (count > MOST_WORDS || depth > DEEPEST_BRACE) {
    return [
      ...parts.slice(0, at).flatMap((part) => toParts(part, false)),
      { type: 'number', scripts: [] },
      ...parts.slice(at + 1).flatMap((part) => toParts(part, false)),
    ]
  }
  const words = choices.flatMap((choice) => {
    const statement = parse(`: ${before}${choice}${after}`).commands[0]
    const command = statement?.command
    if (command?.type !== 'Command') return []
    return command.suffix.flatMap((word) => (word.type === 'Word' ? [toWord(word, depth + 1)] : []))
  })
  return [{ type: 'words', words }]
}
