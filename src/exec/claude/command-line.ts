import type { AgentRun, HostTool } from '#core/ports/agent-driver.ts'
import { FOREGROUND } from './environment.ts'

/** The name of the MCP server that we are inside the run: its tools are `mcp__grove__<name>`. */
const SERVER = 'grove'

/** The arguments of one run. Texts of any length go over standard input instead: one argument holds 128 KB. */
export function commandLine(run: AgentRun, hostTools: readonly HostTool[], settingsFile: string): string[] {
  return [
    '-p',
    '--input-format=stream-json',
    '--output-format=stream-json',
    '--verbose',
    '--include-partial-messages',
    '--replay-user-messages',
    '--permission-prompt-tool=stdio',
    `--permission-mode=${run.mode}`,
    `--settings=${settingsFile}`,
    `--tools=${run.tools.join(',')}`,
    ...(hostTools.length > 0 ? [`--mcp-config=${JSON.stringify(HOST_SERVER)}`] : []),
    `${run.claude.resume ? '--resume' : '--session-id'}=${run.claude.id}`,
    // Without a name the client drops a large window when it resumes.
    `--model=${run.model ?? 'default'}`,
    ...run.readable.map((folder) => `--add-dir=${folder}`),
    ...(run.answerSchema ? [`--json-schema=${JSON.stringify(run.answerSchema)}`] : []),
  ]
}

/** `alwaysLoad`: newer clients hide tools of a server until the model searches for them. */
const HOST_SERVER = { mcpServers: { [SERVER]: { type: 'sdk', name: SERVER, alwaysLoad: true } } }

/**
 * Ask rules bring every call to the host, overriding the user's own rules, and the client refuses such calls when the
 * host is gone. Without `useAutoModeDuringPlan` plan mode would pass commands that a model of the client's finds
 * harmless. The other keys override the user's settings, which rank above the environment and may switch hooks off. They
 * go through a file: the base URL holds the proxy's key, and every user of the machine can read arguments.
 */
export function settingsText(run: AgentRun, baseUrl: string | undefined): string {
  // The subagent tool has one name in lists and another one in rules.
  const ask = run.tools.flatMap((tool) => (tool === 'Task' || tool === 'Agent' ? ['Task', 'Agent'] : [tool]))
  return JSON.stringify({
    permissions: { ask: [...new Set([...ask, ...WRITERS])] },
    useAutoModeDuringPlan: false,
    disableAllHooks: false,
    env: { ...FOREGROUND, ...(baseUrl && { ANTHROPIC_BASE_URL: baseUrl }) },
  })
}

/** Listed even when the run does not have these tools: a client that offers more than it was told is still stopped. */
const WRITERS = ['Bash', 'Write', 'Edit', 'NotebookEdit']
