import type { Version } from './watch-changes.ts'

/** What changed in one list from a moment on; null when the change cannot be told row by row. */
type Step<Changes> = { since: string; changes: Promise<Changes | null> }

type Log<Changes> = { latest: Version; steps: Step<Changes>[] }

const maxLogs = 200
const maxSteps = 50

/**
 * Reads what changed in a list once for each version, however many moments its readers start from: the changes since a
 * moment are the steps from there to the latest version. `load` reads the changes since a snapshot.
 */
export function keepChanges<Changes>() {
  const logs = new Map<string, Log<Changes>>()

  const logOf = (key: string, version: Version): Log<Changes> => {
    const known = logs.get(key)
    const log = known?.latest.life === version.life ? known : { latest: version, steps: [] }
    logs.delete(key)
    logs.set(key, log)
    const [oldest] = logs.keys()
    if (logs.size > maxLogs && oldest !== undefined) logs.delete(oldest)
    return log
  }

  /** The steps since a snapshot, oldest first; null when one is missing, or when the rows must be read again as a whole. */
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
      // Without one of its steps the log would hide a change.
      if (logs.get(key) === log) logs.delete(key)
      throw error
    }
  }
}

const toSteps = <Changes>(changes: Changes | null) => (changes === null ? null : [changes])
