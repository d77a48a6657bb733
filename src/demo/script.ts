import type { Scenario } from '#simulator/schema.ts'
import { FEATURE } from './story/feature.ts'
import { SESSIONS } from './story/sessions.ts'
import { scenarioOf } from './story/told.ts'

/** Everything that the model says in the demo. */
export function demoScenario(): Scenario {
  return scenarioOf([...SESSIONS, ...FEATURE])
}
