/** Whether a version is older than another: by its numbers, and a pre-release before what it leads to. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parts(version), parts(than)]
  for (let at = 0; at < 3; at++) if (a.numbers[at] !== b.numbers[at]) return a.numbers[at]! < b.numbers[at]!
  if (a.tag === b.tag) return false
  if (a.tag === '' || b.tag === '') return b.tag === ''
  return a.tag.localeCompare(b.tag, 'en', { numeric: true }) < 0
}

function parts(version: string) {
  const [, numbers = '', tag = ''] = /^v?([\d.]*)(?:-([^+]*))?/.exec(version) ?? []
  return { numbers: [0, 1, 2].map((at) => Number(numbers.split('.')[at]) || 0), tag }
}
