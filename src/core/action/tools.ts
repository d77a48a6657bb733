import type { ActionKind } from '../step.ts'
import { diff } from './excerpt.ts'
import { lookedInto, objects, type Told, type ToolInput, tellByNames, text, texts } from './input.ts'
import { literalFolder } from './paths.ts'

/** The tools of Claude Code, in the only table of them. */

/**
 * What a tool can do to the files of a project: nothing; nothing itself, though what it starts or waits for may, in calls
 * of its own; change the file it names; whatever its command line does; or anything at all.
 */
type Changes = 'nothing' | 'indirectly' | 'its file' | 'by command' | 'anything'

interface Tool {
  kind: ActionKind
  changes: Changes
  /** Without it the input is understood by the usual names of its fields. */
  tell?: (input: ToolInput) => Told
  /** The field that holds a command line; only one for a POSIX shell can be read. */
  command?: string
  /** What it runs goes on when the call has returned. */
  goesOn?: true
}

const looks = (kind: ActionKind, tell?: Tool['tell']): Tool => ({ kind, changes: 'nothing', ...(tell && { tell }) })
const plans = (tell?: Tool['tell']) => looks('other', tell)
const starts = (kind: ActionKind, tell?: Tool['tell']): Tool => ({
  kind,
  changes: 'indirectly',
  ...(tell && { tell }),
})
const changes = (kind: ActionKind, path: string, excerpt: (input: ToolInput) => string): Tool => ({
  kind,
  changes: 'its file',
  tell: (input) => ({ files: texts(input[path]), excerpt: excerpt(input) }),
})

const delegates = starts('agent', ({ description, prompt }) => ({ query: text(description), excerpt: text(prompt) }))
const notesTask = plans(({ subject, description }) => ({ query: text(subject), excerpt: text(description) }))

const TOOLS: Record<string, Tool> = {
  Read: looks('read', ({ file_path }) => ({ files: texts(file_path) })),
  NotebookRead: looks('read', ({ notebook_path }) => ({ files: texts(notebook_path) })),
  Write: changes('write', 'file_path', ({ content }) => diff('', text(content))),
  Edit: changes('edit', 'file_path', (input) => editsOf([input])),
  MultiEdit: changes('edit', 'file_path', ({ edits }) => editsOf(objects(edits))),
  NotebookEdit: changes('edit', 'notebook_path', ({ new_source }) => diff('', text(new_source))),

  Bash: { kind: 'bash', changes: 'by command', command: 'command', tell: nothing },
  Monitor: { kind: 'bash', changes: 'by command', command: 'command', tell: nothing, goesOn: true },
  PowerShell: { kind: 'bash', changes: 'anything', command: 'command', tell: nothing },
  REPL: { kind: 'other', changes: 'anything' },
  // Leaving a worktree may throw away what lies in it.
  ExitWorktree: { kind: 'other', changes: 'anything' },

  Grep: looks('search', ({ pattern, path, glob }) => ({
    query: text(pattern),
    ...lookedInto(path ?? literalFolder(text(glob))),
  })),
  Glob: looks('search', ({ pattern, path }) => ({
    query: text(pattern),
    ...lookedInto(path ?? literalFolder(text(pattern))),
  })),
  LS: looks('search', ({ path }) => ({ folders: texts(path) })),
  LSP: looks('other'),
  WebFetch: looks('web', ({ url, prompt }) => ({ query: text(url), excerpt: text(prompt) })),
  WebSearch: looks('web', ({ query }) => ({ query: text(query) })),
  ToolSearch: looks('other'),
  ListMcpResourcesTool: looks('other'),
  ReadMcpResourceTool: looks('other'),
  ReadMcpResourceDirTool: looks('other'),
  WaitForMcpServers: looks('other'),
  ReadNotifications: looks('other'),

  // What they start is announced call by call.
  Agent: delegates,
  Task: delegates,
  Workflow: starts('other'),
  Skill: starts('other', ({ skill, args }) => ({ query: text(skill), excerpt: text(args) })),
  SlashCommand: starts('other'),
  SendMessage: starts('other'),
  TaskOutput: starts('other'),
  TaskStop: starts('other'),
  BashOutput: starts('other'),
  KillBash: starts('other'),
  KillShell: starts('other'),
  AgentOutputTool: starts('other'),
  EnterWorktree: starts('other'),
  ScheduleWakeup: starts('other'),
  CronCreate: starts('other'),
  CronDelete: starts('other'),
  CronList: starts('other'),
  Sleep: starts('other'),

  TodoRead: plans(),
  TodoWrite: plans(({ todos }) => ({
    excerpt: objects(todos)
      .map(({ content }) => text(content))
      .join('\n'),
  })),
  TaskCreate: notesTask,
  TaskUpdate: notesTask,
  TaskGet: plans(),
  TaskList: plans(),
  AskUserQuestion: plans(),
  EnterPlanMode: plans(),
  ExitPlanMode: plans(),
  ListAgents: plans(),
  ReportFindings: plans(),
  StructuredOutput: plans(),
  ProposeGoal: plans(),
  SetGoal: plans(),
  GetGoal: plans(),
  PauseGoal: plans(),
  // Words for the person.
  SendUserMessage: plans(),
  PushNotification: plans(),
}

/** Grove's own tools keep Grove's own rules. The plugin's server is called differently. */
const GROVES = /^mcp__(?:plugin_grove_)?grove__/

/** Whether it is a tool of Grove's own server: any, or that one. */
export function isGroveTool(name: string, tool?: string): boolean {
  return GROVES.test(name) && (tool === undefined || name.endsWith(`__${tool}`))
}

/** The tool's row; an unknown tool may do anything. */
export function toolNamed(name: string): Tool {
  if (Object.hasOwn(TOOLS, name)) return TOOLS[name]!
  const kind = name.startsWith('mcp__') ? 'mcp' : 'other'
  return { kind, changes: isGroveTool(name) ? 'nothing' : 'anything' }
}

/** One of the client's own that is described here, or one of an MCP server. */
export function isKnownTool(name: string): boolean {
  return Object.hasOwn(TOOLS, name) || name.startsWith('mcp__')
}

/** It changes no file of the project by itself. */
export function isHarmless(name: string): boolean {
  const { changes } = toolNamed(name)
  return changes === 'nothing' || changes === 'indirectly'
}

/** The command line that a call gives to a POSIX shell; other shells cannot be parsed. */
export function commandLineOf(name: string, input: ToolInput): string | undefined {
  const { changes, command } = toolNamed(name)
  const line = changes === 'by command' && command !== undefined ? input[command] : undefined
  return typeof line === 'string' ? line : undefined
}

/** The line that a call runs, in whatever shell. */
export function anyCommandLineOf(name: string, input: ToolInput): string | undefined {
  const { command } = toolNamed(name)
  const line = command === undefined ? undefined : input[command]
  return typeof line === 'string' ? line : undefined
}

/** What a call says of itself, by its tool or else by the usual names of inputs. */
export function toldBy(name: string, input: ToolInput): Told {
  return (toolNamed(name).tell ?? tellByNames)(input)
}

function nothing(): Told {
  return {}
}

function editsOf(edits: ToolInput[]): string {
  return edits.map(({ old_string, new_string }) => diff(text(old_string), text(new_string))).join('\n')
}
