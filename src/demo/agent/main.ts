#!/usr/bin/env node
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { environment } from '#config/load.ts'
import { Conversation } from './conversation.ts'
import { runDriven } from './driven.ts'
import { runInTerminal } from './in-terminal.ts'
import { CLIENT_VERSION, modelAt } from './model.ts'

// The agent of `grove demo`. It takes Claude Code's place, and does by itself only what a client does: ask the model that it is
// pointed at, run the tools that are called for, and tell its hooks. With a prompt it works as in a terminal, else it is driven.

const { values } = parseArgs({
  strict: false,
  options: {
    version: { type: 'boolean' },
    /** How long it rests between two actions, in milliseconds. */
    pause: { type: 'string', default: '0' },
    prompt: { type: 'string' },
    'grove-home': { type: 'string' },
    'grove-program': { type: 'string' },
    'session-id': { type: 'string' },
    resume: { type: 'string' },
    'json-schema': { type: 'string' },
  },
})

const env = environment() as Record<string, string>
const sessionId = String(values.resume ?? values['session-id'])
const cwd = process.cwd()
const pause = () => sleep(Number(values.pause))
const prompt = typeof values.prompt === 'string' ? values.prompt : undefined

if (values.version) console.log(`${CLIENT_VERSION} (the stand-in of grove demo)`)
else {
  const file = join(env.HOME ?? cwd, '.claude', 'projects', 'demo', `${sessionId}.jsonl`)
  const conversation = new Conversation(file, { sessionId, cwd, entrypoint: prompt === undefined ? 'sdk-cli' : 'cli' })
  const ask = modelAt({ baseUrl: env.ANTHROPIC_BASE_URL ?? '', sessionId, cwd })
  const shared = { sessionId, cwd, env, conversation, ask, pause }
  if (prompt === undefined) await runDriven({ ...shared, isStructured: values['json-schema'] !== undefined })
  else {
    const grove = [process.execPath, String(values['grove-program'])]
    const show = (line: string) => console.log(line)
    await runInTerminal({ ...shared, prompt, grove, groveHome: String(values['grove-home']), show })
  }
}
