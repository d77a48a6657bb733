/** The drift benchmark's files, and the folds that keep a repository's cases on one side. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DriftAction } from '#core/drift/score.ts'
import { readJsonLines } from '../support/json-lines.ts'

export interface Trajectory {
  id: string
  source: string
  repo: string
  goal: string
  context?: string[]
  actions: DriftAction[]
}

export interface Label {
  traj_id: string
  kind: 'on' | 'drift'
  level?: 'hard' | 'mid' | 'easy'
  onset: number
  k: number
  /** 1 off goal, 0 on goal, -1 not scored. */
  steps: number[]
  zone: number[]
  pair: number
}

export interface Case {
  traj: Trajectory
  label: Label
}

const LAYOUT = 'A set is a folder with trajs.jsonl and, to be scored, labels.jsonl.'

export function loadTrajectories(folder: string): Trajectory[] {
  return readJsonLines(folder, 'trajs.jsonl', LAYOUT)
}

/** Without labels there are still scores to write. */
export function hasLabels(folder: string): boolean {
  return existsSync(join(folder, 'labels.jsonl'))
}

/** The trajectories that somebody has labelled. */
export function loadCases(folder: string): Case[] {
  const labels = readJsonLines<Label>(folder, 'labels.jsonl', LAYOUT)
  const byId = new Map(labels.map((label) => [label.traj_id, label]))
  return loadTrajectories(folder).flatMap((traj) => {
    const label = byId.get(traj.id)
    return label ? [{ traj, label }] : []
  })
}

const PARTS = 4

/**
 * Which fold each case is in. A repository is one fold if its source has several; the only repository of a source is cut
 * into four by conversation, told by prompts in common. Both copies of a pair share the goal, so they stay together.
 */
export function foldsOf(cases: Case[]): string[] {
  const repos = new Map<string, Set<string>>()
  for (const { traj } of cases) repos.set(traj.source, (repos.get(traj.source) ?? new Set()).add(traj.repo))
  const parent = new Map<string, string>()
  const root = (prompt: string): string => {
    const up = parent.get(prompt)
    return up === undefined || up === prompt ? prompt : root(up)
  }
  for (const { traj } of cases) for (const prompt of traj.context ?? []) parent.set(root(prompt), root(traj.goal))
  return cases.map(({ traj }) =>
    repos.get(traj.source)!.size > 1 ? traj.repo : `${traj.repo} ${(hash(root(traj.goal)) % PARTS) + 1}/${PARTS}`,
  )
}

/** Tells one set of tasks from another, so that a bench can say whether the model was trained on what it is shown. */
export function fingerprint(cases: Case[]): number {
  return hash(cases.map(({ traj }) => `${traj.id} ${traj.goal}`).join('\n'))
}

function hash(text: string): number {
  let h = 7
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) >>> 0
  return h
}
