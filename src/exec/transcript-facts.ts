import { readTail } from './file-hash.ts'

/** What the client's own record of a session says about it. */
export interface TranscriptFacts {
  model?: string
  /** A person sits at the client's terminal. */
  attended?: boolean
}

const TAIL = 128 * 1024

/** Reads the end of a session's transcript, or of a subagent's beside it. */
export async function transcriptFacts(path: string | undefined, agentId: string | undefined): Promise<TranscriptFacts> {
  if (!path) return {}
  const own = agentId && path.replace(/\.jsonl$/, `/subagents/agent-${agentId.replace(/[^\w-]/g, '')}.jsonl`)
  const text = (own ? await readTail(own, TAIL) : undefined) ?? (await readTail(path, TAIL)) ?? ''
  const model = last(text, /"role":"assistant","model":"([^"<]+)"|"model":"([^"<]+)"/g)
  const entrypoint = last(text, /"entrypoint":"([^"]+)"/g)
  return {
    ...(model && { model }),
    ...(entrypoint && { attended: entrypoint === 'cli' }),
  }
}

function last(text: string, pattern: RegExp): string | undefined {
  const match = [...text.matchAll(pattern)].at(-1)
  return match?.[1] ?? match?.[2]
}
