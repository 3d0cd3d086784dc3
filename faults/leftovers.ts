import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Installation } from './installation.ts'
import { mountNamespaces, mountsBelow, namedNamespaces, usersOf } from './processes.ts'
import type { Violation } from './violation.ts'

const patienceMs = 5000

/** The namespaces of this machine, to tell later which are new. */
export const noteNamespaces = () => ({ mounts: mountNamespaces(), networks: namedNamespaces() })

/**
 * A start of the server removes what killed processes left: unfinished blobs after an hour, folders of probes after ten
 * minutes. Makes both old enough, starts the server again, and waits until they are gone.
 */
export async function ageLeftovers({ dataFolder, temporary, platform }: Installation) {
  const unfinished = join(dataFolder, 'blobs/.unfinished')
  const old = new Date(Date.now() - 2 * 60 * 60_000)
  for (const folder of [unfinished, temporary])
    for (const name of filesIn(folder)) utimesSync(join(folder, name), old, old)
  platform.kill()
  // Until it is seen to have ended, it still counts as ready.
  while (platform.isReady()) await delay(10)
  await platform.untilReady()
  const end = performance.now() + patienceMs
  while (filesIn(unfinished).length > 0 && performance.now() < end) await delay(100)
}

/** Looks for what the stopped installation left: processes, mounts, namespaces and temporary files. */
export async function findLeftovers(installation: Installation, before: ReturnType<typeof noteNamespaces>) {
  const { folder, temporary, dataFolder, disk } = installation
  const end = performance.now() + patienceMs
  // The kernel ends the processes of a sandbox just after their parent.
  while (usersOf(folder, before.mounts).length > 0 && performance.now() < end) await delay(100)
  const mounts = mountsBelow(folder).filter((place) => !(disk.isMounted && place === dataFolder))
  const found = [
    ...usersOf(folder, before.mounts),
    ...mounts.map((place) => `${place} is still mounted`),
    ...namedNamespaces()
      .filter((name) => !before.networks.includes(name))
      .map((name) => `The network namespace ${name} is left`),
    ...filesIn(temporary).map((name) => `The temporary file ${name} is left`),
    ...filesIn(join(dataFolder, 'blobs/.unfinished')).map((name) => `The unfinished blob ${name} is left`),
    ...filesIn(join(dataFolder, 'work')).flatMap((worker) =>
      filesIn(join(dataFolder, 'work', worker, 'runs')).map((name) => `The work folder of run ${name} is left`),
    ),
  ]
  return found.map((text): Violation => ({ kind: 'left', text }))
}

const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
