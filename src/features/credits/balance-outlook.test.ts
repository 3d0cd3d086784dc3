import { expect, test } from 'vitest'

import { balanceOutlook } from './balance-outlook.ts'

const day = (date: number) => `2026-11-${String(date).padStart(2, '0')}T00:00:00.000Z`
const end = Date.parse(day(30))
const outlook = (...dollars: number[]) =>
  balanceOutlook(
    dollars.map((value, place) => ({ at: day(place + 2), balanceMicros: String(value * 1e6) })),
    end,
  )

test('the rest of the cycle goes on as the last week did, down to an empty balance', () => {
  const { forecast } = outlook(100, 100, 96, 94, 92, 90, 88, 86, 84, 82)
  expect(forecast).toMatchObject({ perDay: 2, days: 7 })
  expect(forecast?.line.map(({ at, value }) => [new Date(at).toISOString(), value])).toEqual([
    [day(11), 82],
    [day(30), 44],
  ])
  expect(outlook(12, 8, 4).forecast?.line.at(-1)).toEqual({ at: Date.parse(day(5)), value: 0 })
})

test('credit that was added is shown and is no spending', () => {
  const { grants, forecast } = outlook(10, 8, 33, 31)
  expect(grants).toEqual([{ at: Date.parse(day(4)), value: 33 }])
  expect(forecast?.perDay).toBeCloseTo(4 / 3)
})

test('there is no forecast without spending, without credit or after the end of the cycle', () => {
  expect([outlook(10, 10), outlook(10), outlook(2, -1), outlook()].map(({ forecast }) => forecast)).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(
    balanceOutlook(
      [
        { at: day(1), balanceMicros: '2' },
        { at: day(30), balanceMicros: '1' },
      ],
      end,
    ).forecast,
  ).toBeNull()
})
