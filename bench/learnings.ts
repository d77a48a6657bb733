// npm run bench learnings -- [--json] [--wrong]: how much of what is worth keeping the write gate keeps, and how much of the rest.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isKept, readCandidates } from '../test/corpus/learnings/candidates.ts'

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, wrong: { type: 'boolean', default: false } },
})
const all = readCandidates(join('test', 'corpus', 'learnings'))
const sets = [...new Set(all.map(({ set }) => set))]
const rows = sets.flatMap((set) => {
  const own = all.filter((one) => one.set === set)
  return ['all', ...new Set(own.map(({ lang }) => lang))].map((lang) => {
    const some = own.filter((one) => lang === 'all' || one.lang === lang)
    const share = (good: boolean) => {
      const those = some.filter((one) => one.good === good)
      return those.filter(isKept).length / those.length
    }
    return { set, lang, candidates: some.length, good: share(true), worthless: share(false) }
  })
})
if (values.json) console.log(JSON.stringify(rows))
else {
  console.log('set        language  candidates  good kept  worthless kept')
  for (const { set, lang, candidates, good, worthless } of rows) {
    const figures = [good, worthless].map((share) => `${(100 * share).toFixed(0)} %`.padStart(9)).join('  ')
    console.log(`${set.padEnd(10)} ${lang.padEnd(9)} ${String(candidates).padStart(10)}  ${figures}`)
  }
}
if (values.wrong) {
  for (const one of all.filter((one) => isKept(one) !== one.good)) {
    console.log(`${one.good ? 'lost' : 'kept'}  ${one.set}  ${one.lang}  ${one.summary}: ${one.detail}`)
  }
}
