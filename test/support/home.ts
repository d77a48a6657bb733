import { rm } from 'node:fs/promises'
import { tempDir } from './project.ts'

/** A home folder for Grove or its client, gone when the test is finished. */
export async function tempHome(whenFinished: (work: () => Promise<void>) => void): Promise<string> {
  const home = await tempDir('home')
  whenFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  return home
}
