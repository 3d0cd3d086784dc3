import { expect, test } from 'vitest'

import { seededRandom } from '#statistics/seeded-random.ts'
import { atLength } from '#tools/test-length.ts'
import { findDecline } from './decline.ts'
import type { CountsByCell } from './drop.ts'
import { firstDropBefore, shareOf, watchNights, type World } from './simulated-nights.ts'

const trials = atLength(60, 1000)

function watch(world: World) {
  const random = seededRandom(31)
  const series = Array.from({ length: trials }, () => watchNights(random, world))
  const result = {
    drops: shareOf(series.map(({ drop }) => drop < Infinity)),
    declines: shareOf(series.map(({ decline }) => decline < Infinity)),
    any: shareOf(series.map(({ drop, decline }) => Math.min(drop, decline) < Infinity)),
    reruns: series.reduce((sum, { reruns }) => sum + reruns, 0) / trials,
    series,
  }
  console.info(
    `${world.title}: drop ${percent(result.drops)}, decline ${percent(result.declines)}, either ${percent(result.any)}, ${result.reruns.toFixed(1)} reruns`,
  )
  return result
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

const unchanged: World[] = [
  { title: 'nothing changed, 20 prompts × 5', prompts: 20, repeats: 5, nights: 30 },
  { title: 'nothing changed, 10 prompts × 3', prompts: 10, repeats: 3, nights: 30 },
  { title: 'nothing changed, 80 prompts × 1', prompts: 80, repeats: 1, nights: 30 },
]

test('at most 1 in 10 series of 30 nights has a confirmed drop or a decline where nothing changed', () => {
  for (const world of unchanged) expect(watch(world).any, world.title).toBeLessThanOrEqual(0.1)
}, 240_000)

test('the rule before, without a second result and with one start as the baseline, fails about half of these series', () => {
  const random = seededRandom(32)
  const [world] = unchanged
  const found = Array.from({ length: trials }, () => world && firstDropBefore(random, world) < Infinity)
  const share = shareOf(found.map(Boolean))
  console.info(`the rule before, ${world?.title}: drop ${percent(share)}`)
  expect(share).toBeGreaterThan(0.3)
}, 240_000)

test('a drop of 15 points is confirmed within three nights in most series', () => {
  const from = 15
  const shift = (night: number) => (night >= from ? -0.15 : 0)
  const { series } = watch({
    title: 'a drop of 15 points, 20 prompts × 5',
    prompts: 20,
    repeats: 5,
    nights: from + 3,
    shift,
  })
  const soon = shareOf(series.map(({ drop }) => drop >= from && drop < Infinity))
  console.info(`confirmed within three nights: ${percent(soon)}`)
  expect(soon).toBeGreaterThan(0.8)
}, 240_000)

test('a decline of 0.6 points a night is found within 30 nights, although few single nights are a drop', () => {
  const world = { title: 'a decline of 0.6 points a night, 20 prompts × 5', prompts: 20, repeats: 5, nights: 30 }
  const { declines, drops } = watch({ ...world, shift: (night) => -0.006 * night })
  expect(declines).toBeGreaterThan(0.9)
  expect(drops).toBeLessThan(declines)
}, 240_000)

const start = (cells: Record<string, [runs: number, solved: number]>): CountsByCell =>
  new Map(Object.entries(cells).map(([cell, [runs, solved]]) => [cell, { runs, solved }]))

test('a decline has the slope of the least squares line, and the first start that shares a variant', () => {
  const starts = [
    start({ gone: [10, 10] }),
    ...Array.from({ length: 10 }, (_, place) => start({ kept: [40, 40 - 2 * place] })),
  ]
  expect(findDecline(starts, 0.05)).toMatchObject({ first: 1, starts: 10, slope: expect.closeTo(-0.05, 12) })
})

test('prompts that are replaced by harder ones are no decline, and neither is an improvement', () => {
  const replaced = [
    ...Array.from({ length: 10 }, () => start({ easy: [20, 20], same: [20, 15] })),
    ...Array.from({ length: 10 }, () => start({ hard: [20, 2], same: [20, 15] })),
  ]
  expect(findDecline(replaced, 0.05)).toBeNull()
  expect(
    findDecline(
      Array.from({ length: 10 }, (_, place) => start({ all: [40, 20 + 2 * place] })),
      0.05,
    ),
  ).toBeNull()
})

test('seven starts show no decline, and nights that vary more than their runs show one later', () => {
  const declining = Array.from({ length: 8 }, (_, place) => start({ all: [100, 100 - 8 * place] }))
  expect(findDecline(declining.slice(0, 7), 0.05)).toBeNull()
  expect(findDecline(declining, 0.05)).not.toBeNull()
  // Mantel's test alone has p < 0.0001 here.
  const restless = [90, 60, 95, 50, 88, 45, 85, 40].map((solved) => start({ all: [100, solved] }))
  expect(findDecline(restless, 0.05)).toBeNull()
})
