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
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/^\/+/, '')
  if (!path) return undefined
  // A file:// remote has no host, and says nothing that holds on another machine.
  return host ? `${host}/${path}` : undefined
}

function lastPart(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  )
}
