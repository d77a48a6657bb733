import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The values of a file of JSON lines; what is missing or broken is said in words, and ends the run. */
export function readJsonLines<T>(folder: string, name: string, layout: string): T[] {
  const giveUp = (why: string): never => {
    console.error(`${why}\n${layout}`)
    process.exit(1)
  }
  const file = join(folder, name)
  if (!existsSync(file)) return giveUp(`There is no ${name} in ${folder}.`)
  const found = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, at): T[] => {
      if (text.trim() === '') return []
      try {
        return [JSON.parse(text) as T]
      } catch {
        return giveUp(`Line ${at + 1} of ${file} is not JSON.`)
      }
    })
  return found.length > 0 ? found : giveUp(`${file} is empty.`)
}
