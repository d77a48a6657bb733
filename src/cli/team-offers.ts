import type { SentWork, ShareOffer, TakeBackOffer } from '#daemon/commands/team.ts'
import { dayOf } from './memory.ts'
import { clean, grouped, pairs } from './print.ts'

/** What a person reads before they agree to send or to delete something. */

export function offerText(offer: ShareOffer): string {
  const {
    team,
    encrypted,
    name,
    projectId,
    memories,
    from,
    to,
    examples,
    learnings,
    learned,
    shared,
    refused,
    waiting,
  } = offer
  const safety = encrypted ? 'encrypted, or on this machine' : 'NOT encrypted; add sslmode=verify-full'
  const where: [string, string][] = [
    ['Team', clean(team)],
    ['Connection', safety],
  ]
  if (refused !== undefined) return `${pairs(where)}\n\nNothing in this folder is sent. ${refused}`
  const range = from === undefined || to === undefined ? '' : `, from ${dayOf(from)} to ${dayOf(to)}`
  const facts = pairs([
    ...where,
    ['Project', `${clean(name)} (${clean(projectId)})`],
    ['Memories', `${grouped(memories)}${range}`],
    ['Learnings', grouped(learnings)],
  ])
  if (shared) return `${facts}\n\nThis project is already shared.`
  const line = (text: string, who: string | undefined, at: number) =>
    `  - ${clean(text)} (${[who && clean(who), at > 0 && dayOf(at)].filter(Boolean).join(', ') || 'by hand'})`
  const shown = [
    ...examples.map(({ goal, user, createdAt }) => line(goal, user, createdAt)),
    ...learned.map(({ summary, author, at }) => line(summary, author, at)),
  ]
  return [
    facts,
    ...(shown.length > 0 ? [`The newest, as the team would see them:\n${shown.join('\n')}`] : []),
    ...(memories > 0 && waiting === 0
      ? ['What this team already has is not sent again, nor is anything that was deleted with `grove team forget`.']
      : []),
    'These, and every new memory and learning of this project, are sent to the team until `grove team unshare`. Personal learnings, sessions, prompts and other projects are not.',
  ].join('\n\n')
}

/** The text, and how many memories it says will go. */
export function takeBackText(offer: TakeBackOffer, { login }: { login: boolean }): { text: string; count: number } {
  const { team, author, projects } = offer
  const going = (project: SentWork) => (login ? [...project.own, ...project.unclear] : project.own)
  const count = projects.reduce((sum, project) => sum + going(project).length, 0)
  const unclear = projects.flatMap((project) => project.unclear)
  const lines = projects.flatMap((project) => {
    const { length } = going(project)
    return length > 0 ? [`  ${grouped(length)} of ${clean(project.projectId)}`] : []
  })
  const others = countBy(
    projects.flatMap(({ own }) => own.filter(({ isOurLogin }) => !isOurLogin)),
    (item) => item.login,
  )
  const head =
    count === 0
      ? `Nothing in ${clean(team)} was sent under the name ${clean(author)}.`
      : `To be deleted permanently from ${clean(team)}, for everyone:\n${lines.join('\n')}`
  const text = [
    head,
    ...(others
      ? [
          `Some were last sent by other logins (${others}): changed by a teammate since, or written by another ${clean(author)}.`,
        ]
      : []),
    ...(unclear.length > 0 && !login
      ? [
          `${grouped(unclear.length)} more came through your login under other names (${countBy(unclear, (item) => item.author ?? 'none')}): imported or changed by you, or sent by someone who shares the login. They stay; --login deletes them too.`,
        ]
      : []),
    ...(count > 0 ? ['The copies in this home stay, and the projects are no longer shared.'] : []),
  ].join('\n\n')
  return { text, count }
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string): string {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${clean(name)}: ${grouped(count)}`).join(', ')
}
