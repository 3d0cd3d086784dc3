import { repeat } from '#platform/ground/loops/repeat.ts'
import { retryDuringOutages } from '#platform/ground/failures/retry-during-outages.ts'

/** `end` writes once more. It waits for a database that fails until `abandoned` aborts. */
export type Recording = { end: (abandoned: AbortSignal) => Promise<void> }

const everyMs = 5000

/** Writes a list of an attempt every few seconds while it changes, so that a killed worker loses little. */
export function writeWhileChanging<Entry>(
  read: () => Entry[],
  writeAll: (entries: Entry[]) => Promise<void>,
): Recording {
  let written = '[]'
  const write = async () => {
    const entries = read()
    const text = JSON.stringify(entries)
    if (text === written) return
    await writeAll(entries)
    written = text
  }
  const loop = repeat({
    everyMs,
    works: [{ run: write, fault: 'A list of an attempt could not be written' }],
    // The next write includes what one that fails had.
    onFault: () => {},
  })
  return {
    async end(abandoned) {
      await loop.stop()
      if (!abandoned.aborted) await retryDuringOutages(write, abandoned)
    },
  }
}
