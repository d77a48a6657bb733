import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionSummary } from '../../src/protocol/api/sessions.ts'
import { createProjectWithRemote } from '../../test/support/bare-remote.ts'
import { beginFeature, type Daemon, type House, openHouse } from '../../test/support/feature/house.ts'
import {
  completeSmall,
  type Ended,
  killClients,
  SMALL_FORM,
  SMALL_MODEL,
  wrongWith,
} from '../../test/support/feature/small-feature.ts'
import { leftRunning } from '../../test/support/feature/verdict.ts'

/** What goes wrong around feature sessions, with the real client on the built daemon. Each answers with what did not hold. */
const TROUBLES: Record<string, (binary: string) => Promise<string[]>> = {
  eight: eightAtOnce,
  killed: clientsKilled,
  disk: fullDisk,
  clock: jumpingClock,
  large: largeRepository,
}

export async function withstand(binary: string, only: string | undefined): Promise<number> {
  let broken = 0
  for (const [name, trouble] of Object.entries(TROUBLES)) {
    if (only && only !== 'all' && only !== name) continue
    const began = performance.now()
    const wrong = await trouble(binary)
    broken += wrong.length
    console.log(
      `${name}: ${wrong.length === 0 ? 'holds' : 'BROKEN'}, ${((performance.now() - began) / 1000).toFixed(0)} s`,
    )
    for (const line of wrong) console.log(`  ${line}`)
  }
  return broken
}

async function inHouse(
  options: Omit<Parameters<typeof openHouse>[0], 'scenario'>,
  story: (house: House) => Promise<string[]>,
): Promise<string[]> {
  const house = await openHouse({ ...options, scenario: SMALL_MODEL })
  try {
    const wrong = await story(house)
    return [...wrong, ...(await leftRunning(house)).map((line) => `still runs: ${line}`), ...house.simulator.problems]
  } finally {
    await house.close()
  }
}

async function ended(daemon: Daemon, session: SessionSummary, held?: (kind: string) => void): Promise<string[]> {
  const seen = await completeSmall(() => daemon, session, held)
  const path = `/api/sessions/${session.projectId}/${session.featureId}/events?limit=500`
  const { body } = await daemon.ask<Pick<Ended, 'events'>>('GET', path)
  return (await wrongWith(daemon, { ...seen, events: body.events })).map((line) => `${session.featureId}: ${line}`)
}

/** Eight features in three projects, each in a branch of its own. */
function eightAtOnce(binary: string): Promise<string[]> {
  return inHouse({ binary }, async (house) => {
    const daemon = await house.start()
    const others = [await createProjectWithRemote({ 'a.txt': '' }), await createProjectWithRemote({ 'b.txt': '' })]
    try {
      const dirs = [house.project.dir, ...others.map(({ dir }) => dir)]
      const sessions = await Promise.all(
        Array.from({ length: 8 }, (_, at) => beginFeature(daemon, dirs[at % 3]!, SMALL_FORM)),
      )
      const wrong = (await Promise.all(sessions.map((one) => ended(daemon, one)))).flat()
      const branches = new Set(sessions.map(({ projectId, branch }) => `${projectId} ${branch}`))
      if (branches.size !== 8) wrong.push(`${branches.size} branches for eight features`)
      await daemon.stop()
      return wrong
    } finally {
      for (const one of others) await one.remove()
    }
  })
}

const CLIENT_KILLS = 6

/** The client is killed again and again; a person tries again, and the work is done once. */
function clientsKilled(binary: string): Promise<string[]> {
  return inHouse({ binary }, async (house) => {
    const daemon = await house.start()
    const session = await beginFeature(daemon, house.project.dir, SMALL_FORM)
    const holds: string[] = []
    const over = new AbortController()
    const killing = killClients(house, CLIENT_KILLS, over.signal)
    const wrong = await ended(daemon, session, (kind) => holds.push(kind))
    over.abort()
    const kills = await killing
    console.log(`  ${kills} clients killed, ${holds.length} holds (${[...new Set(holds)].join(', ')})`)
    if (holds.some((kind) => kind !== 'agent_failed')) wrong.push(`held for another reason: ${holds.join(', ')}`)
    await daemon.stop()
    return wrong
  })
}

const SMALL_DISK = '16m'

/** The home on a small disk that is filled to the last byte three times on the way. */
async function fullDisk(binary: string): Promise<string[]> {
  const mounted =
    'cp -a "$GROVE_HOME/." "$GROVE_HOME.kept" && mount -t tmpfs -o size=$SIZE tmpfs "$GROVE_HOME" && cp -a "$GROVE_HOME.kept/." "$GROVE_HOME/"'
  const via = ['unshare', '-m', 'sh', '-c', `${mounted.replace('$SIZE', SMALL_DISK)} && exec "$0" "$@"`]
  if (spawnSync('unshare', ['-m', 'true']).status !== 0) return ['nobody may mount here']
  return inHouse({ binary, via }, async (house) => {
    const daemon = await house.start()
    const inside = `/proc/${daemon.pid}/root${house.home}`
    const session = await beginFeature(daemon, house.project.dir, SMALL_FORM)
    let fills = 0
    const holds: string[] = []
    const over = new AbortController()
    const filling = (async () => {
      while (fills < 3 && !over.signal.aborted) {
        await sleep(2500)
        fill(join(inside, 'filling'))
        fills++
        await sleep(3000)
        rmSync(join(inside, 'filling'), { force: true })
      }
    })()
    const wrong = await ended(daemon, session, (kind) => holds.push(kind))
    over.abort()
    await filling
    console.log(`  filled ${fills} times, ${holds.length} holds (${[...new Set(holds)].join(', ')})`)
    await daemon.stop()
    return wrong.filter((line) => !/ENOSPC/.test(line))
  })
}

function fill(file: string): void {
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

/** A library before the system's: the wall clock stands off by as many seconds as a file says. */
const CLOCK = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long off(void) {
  char text[32] = {0};
  int file = open(getenv("CLOCK_OFFSET_FILE"), O_RDONLY);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  return size > 0 ? atol(text) : 0;
}
int clock_gettime(clockid_t id, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int done = real(id, at);
  if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) at->tv_sec += off();
  return done;
}
int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
`

const HOUR = 3600
/** Forwards by hours and days, and back before the beginning. */
const JUMPS = [2 * HOUR, -3 * HOUR, 20 * HOUR, 0, -30 * 24 * HOUR, 7 * HOUR, 0]

/** The wall clock of the daemon jumps every few seconds. */
async function jumpingClock(binary: string): Promise<string[]> {
  const folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim()
  const [library, offset] = [join(folder, 'clock.so'), join(folder, 'offset')]
  writeFileSync(join(folder, 'clock.c'), CLOCK)
  writeFileSync(offset, '0')
  if (spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(folder, 'clock.c'), '-ldl']).status !== 0)
    return ['there is no compiler here']
  try {
    const env = { LD_PRELOAD: library, CLOCK_OFFSET_FILE: offset }
    return await inHouse({ binary, env }, async (house) => {
      const daemon = await house.start()
      const form = { ...SMALL_FORM, options: { ...SMALL_FORM.options, expiryHours: 100 } }
      const session = await beginFeature(daemon, house.project.dir, form)
      const over = new AbortController()
      let jumps = 0
      const jumping = (async () => {
        while (!over.signal.aborted) {
          writeFileSync(offset, String(JUMPS[jumps++ % JUMPS.length]))
          await sleep(1500)
        }
      })()
      const holds: string[] = []
      const wrong = await ended(daemon, session, (kind) => holds.push(kind))
      over.abort()
      await jumping
      const { body } = await daemon.ask<{ session: { session: { createdAt: string; updatedAt: string } } }>(
        'GET',
        `/api/sessions/${session.projectId}/${session.featureId}`,
      )
      const { createdAt, updatedAt } = body.session.session
      console.log(`  ${jumps} jumps, begun ${createdAt}, last changed ${updatedAt}, ${holds.length} holds`)
      await daemon.stop()
      return [...wrong, ...holds.map((kind) => `held: ${kind}`)]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const FILES = 20_000

/** A repository of 20,000 files. */
function largeRepository(binary: string): Promise<string[]> {
  return inHouse({ binary }, async (house) => {
    const { dir, git } = house.project
    for (let folder = 0; folder < 200; folder++) {
      const into = join(dir, 'src', `part-${folder}`)
      mkdirSync(into, { recursive: true })
      for (let file = 0; file < FILES / 200; file++)
        writeFileSync(join(into, `f${file}.ts`), `// TODO: name it ${folder}\nexport const f${file} = ${folder}\n`)
    }
    await git('add', '--all')
    await git('commit', '--quiet', '-m', 'Many files')
    await git('push', '--quiet', 'origin', 'main')
    const daemon = await house.start()
    const began = performance.now()
    const session = await beginFeature(daemon, dir, SMALL_FORM)
    console.log(`  begun in ${(performance.now() - began).toFixed(0)} ms`)
    const wrong = await ended(daemon, session)
    console.log(`  completed in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    await daemon.stop()
    return wrong
  })
}
