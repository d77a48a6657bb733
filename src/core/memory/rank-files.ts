import type { Candidate, FileHistory } from './index-port.ts'
import { baseName, tail } from './index-terms.ts'
import { type TextQuery, termsOfPath } from './rank-text.ts'

export interface FileGuess { path: string; features: number[]; p: number }

export function kind(path: string): number {
  const p = path.toLowerCase()
  if (/(^|\/)(tests?|testing|testdata|spec|__tests__|fixtures)(\/|$)|(_test|\.test|\.spec|-test|_spec)[.-]|(^|\/)test_/.test(p)) return 1
  if (/\.(md|mdx|rst|txt|adoc|html)$|(^|\/)(docs?|changelog|changes|news)(\/|\.|$)|^(changes|authors|license)$/.test(p)) return 2
  if (/\.(json|ya?ml|toml|lock|cfg|ini|sum|mod|xml|gradle)$|(^|\/)\.|(^|\/)(makefile|dockerfile)/.test(p)) return 3
  return 0
}

export const FILE_FEATURES = ['prf', 'prfMax', 'prfDensity', 'pathCover', 'nameCover', 'nameMatch', 'mention', 'touches', 'age', 'test', 'docs', 'config'] as const

export interface FileInput { query: TextQuery; mentioned: Set<string>; text: string; now: number; scored: { entry: Candidate; score: number }[] }

export function fileFeatures(input: FileInput, histories: FileHistory[]): { path: string; features: number[] }[] {
  const { query } = input
  const mass = new Map<string, number>(), best = new Map<string, number>()
  const top = input.scored[0]?.score || 1
  for (const { entry, score } of input.scored) {
    const s = (score / top) ** 2
    for (const f of new Set(entry.files)) {
      mass.set(f, (mass.get(f) ?? 0) + s / Math.sqrt(entry.files.length))
      best.set(f, Math.max(best.get(f) ?? 0, s / Math.sqrt(entry.files.length)))
    }
  }
  let maxMass = 1e-9
  for (const m of mass.values()) maxMass = Math.max(maxMass, m)
  return histories.map((h) => {
    const own = termsOfPath(h.path)
    let cover = 0
    for (const t of own) { const q = query.terms.get(t); if (q) cover += q.idf * q.weight }
    const name = baseName(h.path)
    const nameTerms = termsOfPath(name.replace(/\.\w+$/, ''))
    let nameHit = 0, nameMass = 0, got = 0
    for (const t of nameTerms) { const q = query.terms.get(t); if (q) { nameHit += q.idf; got += q.idf * q.weight } nameMass += q ? q.idf : 5 }
    const m = mass.get(h.path) ?? 0
    const k = kind(h.path)
    return { path: h.path, features: [
      m / maxMass, best.get(h.path) ?? 0, m / Math.sqrt(h.touches) , cover / query.mass, got / query.mass, nameMass ? nameHit / nameMass : 0,
      input.mentioned.has(name.toLowerCase()) ? 1 : 0,
      Math.log(h.touches), Math.log(1 + (input.now - h.lastAt) / 864e5), k === 1 ? 1 : 0, k === 2 ? 1 : 0, k === 3 ? 1 : 0,
    ] }
  })
}
export { tail }
