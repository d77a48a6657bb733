const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev)(?:\/|$)/
const MADE =
  /(?:^|\/)(?:node_modules|__pycache__|\.?venv|\.(?:next|nuxt|turbo|cache|parcel-cache|nyc_output|gradle|tox|[a-z]+_cache)|[^/]+\.(?:egg-info|pyc|log|tmp|tsbuildinfo)|\.DS_Store)(?:\/|$)/
/** Names that source folders have too: `src/build` is source. */
const BUILT = /(?:^|\/)(?:dist|build|out|target|coverage|tmp|temp)(?:\/|$)/
const SOURCE = /(?:^|\/)(?:src|lib|app)\//

/** A file of the machine's temporary folders, which are no part of any project. */
export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path)
}

/** Builds, caches, installed packages and temporary files: throwing them away belongs to any task. */
export function isScratch(path: string): boolean {
  return isTemporary(path) || MADE.test(path) || (BUILT.test(path) && !SOURCE.test(path))
}
