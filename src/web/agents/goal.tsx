import type { AgentDetail } from '#protocol/api/agents.ts'
import { Capped } from '../ui/small.tsx'

/** What the agent is to do and may not do, each with the user's own sentence. */
export function Goal({ detail: { tasks } }: { detail: AgentDetail }) {
  const task = tasks.findLast(({ status }) => status === 'active') ?? tasks.at(-1)
  if (!task) return <p className="empty">Nothing has been asked of this agent yet.</p>
  return (
    <section>
      <div className="row">
        <h2>Goal and limits</h2>
        <span className={task.mode === 'forced' ? 'tag wrong' : 'tag'}>mode: {task.mode}</span>
        {task.kind !== 'main' && <span className="tag">{task.kind}</span>}
      </div>
      <table className="limits">
        <thead>
          <tr>
            <th scope="col">What Grove understood</th>
            <th scope="col">The sentence it came from</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td className="text">
              <b>Goal</b> {task.goal}
            </td>
            <td>
              <p className="quote">
                <Capped text={task.instruction} most={400} />
              </p>
            </td>
          </tr>
          {task.constraints.map((limit, index) => (
            <tr key={limit}>
              <td className="text">
                <b>Limit {index + 1}</b> {limit}
              </td>
              <td>
                <p className="quote">{sentenceWith(task.instruction, limit)}</p>
              </td>
            </tr>
          ))}
          {task.expectedScope.length > 0 && (
            <tr>
              <td>
                <b>Scope</b>{' '}
                {task.expectedScope.slice(0, 8).map((path) => (
                  <code key={path}>{path} </code>
                ))}
              </td>
              <td className="faint">derived from the goal and the files read</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

/** The user's own sentence that holds a limit; the limit itself where none does. */
function sentenceWith(instruction: string, limit: string): string {
  const words = limit
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 3)
  const sentences = instruction.split(/(?<=[.!?\n])\s+/)
  const shared = (sentence: string) => words.filter((word) => sentence.toLowerCase().includes(word)).length
  const best = sentences.toSorted((a, b) => shared(b) - shared(a))[0]
  return best && shared(best) > 0 ? best.trim() : limit
}
