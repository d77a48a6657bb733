/** Whether a path lies under one of the given folders, files or globs; a glob counts up to its first star. */
export function covers(scope: string[], path: string): boolean {
  const target = `${withoutSlash(path)}/`
  return scope.some((entry) => {
    const star = entry.indexOf('*')
    if (star >= 0) return withoutSlash(path).startsWith(entry.slice(0, star).replace(/^\.\//, ''))
    return target.startsWith(`${withoutSlash(entry)}/`)
  })
}

export function withoutSlash(path: string): string {
  return path.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '')
}
