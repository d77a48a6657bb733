import type { ToolDecision, ToolRequest } from '#core/ports/agent-driver.ts'
import type { ToolReader } from '#core/ports/tools.ts'
import type { TaskType } from '#core/workflow/flow.ts'
import { WORKFLOW_TOOLS, type WorkflowTool } from '#protocol/workflow/tools.ts'

/** Which calls a run may make, by its task. Decided by what a call does, never by its name alone. */

/** Tools that exist in a run, as the client names them. */
export function toolsFor(task: TaskType): string[] {
  const reading = ['Read', 'Glob', 'Grep', 'Task']
  switch (task) {
    case 'implement':
    case 'fix':
      return [...reading, 'Write', 'Edit', 'Bash', 'AskUserQuestion']
    case 'discover':
    case 'revise':
      return [...reading, 'Write', 'AskUserQuestion', 'ExitPlanMode']
    case 'pr_review':
      return [...reading, 'Bash']
    default:
      return reading
  }
}

/** Our own tools that a run is offered. */
export function offersFor(task: TaskType): WorkflowTool[] {
  switch (task) {
    case 'discover':
      return ['ask_decision', 'propose_plan']
    case 'revise':
      return ['ask_decision', 'propose_plan', 'keep_plan']
    case 'review':
    case 'pr_review':
      return ['report_review']
    case 'implement':
      return ['ask_decision', 'report_status', 'complete_step']
    case 'fix':
      return ['ask_decision', 'report_status']
    case 'describe':
      return ['report_pr']
    default:
      return []
  }
}

const PREFIX = 'mcp__grove__'

/** The name of our own tool, if the call is for one. */
export function ownTool(tool: string): WorkflowTool | undefined {
  const name = tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : ''
  return name in WORKFLOW_TOOLS ? (name as WorkflowTool) : undefined
}

export interface RulePlace {
  task: TaskType
  cwd: string
  /** The folder with the state files: to be read, never written. */
  stateFolder: string
  /** The step was reported as done: nothing is written after that. */
  isOver: boolean
}

/** Git and `gh` are reserved to Grove while a feature is implemented. */
const GIT_WRITES = new Set([
  ...[
    'add',
    'commit',
    'push',
    'pull',
    'fetch',
    'checkout',
    'switch',
    'reset',
    'rebase',
    'merge',
    'stash',
    'tag',
    'clean',
  ],
  ...['branch', 'worktree', 'cherry-pick', 'revert', 'restore', 'am', 'apply', 'config', 'remote', 'update-ref', 'gc'],
])

/** Decides about a call that is neither a question nor one of our own tools. */
export async function ruleOn(tools: ToolReader, call: ToolRequest, place: RulePlace): Promise<ToolDecision> {
  const { task, cwd } = place
  if (call.tool === 'Task' || call.tool === 'Agent') return { type: 'allow' }
  const asked = { id: call.toolUseId, tool: call.tool, input: call.input, outcome: 'announced' as const }
  const reading = await tools.read(asked, { cwd, root: cwd })
  const writes = task === 'implement' || task === 'fix'
  if (reading.effect.kind === 'shell') {
    const calls = reading.effect.script.commands.map(({ name, args }) => ({
      name: name.split('/').at(-1),
      words: args.map(({ text }) => text),
    }))
    const isGit = calls.some(({ name, words }) => name === 'git' && words.some((word) => GIT_WRITES.has(word)))
    if (calls.some(({ name }) => name === 'gh') && !reading.readsOnly) {
      return deny('Grove itself talks to the hosting service; do not run gh.')
    }
    if (isGit && !reading.readsOnly) {
      return deny('Grove itself commits, branches and pushes. Leave the changes in the work tree.')
    }
  }
  if (reading.readsOnly) return { type: 'allow' }
  if (isPlanFile(call) && (task === 'discover' || task === 'revise')) return { type: 'allow' }
  if (!writes) return deny('Nothing is changed in this stage. Read, search and report.')
  if (place.isOver) return deny('The step is reported as done. End your turn; the next step comes as a message.')
  const paths = reading.effect.kind === 'files' ? reading.effect.paths : []
  if (paths.some((path) => path.startsWith(`${place.stateFolder}/`)))
    return deny('The state files of the session are read-only.')
  return { type: 'allow' }
}

/** The client's own plan file is the only file that planning may write. */
function isPlanFile({ tool, input }: ToolRequest): boolean {
  const path = typeof input.file_path === 'string' ? input.file_path : ''
  return (
    (tool === 'Write' || tool === 'Edit') &&
    /[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/.test(path) &&
    !path.includes('..')
  )
}

function deny(message: string): ToolDecision {
  return { type: 'deny', message }
}
