import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Opens the native library of `@photostructure/sqlite` where npm has put it. The package's own search for it takes ten
 * times as long, which is a tenth of a hook process. Undefined when it lies elsewhere or was built on this machine.
 */
export function openPrebuilt(): object | undefined {
  const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const file = join('prebuilds', `${process.platform}-${process.arch}`, `@photostructure+sqlite.${libc}.node`)
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const library = join(folder, 'node_modules', '@photostructure', 'sqlite', file)
    if (existsSync(library)) return open(library)
    if (dirname(folder) === folder) return undefined
  }
}

function open(file: string): object | undefined {
  const library = { exports: {} }
  try {
    process.dlopen(library, file)
    return library.exports
  } catch {
    // Of another Node or machine; the package may have one that fits.
    return undefined
  }
}
