/** A Grove of its own, to be killed: drives one run, allows every call, and prints each event as a line of JSON. */
import { randomUUID } from 'node:crypto'
import type { AgentRun } from '../../src/core/ports/agent-driver.ts'
import { ClaudeDriver, type ClaudeDriverOptions } from '../../src/exec/claude/driver.ts'

const { options, run, text } = JSON.parse(process.argv[2]!) as {
  options: ClaudeDriverOptions
  run: AgentRun
  text: string
}

// Ends at once when it is told to, as a Grove does that is told twice.
process.on('SIGTERM', () => process.exit(143))
const agent = await new ClaudeDriver(options).start(run, {
  decide: async () => ({ type: 'allow' }),
  tools: [],
  callTool: async () => ({ text: '' }),
  on: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
})
await agent.say({ id: randomUUID(), text })
