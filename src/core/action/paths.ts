/** Paths as agents write them, and as the project knows them. */

const BARE_FILES = new Set(['Makefile', 'Dockerfile', 'Gemfile', 'Rakefile', 'Procfile', 'Justfile', 'LICENSE'])

/** Whether the last part of a path looks like a file's name: `a.ts`, `.env`, `src/Makefile`; not `v1.2`, not `..`. */
export function isFileName(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1)!
  return (
    BARE_FILES.has(name) || /^\.?[\w@+()[\]-][\w@+.()[\] -]*\.[A-Za-z][A-Za-z0-9]{0,9}$|^\.[A-Za-z][\w.-]+$/.test(name)
  )
}

export function looksLikePath(word: string): boolean {
  if (!/^[\w@.~+/:\\[\]() -]+$/.test(word) || /^@|:\/\/|^\/dev\/|^\d+([./]\d+)*$|\.\.[^/.]|\.{3}/.test(word))
    return false
  return word.includes('/') || isFileName(word)
}

/** Relative to the working directory where it lies in it, else absolute. The working directory itself is the empty path. */
export function placed(path: string, cwd: string | undefined): string {
  if (cwd === undefined) return tidy(path)
  const root = tidy(cwd)
  const whole = tidy(under(root, path))
  if (whole === root) return ''
  const prefix = root.endsWith('/') ? root : `${root}/`
  return whole.startsWith(prefix) ? whole.slice(prefix.length) : whole
}

/** `folder/path`, or the path itself when it starts at the root, at a drive or at a home. */
export function under(folder: string, path: string): string {
  return /^([\\/~]|[A-Za-z]:[\\/])/.test(path) ? path : `${folder}/${path}`
}

export function folderOf(file: string): string {
  const slash = file.lastIndexOf('/')
  return slash > 0 ? file.slice(0, slash) : ''
}

/** The part of a glob before its first wildcard: `src/core/**\/*.ts` looks into `src/core`. */
export function literalFolder(glob: string): string | undefined {
  const wildcard = glob.search(/[*?[{]/)
  return (wildcard < 0 ? glob : glob.slice(0, wildcard)).match(/^(.*)\//)?.[1] || undefined
}

/** Forward slashes, no `.` and no `..` but leading ones. */
function tidy(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^([a-z]):\//, (_, drive: string) => `${drive.toUpperCase()}:/`)
  const parts: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '..' || !slashed.startsWith('/')) parts.push(part)
  }
  return (slashed.startsWith('/') ? '/' : '') + parts.join('/')
}
