import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { environment, readConfig } from '#config/load.ts'
import { tilde } from '#config/paths.ts'
import { detachFromClaude } from '../attach/detach.ts'
import { NOTICED_MS, pointClients } from '../attach/point-clients.ts'

// Bundled as detach.cjs and copied into Grove's home by `grove init`, so that it is there when the package is not. The
// hook client starts it when Grove was removed without `grove unregister`; a person may, too.

const how = process.argv[2]
const env = environment()
const { config } = readConfig({ env, cwd: process.cwd() })

/** A client follows a base URL that changes, but not one that goes away; so it is changed first, and removed later. */
const REMOVED_AFTER = 5000

async function main() {
  if (how === 'later') await sleep(REMOVED_AFTER)
  const pointed = how === 'hook' ? await pointClients(config, env, 'past') : []
  if (pointed.length > 0) {
    await sleep(NOTICED_MS)
    spawn(process.execPath, [__filename, 'later'], { env, detached: true, stdio: 'ignore' }).unref()
    return report(pointed)
  }
  const changed = await detachFromClaude({ config, env, keepsClient: true })
  if (how !== 'later') report(changed)
}

function report(changed: string[]) {
  const files = changed.map(tilde).join(', ') || 'nothing'
  const text = `Grove was removed without \`grove unregister\`, so it has been taken out of your settings now (changed: ${files}). \`grove init\` attaches it again.`
  process.stdout.write(`${how === 'hook' ? JSON.stringify({ systemMessage: text }) : text}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`grove: ${String(error)}\n`)
  process.exitCode = 1
})
