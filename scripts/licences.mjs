// The licences of what is bundled: most ask that their words go where the code goes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//
const LICENCE = /^(licen[cs]e|copying|notice)(\.|-|$)/i

/** Writes the licences of every package that these files belong to; returns where. */
export function writeLicences(root, out, inputs) {
  const folders = new Set(inputs.flatMap((file) => PACKAGE.exec(file.replaceAll('\\', '/'))?.[0] ?? []))
  const parts = [...folders].sort().map((folder) => describe(join(root, folder)))
  const file = join(out, 'THIRD-PARTY.txt')
  writeFileSync(file, `Grove contains code of these packages, each under its own licence.\n\n${parts.join('\n')}`)
  return file
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file) && existsSync(join(folder, file)))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${'='.repeat(80)}`, `${name} ${version} (${license})`, '', ...texts, ''].join('\n')
}
