import { expect, test } from 'vitest'

import { timeAxis } from './axes.ts'
import { planResult } from './plan-result.ts'
import { zoneOf } from './time-zones.ts'

const berlin = zoneOf({ type: "Nullable(DateTime('Europe/Berlin'))" })
const clock = (text: string) => Date.parse(`${text}Z`)
const iso = (at: number) => new Date(at).toISOString().slice(0, 16)

/** What a line over local times of a zone shows, in the order of its X axis. */
function drawn(times: readonly string[], type = "DateTime('Europe/Berlin')") {
  const plan = planResult(
    {
      columns: [
        { name: 'ended', type },
        { name: 'runs', type: 'UInt64' },
      ],
      rows: times.map((time, place) => [time, place]),
    },
    { kind: 'line', x: 'ended', y: ['runs'] },
  )
  if (!('kind' in plan) || plan.kind !== 'line') throw new Error('No line')
  return { title: plan.titles.x, points: plan.series[0]?.points.map(({ x, y }) => [iso(x), y]) }
}

test('a line does not run backwards in the hour that clocks repeat', () => {
  const times = ['2026-10-25 01:30:00', '2026-10-25 02:30:00', '2026-10-25 02:10:00', '2026-10-25 03:10:00']
  const points = [
    ['2026-10-24T23:30', 0],
    ['2026-10-25T00:30', 1],
    ['2026-10-25T01:10', 2],
    ['2026-10-25T02:10', 3],
  ]
  expect(drawn(times)).toEqual({ title: 'ended (Europe/Berlin)', points })
})

test('hours in a row are an hour apart, also the two with one name, in either order', () => {
  const hours = ['2026-10-25 01:00:00', '2026-10-25 02:00:00', '2026-10-25 02:00:00', '2026-10-25 03:00:00']
  const instants = ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00']
  expect(drawn(hours).points?.map(([at]) => at)).toEqual(instants)
  expect(drawn(hours.toReversed()).points).toEqual(instants.map((at, place) => [at, 3 - place]))
})

test.each([
  ['DateTime', '2026-11-20T10:00:00Z', 'ended (UTC)'],
  ["DateTime64(3, 'America/New_York')", '2026-11-20 10:00:00.000', 'ended (America/New_York)'],
  ["DateTime('Mars/Olympus')", '2026-11-20 10:00:00', 'ended (UTC)'],
  ['Date', '2026-11-20', 'ended'],
])('the axis of %s names its zone once', (type, time, title) => {
  expect(drawn([time, time.replace('-20', '-21')], type).title).toBe(title)
})

test('ticks are round by the clock of the zone, on both sides of a change', () => {
  const [low = 0] = berlin.instantsAt(clock('2026-10-24T00:00'))
  const [high = 0] = berlin.instantsAt(clock('2026-10-26T12:00'))
  const axis = timeAxis([low, high], berlin, 12)
  expect(axis.ticks.map(axis.format).slice(3, 8)).toEqual(['18:00', '25 Oct', '06:00', '12:00', '18:00'])
  expect(axis.ticks.slice(3, 8).map(iso)).toEqual([
    '2026-10-24T16:00',
    '2026-10-24T22:00',
    '2026-10-25T05:00',
    '2026-10-25T11:00',
    '2026-10-25T17:00',
  ])
})

test('clocks that skip an hour leave no time without an instant', () => {
  expect(berlin.instantsAt(clock('2026-03-29T02:30')).map(iso)).toEqual(['2026-03-29T01:30'])
  expect(berlin.instantsAt(clock('2026-10-25T02:30')).map(iso)).toEqual(['2026-10-25T00:30', '2026-10-25T01:30'])
})
