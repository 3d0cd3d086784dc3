import { limits } from '#contract/wire/limit.ts'

type Version = { id: string; savedAt: string; bytes: number }

/** The newest versions are all kept: people look for what they wrote this week. */
const newestKept = 30

/**
 * Returns the ids of the versions beyond the limits of a report, given oldest first. Of the older ones, the one that is
 * nearest in time to the one before it is deleted first, so what remains is spread over the whole history. Then the
 * oldest of the newest go, and the first version last. The newest is always kept.
 */
export function chooseVersionsToDelete(
  versions: readonly Version[],
  { versionsPerReport: most, versionBytesPerReport: mostBytes }: Limits = limits,
): string[] {
  const kept = [...versions]
  const deleted: string[] = []
  let bytes = kept.reduce((sum, version) => sum + version.bytes, 0)
  while (kept.length > 1 && (kept.length > most || bytes > mostBytes)) {
    const [removed] = kept.splice(placeOfDensest(kept, most), 1)
    if (!removed) break
    deleted.push(removed.id)
    bytes -= removed.bytes
  }
  return deleted
}

type Limits = { versionsPerReport: number; versionBytesPerReport: number }

/** The place of the older version that is nearest to its predecessor; the second, if only the first is older. */
function placeOfDensest(versions: readonly Version[], most: number) {
  const older = versions.slice(0, Math.max(0, versions.length - Math.min(newestKept, most)))
  let [best, shortest] = [versions.length > 2 ? 1 : 0, Infinity]
  for (let place = 1; place < older.length; place += 1) {
    const gap = Date.parse(older[place]?.savedAt ?? '') - Date.parse(older[place - 1]?.savedAt ?? '')
    if (gap < shortest) [best, shortest] = [place, gap]
  }
  return best
}
