const PATHS = {
  inbox: 'M2.5 9.5 4 3h8l1.5 6.5v3.5h-11zM2.5 9.5h3l1 1.5h3l1-1.5h3',
  features: 'M2 4h4M2 8h4M2 12h4M8.5 4H14M8.5 8H14M8.5 12H14',
  agents: 'm2.5 4 4 4-4 4M8.5 12h5',
  memory: 'M3.5 2.5h9v11h-9zM3.5 10.5h9M6 5.5h4',
  learnings: 'M8 14V8M8 8C8 5 6 3.5 3 3.5c0 3 2 4.5 5 4.5zM8 6.5c0-2.5 2-4 5-4 0 3-2 4.5-5 4.5',
  intents: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  insights: 'M2.5 13.5h11M3 11l3.5-4 2.5 2L13 3.5',
  settings: 'M2 5h6M12 5h2M2 11h2M8 11h6M10 3v4M6 9v4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  plus: 'M8 3v10M3 8h10',
  up: 'm4 10 4-4 4 4',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  close: 'm4 4 8 8M12 4l-8 8',
  comment: 'M2.5 3h11v8h-6l-3 2.5V11h-2z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  external: 'M9 3h4v4M13 3 7.5 8.5M11.5 9.5v3.5h-8.5v-8.5h3.5',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} strokeWidth={name === 'more' ? 2.5 : undefined} />
    </svg>
  )
}
