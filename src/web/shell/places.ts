import type { IconName } from '../ui/icon.tsx'

/** The places of the app, in the order of the questions that they answer. */
export interface Place {
  path: string
  name: string
  icon: IconName
  key: string
  /** Behind "More" on a phone. */
  deep?: true
}

export const PLACES: Place[] = [
  { path: '/inbox', name: 'Inbox', icon: 'inbox', key: 'i' },
  { path: '/features', name: 'Features', icon: 'features', key: 'f' },
  { path: '/agents', name: 'Agents', icon: 'agents', key: 'a' },
  { path: '/memory', name: 'Memory', icon: 'memory', key: 'm' },
  { path: '/learnings', name: 'Learnings', icon: 'learnings', key: 'l', deep: true },
  { path: '/intents', name: 'Intents', icon: 'intents', key: 't', deep: true },
  { path: '/insights', name: 'Insights', icon: 'insights', key: 'n', deep: true },
  { path: '/settings', name: 'Settings', icon: 'settings', key: 's', deep: true },
]

/** The page that an address belongs to: a feature with all its tabs, an agent, or a place with its list and what is chosen in it. */
export function pageOf(path: string): string {
  const [, place, ...rest] = path.split('/')
  const depth = place === 'features' ? 2 : place === 'agents' ? 1 : 0
  return [place, ...rest.slice(0, depth)].join('/')
}
