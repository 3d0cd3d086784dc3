import { useSyncExternalStore } from 'react'

import { exactTime, relativeTime } from '#src/format/dates.ts'

/** `3m ago`, exact on hover; the words keep up with the clock. */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(onTick, lastTick)
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  )
}

const tickMs = 30_000

/** One value for all times between two ticks; a time since the last one reads as `just now` all the same. */
const lastTick = () => Math.floor(Date.now() / tickMs) * tickMs

function onTick(tick: () => void) {
  const timer = setInterval(tick, tickMs)
  return () => clearInterval(timer)
}
