import * as z from 'zod'
import type { Store } from '#core/ports/store.ts'
import { type McpTool, mcpTool } from './tools.ts'

const NEWEST = 5

/** What Grove believes the agent is doing, for the agent itself. */
export function statusTools(store: Pick<Store, 'tasks' | 'steps' | 'driftEvents'>): McpTool[] {
  return [
    mcpTool({
      name: 'grove_status',
      title: 'Grove status',
      description:
        'Shows the goal Grove follows in this session, its scope and constraints, the mode (normal, drifted, forced) and how the latest actions scored from 1 (off goal) to 10. Call it when you are unsure what the goal is, or after a correction.',
      input: z.object({}),
      readOnly: true,
      async handle(_input, { sessionId }) {
        if (sessionId === undefined)
          return 'Grove does not know this session yet: its hooks report it. `grove init` adds them.'
        const [task, steps, drifted] = await Promise.all([
          store.tasks.current(sessionId),
          store.steps.recent(sessionId, NEWEST),
          store.driftEvents.ofSession(sessionId, NEWEST),
        ])
        if (!task) return 'No task is being followed in this session. One begins with the next instruction.'
        const { goal, mode, kind, expectedScope, constraints } = task
        return JSON.stringify(
          {
            goal,
            mode,
            kind,
            expected_scope: expectedScope,
            constraints,
            latest_actions: steps.map(({ tool, files, driftScore }) => ({ tool, files, score: driftScore ?? null })),
            rejected_actions: drifted.map(({ tool, files, score, reason }) => ({ tool, files, score, reason })),
          },
          null,
          2,
        )
      },
    }),
  ]
}
