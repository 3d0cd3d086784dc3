import type { EndingTallies } from '#contract/leaderboard.ts'
import type { RunEnding as Ending } from '#contract/run-endings.ts'
import { count } from '#src/format/numbers.ts'
import type { StatusMark } from '#src/ui/status-marks.ts'

/** How each ending looks, in the order of the parts of a bar. `says` explains it. */
export const endingMarks: Record<Ending, Pick<StatusMark, 'label' | 'tone'> & { says: string }> = {
  solved: { label: 'solved', tone: 'passed', says: 'Every test passed' },
  failed: { label: 'failed', tone: 'failed', says: 'A test did not pass, or the agent ended in an error' },
  timed_out: {
    label: 'timed out',
    tone: 'unresolved',
    says: 'Not solved, and it reached its time limit. It counts as not solved',
  },
  disputed: {
    label: 'disputed',
    tone: 'running',
    says: 'A reviewer disputes the measured outcome, whatever it was. It counts as measured',
  },
  infrastructure: {
    label: 'infrastructure',
    tone: 'waiting',
    says: 'The platform ended it, so results leave it out',
  },
  never_started: {
    label: 'never started',
    tone: 'errored',
    says: 'Its agent never started, because of the definition, so results leave it out',
  },
  canceled: { label: 'canceled', tone: 'skipped', says: 'Somebody canceled it, so it does not count' },
  untested: { label: 'untested', tone: 'quiet', says: 'It completed without a test, so it does not count' },
}

export type EndingCount = { ending: Ending; runs: number }

/** How many runs ended in each way that any run did. A disputed run is in no other part. */
export function countEndings(groups: readonly (EndingTallies | undefined)[]): EndingCount[] {
  const counts = new Map<Ending, number>()
  for (const endings of groups)
    for (const [place, measured] of (endings?.ending ?? []).entries()) {
      const ending = endings?.claimed[place] ? 'disputed' : measured
      counts.set(ending, (counts.get(ending) ?? 0) + (endings?.runs[place] ?? 0))
    }
  return (Object.keys(endingMarks) as Ending[]).flatMap((ending) => {
    const runs = counts.get(ending) ?? 0
    return runs > 0 ? [{ ending, runs }] : []
  })
}

/** `79 solved, 12 timed out of 91 runs` */
export function describeEndings(counts: readonly EndingCount[]) {
  const total = counts.reduce((sum, { runs }) => sum + runs, 0)
  return `${counts.map(({ ending, runs }) => `${count(runs)} ${endingMarks[ending].label}`).join(', ')} of ${count(total)} ${total === 1 ? 'run' : 'runs'}`
}
