// The same code in ASCII, which Node hands to V8 as it is, at one byte a character.
import { parse } from 'acorn'
import { simple } from 'acorn-walk'

/**
 * Of an expression, or of a whole module. esbuild escapes strings itself, but leaves regular expressions and `String.raw` as
 * they are written.
 */
export function inAscii(code, { isModule = false } = {}) {
  if (!OTHER.test(code)) return code
  const [before, after, sourceType] = isModule ? ['', '', 'module'] : ['(', ')', 'script']
  const changed = []
  simple(parse(before + code + after, { ecmaVersion: 'latest', sourceType }), {
    Literal(node) {
      if (node.regex) changed.push({ ...node, by: escaped(node.raw) })
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.object?.name !== 'String' || tag.property?.name !== 'raw') return
      // What is raw there is written out here, in a template without a tag.
      changed.push({ start: tag.start, end: quasi.start, by: '' })
      for (const { start, end, value } of quasi.quasis) changed.push({ start, end, by: escaped(written(value.raw)) })
    },
  })
  const ascii = changed
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end, by }) => text.slice(0, start - before.length) + by + text.slice(end - before.length),
      code,
    )
  const left = OTHER.exec(ascii)
  if (left) throw new Error(`not in ASCII: ${ascii.slice(Math.max(0, left.index - 40), left.index + 40)}`)
  return ascii
}

const OTHER = /[^\0-\x7f]/

const escaped = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const written = (raw) => raw.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')
