import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Scene } from './daemon.ts'
import { AGENT } from './scene.ts'

const COMMAND = 'npm install --save-exact vat-rates@4.2.0'

/** Claude Code asks in a terminal, as its hook tells, and a person opens that in the inbox. */
export async function askAtPrompt(page: Page, scene: Scene): Promise<void> {
  const transcript = join(scene.home, 'prompt.jsonl')
  writeFileSync(transcript, `${JSON.stringify({ type: 'user', entrypoint: 'cli' })}\n`)
  const call = {
    session_id: AGENT,
    cwd: scene.dir,
    transcript_path: transcript,
    tool_name: 'Bash',
    tool_input: { command: COMMAND, description: 'Install the rates of every country' },
  }
  // What was asked before has run by now.
  await scene.hook('post-tool-use', { ...call, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_prompt' })
  scene.hook('permission-request', { ...call, hook_event_name: 'PermissionRequest' }).catch(() => {})
  await page.getByRole('button', { name: `Bash: ${COMMAND}` }).click()
}
