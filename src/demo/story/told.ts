import { type Scenario, ScenarioFile } from '#simulator/schema.ts'

/** What the model says, one reply after the other. */

type Reply = { text?: string; tool_use?: { name: string; input: object } }
export type Told = { when: object; reply: Reply; repeat?: number | 'forever' }

export function read(path: string, text?: string): Reply {
  return does('Read', { file_path: inFolder(path) }, text)
}

export function write(path: string, content: string, text?: string): Reply {
  return does('Write', { file_path: inFolder(path), content }, text)
}

export function edit(path: string, from: string, to: string, text?: string): Reply {
  return does('Edit', { file_path: inFolder(path), old_string: from, new_string: to }, text)
}

export function bash(command: string, text?: string): Reply {
  return does('Bash', { command, description: 'Run it' }, text)
}

/** Calls one of Grove's own tools. */
export function grove(tool: string, input: object, text?: string): Reply {
  return does(`mcp__grove__${tool}`, input, text)
}

export function says(text: string): Reply {
  return { text }
}

function does(name: string, input: object, text?: string): Reply {
  return { ...(text && { text }), tool_use: { name, input } }
}

/** The simulator knows the folder from the request. */
function inFolder(path: string): string {
  return `{{cwd}}/${path}`
}

/** Replies for the prompt with these words, in order. */
export function inOrder(prompt: string, replies: Reply[]): Told[] {
  return replies.map((reply) => ({ when: { last_user: prompt }, reply }))
}

export function scenarioOf(told: Told[]): Scenario {
  return { name: 'demo', ...ScenarioFile.parse({ default: 'Done.', replies: told }) }
}
