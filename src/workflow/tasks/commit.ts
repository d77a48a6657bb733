import { LEFT_OUT, orHold, placeOf, type TaskContext } from './context.ts'

/** One commit for a pass of the implementation. */
export async function commit({ world, feature }: TaskContext): Promise<void> {
  const { session, plan } = feature.files
  const done = plan!.steps.filter(({ metadata }) => metadata.doneBy === 'agent')
  const message = [
    session.title,
    '',
    ...done.map(({ title, metadata }) => `- ${title}${metadata.summary ? `: ${metadata.summary.split('\n')[0]}` : ''}`),
  ].join('\n')
  const made = orHold(await world.repository.commit(placeOf(feature), message, LEFT_OUT), 'commit the changes')
  const isEmpty = made.commit === undefined && feature.files.pr.pullRequest === null
  await feature.happen({ type: 'committed' }, (files) => ({
    files: { ...files, status: { ...files.status, currentStepId: null } },
    events: isEmpty
      ? [{ type: 'agent.warning', message: 'Every step is reported as done, but no file was changed.' }]
      : [],
  }))
}
