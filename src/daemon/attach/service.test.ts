import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { tempHome } from '../../../test/support/home.ts'
import { readPlist, readUnit } from '../../../test/support/service-files.ts'
import { launchdAgent, systemdUnit } from './service.ts'

// What either manager could trip over.
const AWKWARD = `my 100% $HOME "grove" & <co>`

describe('the service files', () => {
  it('of systemd names every directive that keeps Grove up, and systemd has nothing to say against it', async ({
    onTestFinished,
  }) => {
    const folder = await tempHome(onTestFinished)
    const home = join(folder, AWKWARD)
    mkdirSync(home)
    const program = join(home, 'grove.js')
    const text = systemdUnit({ config: loadConfig({ env: { GROVE_HOME: home }, cwd: folder }), env: {}, program })
    expect(readUnit(text)).toEqual({
      Unit: {
        Description: ['Grove, which supervises Claude Code'],
        StartLimitIntervalSec: ['300'],
        StartLimitBurst: ['10'],
      },
      Service: {
        ExecStart: [process.execPath, program, 'up'],
        Environment: [`GROVE_HOME=${home}`, 'GROVE_STARTED_BY=service', 'MALLOC_TRIM_THRESHOLD_=131072'],
        WorkingDirectory: [home],
        Restart: ['on-failure'],
        RestartSec: ['2'],
        TimeoutStopSec: [expect.stringMatching(/^\d+$/)],
      },
      Install: { WantedBy: ['default.target'] },
    })
    const unit = join(folder, 'grove.service')
    writeFileSync(unit, text)
    const verify = spawnSync('systemd-analyze', ['--user', '--man=no', 'verify', unit], {
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
      encoding: 'utf8',
    })
    // Where there is no systemd, the directives above must do.
    if (!verify.error) expect({ code: verify.status, said: verify.stderr }).toEqual({ code: 0, said: '' })
  })

  it('of launchd is a property list with every key that keeps Grove up', async ({ onTestFinished }) => {
    const home = join(await tempHome(onTestFinished), AWKWARD)
    const config = loadConfig({ env: { GROVE_HOME: home }, cwd: '/' })
    expect(readPlist(launchdAgent({ config, env: {}, program: '/opt/grove & co/grove.js' }))).toEqual({
      Label: 'dev.grove.daemon',
      ProgramArguments: [process.execPath, '/opt/grove & co/grove.js', 'up'],
      EnvironmentVariables: { GROVE_HOME: home, GROVE_STARTED_BY: 'service' },
      WorkingDirectory: home,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
    })
  })
})
