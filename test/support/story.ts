import type { Scenario } from '../../src/simulator/schema.ts'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { type Simulator, startSimulator } from '../../src/simulator/upstream.ts'

/** A scenario told in a test: one reply after the other, `{{cwd}}` being the project. */
export function story(...replies: (object | string)[]): Scenario {
  return parseScenario(JSON.stringify({ replies: replies.map((reply) => ({ reply })) }), 'story')
}

/** What an agent does, as a reply of a story. */
export const agent = {
  read: (file: string) => uses('Read', { file_path: `{{cwd}}/${file}` }),
  edit: (file: string, from: string, to: string) =>
    uses('Edit', { file_path: `{{cwd}}/${file}`, old_string: from, new_string: to }),
  write: (file: string, content: string) => uses('Write', { file_path: `{{cwd}}/${file}`, content }),
  bash: (command: string) => uses('Bash', { command, description: 'Run it' }),
}

function uses(name: string, input: object) {
  return { tool_use: [{ name, input }] }
}

/** A simulated API that plays it, gone when the test is finished. */
export async function simulatorOf(
  whenFinished: (work: () => Promise<void>) => void,
  scenario: Scenario,
  cwd: string,
): Promise<Simulator> {
  const simulator = await startSimulator({ scenario, vars: { cwd } })
  whenFinished(simulator.close)
  return simulator
}
