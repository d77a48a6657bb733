import { stat } from 'node:fs/promises'
import type { Project } from '#core/session.ts'
import { fewAtATime } from './few-at-a-time.ts'

/** The projects Grove knows by name: all of them, or only so many that were worked in last. */
export type KnownProjects = (most?: number) => Promise<Project[]>

/** An answer about all projects looks into no more than this; any other can be asked for by its name. */
const MOST_LOOKED_INTO = 500

/** The projects to look into: those whose folder is there, of all that were worked in last or of those that are wanted. */
export async function projectsAtHand(
  projects: KnownProjects,
  isWanted?: (project: Project) => boolean,
): Promise<Project[]> {
  const meant = isWanted ? (await projects()).filter(isWanted) : await projects(MOST_LOOKED_INTO)
  const there = await fewAtATime(meant, ({ root }) => isFolder(root))
  return meant.filter((_, n) => there[n])
}

async function isFolder(path: string): Promise<boolean> {
  // Gone, closed to us, or named as nothing can be: nothing of it could be read.
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
