import { withTomlText } from '#config/edit-toml.ts'
import { changeText } from '#storage/files/change-text.ts'

/** Sets one value in a configuration file; everything else in it stays as it is. */
export async function writeSetting(file: string, section: string, key: string, value: string): Promise<void> {
  await changeText(file, (toml) => withTomlText(toml, section, key, value))
}
