import { count, counted } from '#src/format/numbers.ts'
import type { TranscriptState } from './use-transcript.ts'

/** States how much of the conversation is shown and what is missing. */
export function describeExtent({ query: { data }, turns, isLive, reasoning }: TranscriptState) {
  if (!data) return ''
  const { total, skippedMalformed, unknownLines, missing, hasMore } = data
  return [
    turns.length === total ? counted(total, 'turn') : `${count(turns.length)} of ${counted(total, 'turn')}`,
    !reasoning && 'reasoning hidden',
    hasMore && `${count(data.turns.length)} loaded so far`,
    missing > 0 && `${counted(missing, 'turn')} missing from storage`,
    // Without the count of all unknown lines, the run is from before they were kept.
    !unknownLines && skippedMalformed > 0 && `${counted(skippedMalformed, 'malformed line')} skipped`,
    isLive && 'live',
  ]
    .filter(Boolean)
    .join(' · ')
}
