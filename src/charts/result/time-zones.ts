import type { ResultColumn } from '#contract/queries.ts'
import { isTimeZone } from '#contract/wire/time-zone.ts'

/** Clock times are milliseconds that read as the clock of the zone does when they are formatted in UTC. */
export type Zone = {
  /** Null for days, which have no zone. */
  name: string | null
  clockAt: (instant: number) => number
  /** The instants at which clocks show this time: two in the hour that they repeat. */
  instantsAt: (clock: number) => readonly number[]
}

const same = (time: number) => time
const utcLike = (name: string | null): Zone => ({ name, clockAt: same, instantsAt: (clock) => [clock] })

export const utc = utcLike('UTC')

/** The zone of a column of times. A type without a name is in UTC, as the engine is. */
export function zoneOf({ type }: Pick<ResultColumn, 'type'>): Zone {
  if (!type.includes('DateTime')) return utcLike(null)
  const name = /DateTime(?:64\(\d, |\()'([^']+)'\)/.exec(type)?.[1]
  return name === undefined || /^(Etc\/)?UTC$/.test(name) || !isTimeZone(name) ? utc : namedZone(name)
}

const minute = 60_000
const day = 24 * 60 * minute

function namedZone(name: string): Zone {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  // Offsets change at whole minutes, and formatting every time of a long result would take seconds.
  const known = new Map<number, number>()
  const offsetAt = (instant: number) => {
    const start = Math.floor(instant / minute) * minute
    const offset = known.get(start) ?? readClock(parts, start) - start
    known.set(start, offset)
    return offset
  }
  return {
    name,
    clockAt: (instant) => instant + offsetAt(instant),
    instantsAt(clock) {
      const offsets = new Set([offsetAt(clock - day), offsetAt(clock + day)])
      const found = Array.from(offsets, (offset) => clock - offset).filter((at) => at + offsetAt(at) === clock)
      return found.length > 0 ? found.toSorted((a, b) => a - b) : [clock - offsetAt(clock - day)]
    },
  }
}

function readClock(format: Intl.DateTimeFormat, instant: number) {
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day: date = 1, hour = 0, minute: minutes = 0, second = 0 } = part
  return Date.UTC(year, month - 1, date, hour, minutes, second)
}

/**
 * Reads the clock times of one series in the order of its rows. In the hour that clocks repeat, a time at or before the
 * previous one is of the second hour, so that a line does not run backwards.
 */
export function readClocks({ instantsAt }: Zone, isDescending: boolean): (clock: number) => number {
  let previous: number | null = null
  return (clock) => {
    const instants = isDescending ? instantsAt(clock).toReversed() : instantsAt(clock)
    const isAfter = (at: number) => previous === null || (isDescending ? at < previous : at > previous)
    previous = instants.find(isAfter) ?? instants[0] ?? clock
    return previous
  }
}
