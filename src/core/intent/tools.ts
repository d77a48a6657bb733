/** What a tool of Claude Code does to files, in one table. */

/** `safe` tools never change a file of the project; everything else is destructive until shown otherwise. */
export type ToolClass = 'safe' | 'destructive'

/** How the files that a call changes can be known. */
export type ToolEffect =
  | { kind: 'none' }
  | { kind: 'files'; paths: string[] }
  | { kind: 'shell'; command: string; inBackground: boolean }
  /** A tool we do not know: what it changes is seen afterwards. `paths` are those it seems to say it writes. */
  | { kind: 'unknown'; paths: string[] }

interface ToolRow {
  class: ToolClass
  /** The input that names the file it writes. */
  path?: string
  /** The input that holds a command line for the shell. */
  command?: string
}

const safe: ToolRow = { class: 'safe' }
const writes = (path: string): ToolRow => ({ class: 'destructive', path })
const runs = (command?: string): ToolRow => ({ class: 'destructive', ...(command && { command }) })

const TOOLS: Record<string, ToolRow> = {
  Write: writes('file_path'),
  Edit: writes('file_path'),
  MultiEdit: writes('file_path'),
  NotebookEdit: writes('notebook_path'),
  Bash: runs('command'),
  PowerShell: runs(),
  REPL: runs(),
  Monitor: runs('command'),
  // Leaving a worktree may throw away what lies in it.
  ExitWorktree: runs(),

  Read: safe,
  NotebookRead: safe,
  Glob: safe,
  Grep: safe,
  LS: safe,
  LSP: safe,
  WebFetch: safe,
  WebSearch: safe,
  // What a subagent does is guarded call by call.
  Agent: safe,
  Task: safe,
  Workflow: safe,
  Skill: safe,
  SlashCommand: safe,
  SendMessage: safe,
  TodoRead: safe,
  TodoWrite: safe,
  TaskCreate: safe,
  TaskGet: safe,
  TaskList: safe,
  TaskUpdate: safe,
  TaskOutput: safe,
  TaskStop: safe,
  BashOutput: safe,
  KillBash: safe,
  KillShell: safe,
  AgentOutputTool: safe,
  AskUserQuestion: safe,
  EnterPlanMode: safe,
  ExitPlanMode: safe,
  EnterWorktree: safe,
  ToolSearch: safe,
  ListMcpResourcesTool: safe,
  ReadMcpResourceTool: safe,
  ReportFindings: safe,
  ScheduleWakeup: safe,
  CronCreate: safe,
  CronDelete: safe,
  CronList: safe,
  Sleep: safe,
  StructuredOutput: safe,
}

/** Grove's own tools keep Grove's own rules. */
const OURS = /^mcp__(?:plugin_grove_)?grove__/

/** Whether a call needs an intent at all. `isTrusted` tells which other tools the user has declared read-only. */
export function toolClass(name: string, isTrusted: (name: string) => boolean = () => false): ToolClass {
  const row = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  if (row) return row.class
  return OURS.test(name) || isTrusted(name) ? 'safe' : 'destructive'
}

/** What a destructive call changes, as far as its input says. */
export function toolEffect(name: string, input: Record<string, unknown>): ToolEffect {
  const row = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  if (row?.class === 'safe') return { kind: 'none' }
  if (row?.path) return { kind: 'files', paths: strings(input[row.path]) }
  const command = row?.command ? input[row.command] : undefined
  if (typeof command === 'string') {
    return { kind: 'shell', command, inBackground: input.run_in_background === true || name === 'Monitor' }
  }
  return { kind: 'unknown', paths: saysItWrites(name) ? namedPaths(input) : [] }
}

/** The name Grove's tool has in this client: the plugin's server is called differently. */
export function isOurTool(name: string, tool: string): boolean {
  return OURS.test(name) && name.endsWith(`__${tool}`)
}

const WRITING =
  /(?:^|_|-)(?:write|edit|create|delete|remove|move|rename|copy|update|append|insert|patch|put|save|replace|apply)/i

/** `writeFile` and `write_file` both do; `overwrite` too, `get_edits` does not matter. */
function saysItWrites(name: string): boolean {
  const verb = name.replace(/^mcp__.+?__/, '').replace(/([a-z])([A-Z])/g, '$1_$2')
  return WRITING.test(verb)
}

const PATH_KEYS =
  /^(?:path|paths|file|files|file_?path|file_?name|notebook_path|dest|destination|target|new_?path|old_?path|source|relative_path|target_file)$/i

/** Every text under a key that is usually a path, one level of lists and objects deep. */
function namedPaths(input: Record<string, unknown>): string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    if (PATH_KEYS.test(key)) return strings(value)
    if (!Array.isArray(value)) return []
    return value.flatMap((item: unknown) => {
      if (typeof item !== 'object' || item === null) return []
      return Object.entries(item).flatMap(([inner, path]) => (PATH_KEYS.test(inner) ? strings(path) : []))
    })
  })
}

function strings(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value]
  return all.filter((item): item is string => typeof item === 'string' && item !== '')
}
