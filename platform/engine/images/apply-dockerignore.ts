import { lstat, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { readInside } from '#platform/engine/workspace/workspace-path.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { type IgnorePattern, readIgnorePatterns } from '#platform/engine/images/dockerfile/ignore-patterns.ts'

const maxBytes = 64 * 1024
/** Half a minute of work, enough for 200,000 files and 100 patterns. */
const usualMaxSteps = 1_000_000_000
const stepsOfTurn = 1_000_000

/** Removes the files of a context that its .dockerignore excludes. A file named like the Dockerfile comes first. */
export async function applyDockerignore(
  context: string,
  dockerfile: string,
  { signal, maxSteps = usualMaxSteps }: { signal: AbortSignal; maxSteps?: number },
) {
  for (const file of [`${dockerfile}.dockerignore`, '.dockerignore']) {
    const exists = await lstat(join(context, file)).catch(() => null)
    if (!exists) continue
    const text = await readInside(context, file, maxBytes).catch(() => {
      throw new RunFailure(`the context of its build has no plain file of at most ${maxBytes / 1024} KiB at ${file}`)
    })
    await removeIgnored({
      context,
      patterns: readIgnorePatterns(text, file),
      take: stepCounter(file, maxSteps),
      signal,
    })
    return
  }
}

function stepCounter(file: string, maxSteps: number) {
  let steps = 0
  let ofTurn = 0
  return {
    count(more: number) {
      steps += more
      ofTurn += more
      if (steps > maxSteps) throw new RunFailure(`${file} has too many patterns for the number of files of its build`)
    },
    isLong: () => ofTurn >= stepsOfTurn,
    async rest() {
      ofTurn = 0
      await setImmediate()
    },
  }
}

type Removal = {
  context: string
  patterns: readonly IgnorePattern[]
  take: ReturnType<typeof stepCounter>
  signal: AbortSignal
}

async function removeIgnored(removal: Removal) {
  const { patterns, take } = removal
  // A folder from which a later pattern takes something back is not removed whole.
  const canReturn = patterns.some(({ isNegated }) => isNegated)
  const walk = async (folder: string, ofFolder: readonly boolean[]) => {
    for (const entry of await readdir(join(removal.context, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const matched: boolean[] = []
      for (const [index, { matches }] of patterns.entries()) {
        matched.push((ofFolder[index] ?? false) || matches(path, take.count))
        // Others have their turn between two patterns.
        if (take.isLong()) await take.rest()
      }
      removal.signal.throwIfAborted()
      const last = matched.lastIndexOf(true)
      const isIgnored = last >= 0 && !patterns[last]?.isNegated
      const place = join(removal.context, path)
      if (isIgnored && !(canReturn && entry.isDirectory())) await rm(place, { recursive: true, force: true })
      else if (entry.isDirectory()) {
        await walk(path, matched)
        // It stays if it has files that a pattern took back.
        if (isIgnored) await rmdir(place).catch(() => {})
      }
    }
  }
  await walk('', [])
}
