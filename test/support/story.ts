import type { Scenario } from '../../src/simulator/schema.ts'
import { parseScenario } from '../../src/simulator/script.ts'
import { type Simulator, startSimulator } from '../../src/simulator/upstream.ts'

/** A scenario told in a test: one reply after the other, `{{cwd}}` being the project. */
export function story(...replies: object[]): Scenario {
  return parseScenario(JSON.stringify({ replies: replies.map((reply) => ({ reply })) }), 'story')
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
