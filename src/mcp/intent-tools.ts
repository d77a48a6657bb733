import * as z from 'zod'
import type { GuardedProject } from '#core/ports/guard.ts'
import { refusalText } from '#protocol/refusal.ts'
import { requestScope } from '#supervisor/guard/approvals/scope-request.ts'
import type { Agent } from '#supervisor/guard/intents/active-intent.ts'
import { searchIntents } from '#supervisor/guard/intents/search-intents.ts'
import { select } from '#supervisor/guard/intents/select-intent.ts'
import { MOST_LESSON, recordLesson } from '#supervisor/guard/lessons.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import { type McpAnswer, type McpCaller, type McpTool, mcpTool } from './tools.ts'

/** The guard's tools for agents: select an intent, request more scope, record a lesson. */
export function intentTools(world: GuardWorld): McpTool[] {
  return [
    mcpTool({
      name: 'select_active_intent',
      title: 'Select an intent',
      description:
        'Declares which intent your next changes belong to. Call it before you change any file in a project with intents. Answers with an <intent_context>: scope, constraints, acceptance criteria, recent changes. Only paths in its scope can then be written. Say what your changes will be with mutation_class: AST_REFACTOR when behaviour stays the same, INTENT_EVOLUTION otherwise.',
      input: z.object({
        intent_id: z.string().trim().min(1).describe('The id as in .orchestration/active_intents.yaml'),
        mutation_class: z.enum(['AST_REFACTOR', 'INTENT_EVOLUTION']).optional(),
      }),
      // Marked read-only: it changes only what Grove knows, nothing of the user's.
      readOnly: true,
      handle: ({ intent_id, mutation_class }, caller) =>
        inProject(world, caller, async (project) =>
          answered(await select(world, project, agentOf(caller), intent_id, mutation_class)),
        ),
    }),
    mcpTool({
      name: 'list_intents',
      title: 'List intents',
      description:
        'Lists the open intents of this project, with id, name and scope; a query narrows them to those whose words or paths fit.',
      input: z.object({ query: z.string().optional() }),
      readOnly: true,
      handle: ({ query }, caller) =>
        inProject(world, caller, async (project) => {
          const { found, more } = await searchIntents(world, project, query ?? '')
          const lines = found.map(({ id, name, ownedScope }) => ({ id, name, owned_scope: ownedScope.slice(0, 10) }))
          return JSON.stringify({ intents: lines, ...(more > 0 && { more }) }, null, 1)
        }),
    }),
    mcpTool({
      name: 'request_scope',
      title: 'Request more scope',
      description:
        'Asks a person to add paths to the scope of the selected intent, and waits for the answer. Call it when a needed write was refused with scope_violation. Name the narrowest paths or globs, and why they are needed.',
      input: z.object({ paths: z.array(z.string().min(1)).min(1), reason: z.string().trim().min(1) }),
      readOnly: false,
      handle: ({ paths, reason }, caller) =>
        inProject(world, caller, async (project) => {
          const agent = agentOf(caller)
          if (!agent) return UNKNOWN_SESSION
          const asking = { ...agent, ...(caller.toolUseId && { toolUseId: caller.toolUseId }) }
          return answered(await requestScope(world, project, asking, paths, reason))
        }),
    }),
    mcpTool({
      name: 'record_lesson',
      title: 'Record a lesson',
      description:
        'Keeps one lesson for every later session, under "Lessons Learned" in CLAUDE.md. Call it when a test, build or lint failure taught you something about this project that you would otherwise have to find out again. One or two sentences, no secrets.',
      input: z.object({ lesson: z.string().trim().min(1).max(MOST_LESSON) }),
      readOnly: false,
      handle: ({ lesson }, caller) =>
        inProject(world, caller, (project) => recordLesson(world, project, agentOf(caller), lesson)),
    }),
  ]
}

const UNKNOWN_SESSION = { error: 'Grove does not know this session: its hooks are missing. `grove init` adds them.' }
const UNGOVERNED = {
  error:
    'This project has no intents: there is no folder .orchestration. `grove intent add` makes one; until then everything is allowed.',
}

async function inProject(
  { projects }: GuardWorld,
  { cwd }: McpCaller,
  work: (project: GuardedProject) => Promise<McpAnswer>,
): Promise<McpAnswer> {
  const project = projects.at(cwd)
  return project ? work(project) : UNGOVERNED
}

function agentOf({ sessionId, agentId }: McpCaller): Agent | undefined {
  return sessionId === undefined ? undefined : { sessionId, ...(agentId && { agentId }) }
}

function answered(said: Awaited<ReturnType<typeof select>>): McpAnswer {
  return typeof said === 'string' ? said : { error: refusalText(said) }
}
