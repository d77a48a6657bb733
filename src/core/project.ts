/**
 * A project is the same project on every machine. Its id comes from the git remote, normalised so that every way of
 * writing it is one, or else from the root commit; a folder without history is only itself.
 */
export function projectIdentity(facts: { remote?: string; rootCommit?: string; root: string }): {
  id: string
  name: string
} {
  const remote = facts.remote === undefined ? undefined : normaliseRemote(facts.remote)
  if (remote) return { id: remote, name: lastPart(remote) }
  if (facts.rootCommit) return { id: `commit:${facts.rootCommit}`, name: lastPart(facts.root) }
  return { id: `path:${facts.root}`, name: lastPart(facts.root) }
}

/** `git@host:Team/app.git`, `ssh://git@host:22/Team/app` and `https://user:key@HOST/Team/app/` are all `host/Team/app`. */
export function normaliseRemote(remote: string): string | undefined {
  const trimmed = remote.trim()
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]*)(?::\d+)?\/(.*)$/i.exec(trimmed)
  const scp = /^(?:[^@/\s]+@)?([^/:\s]{2,}):(?!\/\/)(.*)$/.exec(trimmed)
  const match = url ?? scp
  if (!match) return undefined
  const host = match[1]!.toLowerCase()
  const path = match[2]!
    .replace(/[?#][\s\S]*/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/^\/+/, '')
  if (!path) return undefined
  // A file:// remote has no host, and says nothing that holds on another machine.
  if (!host) return undefined
  const known = OTHER_DOORS[host] ?? host
  return `${known}/${ANY_CASE.has(known) ? path.toLowerCase() : path}`
}

/** The same hosts under the names they have for SSH on the port of HTTPS. */
const OTHER_DOORS: Record<string, string | undefined> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
}
/** Hosts to which Team/App and team/app are the same. */
const ANY_CASE = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'])

/** The innermost of some folders that a path lies in. */
export function folderAround(path: string, folders: readonly string[]): string | undefined {
  return folders.filter((folder) => isIn(path, folder)).toSorted((a, b) => b.length - a.length)[0]
}

function isIn(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && /[\\/]/.test(path[folder.length]!))
}

/**
 * Where a session works, in a word: the project by its name, and where it lies in several folders the clone or worktree
 * as well. Without a remote a project is called by the folder that was used last, which says nothing of another one.
 */
export function placeName(project: Named, folders: readonly string[], cwd: string | undefined): string {
  const own = cwd === undefined ? undefined : folderAround(cwd, folders)
  if (own === undefined || folders.length < 2) return project.name
  const isAlone = folders.filter((folder) => lastPart(folder) === lastPart(own)).length === 1
  const folder = isAlone ? lastPart(own) : own
  return project.remote === undefined || folder === project.name ? folder : `${project.name} (${folder})`
}

interface Named {
  name: string
  remote?: string
}

function lastPart(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  )
}
