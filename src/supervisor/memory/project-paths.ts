interface Place {
  cwd?: string
  root?: string
}

/**
 * Turns paths as an agent names them into paths that the whole team knows: from the project's root, wherever in it the
 * agent was started. What lies outside stays as it is.
 */
export function inProject({ cwd = '', root = '' }: Place): (path: string) => string {
  const below = root !== '' && cwd.startsWith(`${root}/`) ? `${cwd.slice(root.length + 1)}/` : ''
  return (path) => {
    if (root !== '' && path.startsWith(`${root}/`)) return path.slice(root.length + 1)
    return path.startsWith('/') || path.startsWith('~') ? path : lean(below + path)
  }
}

/** `a/b/../c` is `a/c`. */
function lean(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
