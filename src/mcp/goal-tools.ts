import * as z from 'zod'
import { type McpTool, mcpTool } from './tools.ts'

const MOST = 30

/**
 * The agent's own words for what it is about to do. The supervisor takes them from the call itself, which it sees through
 * hooks or proxy, so there is nothing to keep here.
 */
export function goalTools(): McpTool[] {
  return [
    mcpTool({
      name: 'declare_goal',
      title: 'Declare the goal',
      description:
        'States, when a task begins, what you understand the goal to be, which files or folders you expect to change, and which limits the user set. Later changes are compared with it; call it again when your plan changes.',
      input: z.object({
        goal: z.string().trim().min(1).max(300),
        files: z.array(z.string().trim().min(1)).max(MOST).default([]).describe('Paths, folders or globs'),
        limits: z.array(z.string().trim().min(1)).max(MOST).default([]).describe('What must not be changed'),
      }),
      // Marked read-only: it changes only what Grove knows, nothing of the user's.
      readOnly: true,
      async handle({ files }) {
        const told = files.length > 0 ? ` Changes elsewhere will be pointed out to you.` : ''
        return `Noted.${told} Declare again when the plan changes.`
      },
    }),
  ]
}
