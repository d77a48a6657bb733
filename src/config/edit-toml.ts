/** Sets one text value in a TOML file and leaves every other byte as it is, comments included; undefined takes it out. */
export function withTomlText(toml: string, section: string, key: string, value: string | undefined): string {
  const lines = toml.split('\n')
  const head = lines.findIndex((line) => line.trim().replace(/(?<!\s)\s*#[\s\S]*/, '') === `[${section}]`)
  const setting = value === undefined ? undefined : `${key} = ${JSON.stringify(value)}`
  if (head < 0) {
    if (setting === undefined) return toml
    const gap = toml === '' || toml.endsWith('\n\n') ? '' : toml.endsWith('\n') ? '\n' : '\n\n'
    return `${toml}${gap}[${section}]\n${setting}\n`
  }
  const next = lines.findIndex((line, index) => index > head && line.trimStart().startsWith('['))
  const end = next < 0 ? lines.length : next
  const found = lines.findIndex((line, index) => index > head && index < end && keyOf(line) === key)
  if (found >= 0) lines.splice(found, 1, ...(setting === undefined ? [] : [setting]))
  else if (setting !== undefined) lines.splice(head + 1, 0, setting)
  return lines.join('\n')
}

function keyOf(line: string): string | undefined {
  return /^\s*"?([\w-]+)"?\s*=/.exec(line)?.[1]
}
