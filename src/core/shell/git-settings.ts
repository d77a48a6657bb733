/** Settings of git that make it run programs, or read more settings. */
const RUNS =
  /^(?:alias|filter|pager|include|includeif|protocol)\.|^core\.(?:hookspath|fsmonitor|editor|pager|sshcommand|askpass|worktree|gitproxy|attributesfile)$|\.(?:textconv|command|driver|cmd|external|helper|program|editor|difffilter|packobjectshook|uploadpack|receivepack|vcs|defaultcommand|proxycommand|interactivediff)$/i

/** Values that switch such a setting off, or to git's default. */
const HARMLESS = /^(?:true|false|yes|no|on|off|[01]|cat|less(?: -\w+)*|more|:|\/dev\/null|)$/i

/** Whether a setting lets git run something, whatever its value. */
export function namesAProgram(key: string): boolean {
  return RUNS.test(key)
}

/** Whether `git -c key=value` lets git run something. */
export function runsPrograms(key: string, value: string): boolean {
  return RUNS.test(key) && !HARMLESS.test(value)
}

/** Settings that say what git looks at when it compares, and whom it talks to. */
const COMPARES =
  /^(?:remote|url|credential|http|https|extensions|safe|status|index|submodule)\.|^core\.(?:excludesfile|ignorecase|filemode|trustctime|checkstat|untrackedcache|sparsecheckout\w*|bare|worktree|splitindex|precomposeunicode)$|^diff\.(?:ignoresubmodules|external)$/i

/** Whether a setting decides what runs, what is compared or where work goes: the name, or a section with a dot behind it. */
export function mattersToOthers(key: string): boolean {
  return (
    RUNS.test(key) || COMPARES.test(key) || /^(?:core|diff|merge|gpg|sequence|uploadpack|interactive)\.$/i.test(key)
  )
}
