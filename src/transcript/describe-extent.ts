import { count, counted } from '#src/format/numbers.ts'
import type { ShownTranscript } from './use-transcript.ts'

/** How much of the conversation this is, and what is not in it. */
export function describeExtent({ query: { data }, turns, isLive, reasoning }: ShownTranscript) {
  if (!data) return ''
  const { total, skippedMalformed, missing, hasMore } = data
  return [
    `${count(turns.length)} shown of ${count(total)} turns${reasoning ? '' : ' without reasoning'}`,
    hasMore && `truncated: ${count(data.turns.length)} loaded so far`,
    missing > 0 && `${counted(missing, 'turn')} missing: storage has lost them`,
    skippedMalformed > 0 && `${counted(skippedMalformed, 'malformed line')} skipped`,
    isLive && 'live',
  ]
    .filter(Boolean)
    .join(' · ')
}
