import { changed } from '#core/memory/memory.ts'
import { checkQuality } from '#core/memory/quality.ts'
import type { Judge } from '#core/ports/judge.ts'
import { type Consultation, consultation } from './consultation.ts'

/** Better words for a memory that was saved with what could be read without a model. */
export function reasoningOf(memoryId: string, work: Parameters<Judge['extractReasoning']>[0]): Consultation {
  return consultation({
    about: `what was learned (${memoryId})`,
    ask: (judge) => judge.extractReasoning(work),
    async apply(world, _mind, { reasoningTrace, decisions, constraints }) {
      const memory = await world.store.memories.get(memoryId)
      if (!memory) return
      const better = { reasoningTrace, decisions, constraints: [...new Set([...memory.constraints, ...constraints])] }
      const checked = checkQuality(changed(memory, better, world.clock.now()))
      if (checked.keep) await world.store.memories.put(checked.memory)
    },
  })
}
