import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { environment, readConfig } from '#config/load.ts'
import { tilde, workingFolder } from '#config/paths.ts'
import { readIfThere } from '../attach/claude-files.ts'
import { detachFromClaude } from '../attach/detach.ts'
import { scriptFile } from '../attach/hook-client-files.ts'
import { NOTICED_MS, pointClients } from '../attach/point-clients.ts'
import { refuseAgents } from '../process/refuse-agents.ts'

// Bundled as detach.cjs and copied into Grove's home by `grove init`, so that it is there when the package is not. The
// hook client starts it when Grove was removed without `grove unregister`; a person may, too.

const how = process.argv[2]
const env = environment()
const { config } = readConfig({ env, cwd: workingFolder(env) })

/** A client follows a base URL that changes, but not one that goes away; so it is changed first, and removed later. */
const REMOVED_AFTER = 5000

async function main() {
  // A hook starts this when Grove is gone, and a hook is an agent's; while Grove is there, it is for people.
  if (isInstalled()) await refuseAgents(config, env, 'detach Grove')
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

/** Whether the client that the hook script calls is still there. */
function isInstalled(): boolean {
  const client = /^client='(.+)'$/m.exec(readIfThere(scriptFile(config.home)) ?? '')?.[1]
  return client !== undefined && existsSync(client.replaceAll(`'\\''`, "'"))
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
