import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment, readConfig, settingJson } from '#config/load.ts'
import { SCENE_FILE } from '#config/paths.ts'
import { describeProblem } from '#config/problem.ts'
import { run } from '#exec/spawn.ts'
import { DemoScene, type DoctorFinding } from '#protocol/api/settings.ts'
import { parseJson } from '#protocol/json.ts'
import type { InstallationFacts } from '#server/routes/settings.ts'

const DOCTOR_MS = 60_000

/** What the page shows about this installation. The doctor is the command itself: it checks what a terminal would see. */
export function installationFacts(config: Config): InstallationFacts {
  const { home } = config
  return {
    settings() {
      const { values, problems } = readConfig({ env: { ...environment(), GROVE_HOME: home }, cwd: home })
      return { settings: values.map(settingJson), problems: problems.map(describeProblem) }
    },
    async doctor() {
      const { stdout, stderr } = await run(process.execPath, [process.argv[1]!, 'doctor', '--json'], {
        cwd: home,
        env: { ...environment(), GROVE_HOME: home } as Record<string, string>,
        timeoutMs: DOCTOR_MS,
      })
      return findingsIn(stdout) ?? [{ check: 'doctor', status: 'fail', detail: stderr || 'It did not answer.' }]
    },
    async fix() {
      const { attachToClaude } = await import('../attach/attach.ts')
      const dist = dirname(realpathSync(process.argv[1]!))
      await attachToClaude({ config, env: environment(), transport: 'auto', proxy: false, dist, dryRun: false })
      return 'The hooks of Grove are in the settings of Claude Code; grove unregister takes them out again.'
    },
    scene: () => sceneIn(home),
  }
}

/** A demo writes into its home what it plays. */
function sceneIn(home: string): DemoScene | null {
  try {
    return DemoScene.safeParse(parseJson(readFileSync(join(home, SCENE_FILE), 'utf8'))).data ?? null
  } catch {
    return null // No demo is played here.
  }
}

function findingsIn(printed: string): DoctorFinding[] | undefined {
  try {
    return JSON.parse(printed).findings
  } catch {
    return undefined // It failed before it could print; what it said instead is shown.
  }
}
