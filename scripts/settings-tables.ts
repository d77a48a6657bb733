import { leaves } from '#config/config.ts'
import { IMPORTANT_SETTINGS } from '#config/important-settings.ts'
import { envNames, type Leaf } from '#config/setting.ts'

/** The tables of docs/configuration.md: the settings that matter most, then all, one table per section. */
export function settingsTables(): string {
  const first = IMPORTANT_SETTINGS.flatMap((key) => leaves.filter((leaf) => leaf.key === key))
  const top = [
    '### The ten most important settings',
    '',
    'Most people never need another one.',
    '',
    ...tableOf(first),
  ].join('\n')
  const groups = new Map<string, Leaf[]>()
  for (const leaf of leaves) groups.set(groupOf(leaf), [...(groups.get(groupOf(leaf)) ?? []), leaf])
  const tables = [...groups].map(([name, group]) => [...heading(name, group), ...tableOf(group)].join('\n'))
  return [top, ...tables].join('\n\n')
}

function groupOf({ path, key }: Leaf): string {
  return path.length === 1 ? '' : key.slice(0, key.indexOf('.'))
}

function heading(name: string, [first]: Leaf[]): string[] {
  return name ? [`### \`[${name}]\``, '', first?.sectionAbout ?? '', ''] : ['### Top level', '']
}

function tableOf(group: Leaf[]): string[] {
  const rows = group.map((leaf) => {
    const env = envNames(leaf)[0]
    const cells = [
      `\`${leaf.key}\``,
      env ? `\`${env}\`` : '',
      defaultOf(leaf),
      leaf.kind.expects,
      leaf.about + note(leaf),
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| setting | environment | default | value | what it does |', '|---|---|---|---|---|', ...rows]
}

function defaultOf({ fallback: value }: Leaf): string {
  if (value === undefined) return 'not set'
  if (Array.isArray(value)) return value.length > 0 ? value.map((item) => `\`${item}\``).join(', ') : 'none'
  if (typeof value === 'object') return 'none'
  return `\`${value}\``
}

function note({ only }: Leaf): string {
  if (only === 'user') return ' *Not from a project file.*'
  return only === 'environment' ? ' *Environment only.*' : ''
}
