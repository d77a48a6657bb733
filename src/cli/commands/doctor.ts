import type { Command } from 'commander'
import { IMPORTANT_SETTINGS } from '#config/important-settings.ts'
import { settingJson, type Value } from '#config/load.ts'
import { describeSource } from '#config/problem.ts'
import { version } from '#config/version.ts'
import type { DoctorFinding } from '#protocol/api/settings.ts'
import type { Cli } from '../context.ts'
import { checkAttachment } from '../doctor/attachment.ts'
import { type Check, failure, type Scene } from '../doctor/check.ts'
import { checkClientForm } from '../doctor/client.ts'
import { checkConfig, checkExposure, checkListeners, checkStore, checkTarget } from '../doctor/grove.ts'
import { checkGuard } from '../doctor/guard.ts'
import { checkHooks } from '../doctor/hooks.ts'
import { checkClaude, checkGit, checkHome, checkNode } from '../doctor/machine.ts'
import { checkMemoryServer } from '../doctor/memory-server.ts'
import { checkPauses } from '../doctor/pauses.ts'
import { checkTeam } from '../doctor/team.ts'
import { clean, counted, pairs, print, printJson, table } from '../print.ts'

const CHECKS: Check[] = [
  checkNode,
  checkGit,
  checkClaude,
  checkHome,
  checkConfig,
  checkStore,
  checkTeam,
  checkMemoryServer,
  checkListeners,
  checkExposure,
  checkTarget,
  checkAttachment,
  checkHooks,
  checkGuard,
  checkClientForm,
  checkPauses,
]

interface Options {
  json?: boolean
  settings?: boolean
  verbose?: boolean
  online?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .option('--json', 'print JSON')
    .option('--settings', 'also list every setting and where its value comes from')
    .option('--verbose', 'the same, with a description of each setting')
    .option('--online', 'also check whether the API is reachable')
    .action(async (options: Options) => {
      const scene = { cli, settings: cli.settings(), online: options.online ?? false }
      // A check may open the store or a port, so they come one after the other.
      const findings: DoctorFinding[] = []
      for (const check of CHECKS) findings.push(...(await findingsOf(check, scene)))
      const { values } = scene.settings
      if (options.json) printJson({ version, findings, settings: values.map(settingJson) })
      else {
        const parts = [findingsText(findings.toSorted(worstFirst), cli), summary(findings)]
        if (options.settings || options.verbose) parts.push(settingsText(values, cli, options.verbose ?? false))
        print(parts.join('\n\n'))
      }
      if (findings.some(({ status }) => status === 'fail')) process.exitCode = 1
    })
}

const ORDER: DoctorFinding['status'][] = ['fail', 'warn', 'ok']

function worstFirst(a: DoctorFinding, b: DoctorFinding): number {
  return ORDER.indexOf(a.status) - ORDER.indexOf(b.status)
}

/** A check that fails itself is a finding too, and does not hide the others. */
async function findingsOf(check: Check, scene: Scene): Promise<DoctorFinding[]> {
  try {
    return await check(scene)
  } catch (error) {
    const name = check.name.replace(/^check|(?<!\d)\d+$/g, '').toLowerCase() || 'doctor'
    return [failure(name, error, 'Fix the access rights of the file above, then run `grove doctor` again.')]
  }
}

function settingsText(values: Value[], { paint }: Cli, verbose: boolean): string {
  const columns = [
    { head: 'SETTING', cell: ({ key }: Value) => key },
    { head: 'VALUE', cell: ({ shown }: Value) => shown, stretch: true },
    { head: 'SOURCE', cell: ({ source }: Value) => describeSource(source) },
  ]
  const inFull = ({ key, shown, source, env, about }: Value) =>
    [
      `${paint.bold(key)} = ${clean(shown)}  ${paint.dim(`(${describeSource(source)}${env[0] ? `; ${env[0]}` : ''})`)}`,
      `  ${about}`,
    ].join('\n')
  const first = IMPORTANT_SETTINGS.flatMap((key) => values.filter((value) => value.key === key))
  const others = values.filter((value) => !first.includes(value))
  const groups = [
    { title: 'Most important settings', rows: first },
    { title: 'All other settings', rows: others },
  ]
  return groups
    .map(
      ({ title, rows }) =>
        `${paint.bold(title)}\n${verbose ? rows.map(inFull).join('\n') : table(rows, columns, paint)}`,
    )
    .join('\n\n')
}

function findingsText(findings: DoctorFinding[], { paint }: Cli): string {
  const colour = { ok: paint.green, warn: paint.yellow, fail: paint.red }
  const width = Math.max(...findings.map(({ check }) => check.length))
  const entries = findings.flatMap(({ status, check, detail, fix }): [string, string][] => [
    [`${colour[status](status.padEnd(4))}  ${check.padEnd(width)}`, clean(detail)],
    ...(fix ? [['', `${paint.dim('→')} ${clean(fix)}`] as [string, string]] : []),
  ])
  return pairs(entries)
}

function summary(findings: DoctorFinding[]): string {
  const count = (wanted: DoctorFinding['status']) => findings.filter(({ status }) => status === wanted).length
  const [failures, warnings] = [count('fail'), count('warn')]
  if (failures > 0) return `${failures} of ${findings.length} checks failed; see the fixes above.`
  if (warnings > 0) return `No errors, ${counted(warnings, 'warning')} in ${findings.length} checks.`
  return `All ${findings.length} checks passed.`
}
