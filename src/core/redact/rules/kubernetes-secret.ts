import { isExpression, PLACEHOLDER, SELF_NAMED } from '../values.ts'

/** A Kubernetes Secret: every value below its `data:` and `stringData:` is one, whatever its own name is. */

const MAY_BE_ONE = /\bkind["']?: ?["']?Secret["']?(?=\s|,|$)/
const SECTION = /^[ \t]{0,40}(?:data|stringData):[ \t]{0,8}$/
const ENTRY = /^([ \t]{1,40}["']?[\w.-]{1,100}["']?:[ \t]{1,8}["']?)([^\s"'|>{[][^\s"']{3,4000})(?=["']?[ \t]{0,8}$)/
const OF_ANOTHER_OBJECT = /^(?:---|[ \t]*- apiVersion)/

export function kubernetesSecrets(text: string, mask: string): string {
  if (!MAY_BE_ONE.test(text)) return text
  let section: number | undefined
  let isSecret = false
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      if (at === 0 || OF_ANOTHER_OBJECT.test(line)) isSecret = saysSecret(lines, at)
      if (section !== undefined && line.trim() !== '' && depth(line) <= section) section = undefined
      if (section === undefined) {
        if (isSecret && SECTION.test(line)) section = depth(line)
        return line
      }
      const [head, key, value] = ENTRY.exec(line) ?? []
      if (head === undefined || value!.includes(mask) || isNone(value!)) return line
      return key + mask + line.slice(head.length)
    })
    .join('\n')
}

/** Whether the object that begins here is a Secret. */
function saysSecret(lines: readonly string[], from: number): boolean {
  for (let at = from; at < lines.length && (at === from || !OF_ANOTHER_OBJECT.test(lines[at]!)); at++)
    if (MAY_BE_ONE.test(lines[at]!)) return true
  return false
}

function isNone(value: string): boolean {
  return PLACEHOLDER.test(value) || isExpression(value) || SELF_NAMED.test(value)
}

function depth(line: string): number {
  return line.length - line.trimStart().length
}
