import { LRUCache } from 'lru-cache'

import type { Version } from './watch-changes.ts'

/** The changes of one list since a snapshot; null if the change cannot be described row by row. */
type Step<Changes> = { since: string; changes: Promise<Changes | null> }

type Log<Changes> = { latest: Version; steps: Step<Changes>[] }

const maxLogs = 200
const maxSteps = 50

/**
 * Reads the changes of a list once per version, from however many snapshots its readers start: the changes since a
 * snapshot are all steps from there to the latest version. `load` reads the changes since a snapshot.
 */
export function createChangeCache<Changes>() {
  const logs = new LRUCache<string, Log<Changes>>({ max: maxLogs })

  const logOf = (key: string, version: Version): Log<Changes> => {
    const known = logs.get(key)
    const log = known?.latest.life === version.life ? known : { latest: version, steps: [] }
    logs.set(key, log)
    return log
  }

  /**
   * Returns the steps since a snapshot, oldest first; null if a step is missing, or if the whole list must be read
   * again.
   */
  return async (
    key: string,
    { version, since }: { version: Version; since: string },
    load: (since: string) => Promise<Changes | null>,
  ): Promise<Changes[] | null> => {
    const log = logOf(key, version)
    if (log.latest.serial < version.serial) {
      log.steps.push({ since: log.latest.snapshot, changes: load(log.latest.snapshot) })
      log.steps.splice(0, log.steps.length - maxSteps)
      log.latest = version
    }
    const first = log.steps.findIndex((step) => step.since === since)
    if (first < 0) return toSteps(await load(since))
    try {
      const steps = await Promise.all(log.steps.slice(first).map(({ changes }) => changes))
      return steps.every((step) => step !== null) ? steps : toSteps(await load(since))
    } catch (error) {
      // With a step missing, the log would hide a change.
      if (logs.peek(key) === log) logs.delete(key)
      throw error
    }
  }
}

const toSteps = <Changes>(changes: Changes | null) => (changes === null ? null : [changes])
