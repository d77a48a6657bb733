import type { AgentEvent } from '#core/ports/agent-driver.ts'
import { redact } from '#core/redact/redact.ts'
import type { RunFacts } from './facts.ts'

type Told = Extract<AgentEvent, { type: 'text-part' | 'text' | 'tool' | 'tool-result' }>

const SHORT = 2000
const LONGEST_RESULT = 4000

/** Writes what Claude says and does as lines of output; unfinished text is only published, to be shown while it comes. */
export function writeOutput({ world, feature, spawnId }: RunFacts, event: Told): void {
  const subagent = event.subagent ? { subagent: event.subagent } : {}
  switch (event.type) {
    case 'text-part': {
      const { id: sessionId, projectId, featureId } = feature.session
      if (!event.subagent)
        world.publish({ type: 'output.part', sessionId, projectId, featureId, text: redact(event.text) })
      return
    }
    case 'text':
      return feature.say({ spawnId, kind: 'text', text: redact(event.text), ...subagent })
    case 'tool':
      return feature.say({ spawnId, kind: 'tool', tool: event.tool, text: redact(inShort(event.input)), ...subagent })
    case 'tool-result': {
      const { outcome, text } = event
      return feature.say({ spawnId, kind: 'result', outcome, text: redact(text.slice(0, LONGEST_RESULT)), ...subagent })
    }
  }
}

function inShort(input: Record<string, unknown>): string {
  const text =
    typeof input.command === 'string'
      ? input.command
      : typeof input.file_path === 'string'
        ? input.file_path
        : JSON.stringify(input)
  return text.slice(0, SHORT)
}
