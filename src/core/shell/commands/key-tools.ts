import type { Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { mapText } from '../values.ts'
import { converter } from './output-options.ts'

/** Keys, certificates and what is signed with them. */
export const keyTools: Record<string, Effect> = {
  keytool: (call) => {
    const options = readOptions(call.args, {
      values: 'keystore file alias dname storepass keypass keyalg',
      singleDash: true,
    })
    if (options.has('list', 'printcert', 'help')) return
    call.write(options.get('file'), 'create')
    if (!options.has('exportcert', 'certreq')) call.write(options.get('keystore'), 'create')
  },
  openssl: (call) => {
    const options = readOptions(call.args, { values: 'out keyout in days subj newkey config key', singleDash: true })
    for (const path of options.all('out', 'keyout')) call.write(path, 'create')
  },
  gpg: converter('o output', 'r recipient'),
  'ssh-keygen': (call) => {
    const options = readOptions(call.args, { values: 'f t b C N m' })
    if (options.has('l', 'y', 'B', 'F', 'L', 'e')) return
    const file = options.get('f')
    call.write(file, 'create')
    call.write(file && mapText(file, (text) => `${text}.pub`), 'create')
  },
}
