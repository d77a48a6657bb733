import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the built web app lies: beside the program in a release, in `dist/` during development. */
export function webFolder(here: string = import.meta.dirname): string {
  const places = [join(here, 'web'), join(here, '..', 'web'), join(here, '..', '..', '..', 'dist', 'web')]
  return places.find((folder) => existsSync(join(folder, 'index.html'))) ?? places[0]!
}
