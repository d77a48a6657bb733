/** The files a unified diff creates, changes and removes. */
export function patchTargets(patch: string, strip: number): { path: string; kind: 'create' | 'modify' | 'delete' }[] {
  const targets: { path: string; kind: 'create' | 'modify' | 'delete' }[] = []
  const lines = patch.split('\n')
  for (let at = 0; at + 1 < lines.length; at++) {
    const old = /^--- ([^\t\n]+)/.exec(lines[at]!)
    const next = /^\+\+\+ ([^\t\n]+)/.exec(lines[at + 1]!)
    if (!old || !next) continue
    const isNew = old[1] === '/dev/null'
    const isGone = next[1] === '/dev/null'
    const path = stripped((isGone ? old[1]! : next[1]!).trim(), strip)
    targets.push({ path, kind: isNew ? 'create' : isGone ? 'delete' : 'modify' })
  }
  for (const renamed of patch.matchAll(/^rename from (.+)\nrename to (.+)$/gm)) {
    targets.push({ path: renamed[1]!, kind: 'delete' }, { path: renamed[2]!, kind: 'create' })
  }
  return targets
}

function stripped(path: string, strip: number): string {
  return path
    .split('/')
    .slice(Math.min(strip, path.split('/').length - 1))
    .join('/')
}
