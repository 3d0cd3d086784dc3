import { expect, test } from 'vitest'

import { niceAxis, niceTimeAxis } from './nice-axis.ts'
import { placeLabels, shortLabel } from './place-labels.ts'
import { splitAtGaps } from './split-at-gaps.ts'
import { withoutOverlaps } from './PlotAxes.tsx'
import { unsharedNames } from './unshared-names.ts'
import { scatterAxes } from './scatter/scatter-axes.ts'
import type { ScatterGroup } from './scatter/scatter-group.ts'

test('axes end on round numbers and contain every value', () => {
  expect(niceAxis(0, 0.089)).toEqual({ low: 0, high: 0.1, ticks: [0, 0.02, 0.04, 0.06, 0.08, 0.1] })
  expect(niceAxis(-0.41, 0.12)).toEqual({ low: -0.6, high: 0.2, ticks: [-0.6, -0.4, -0.2, 0, 0.2] })
  expect(niceTimeAxis(0, 2300).ticks).toEqual([0, 600, 1200, 1800, 2400])
  expect(niceTimeAxis(0, 9).high).toBe(10)
  expect(niceAxis(0, 0)).toMatchObject({ low: 0, high: 1 })
  expect(niceAxis(0, 1)).toMatchObject({ high: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] })
})

test('a label of an axis that would touch the one before it or leave the chart is not drawn', () => {
  const ticks = [0, 20, 60, 97].map((at) => ({ tick: at, at, text: `${at} s` }))
  expect(withoutOverlaps(ticks, 200).map(({ tick }) => tick)).toEqual([0, 60, 97])
  expect(withoutOverlaps(ticks, 100).map(({ tick }) => tick)).toEqual([0, 60])
})

test('a huge ellipse stretches the axis by at most half', () => {
  const group: ScatterGroup = {
    group: 'a',
    label: 'a',
    series: 0,
    mean: { x: 10, y: 0.5 },
    ellipse: { center: { x: 10, y: 0.5 }, halfAxes: [500, 1], angle: 0 },
    isOnFront: true,
    words: '',
  }
  expect(scatterAxes([group], [], niceAxis).x.high).toBe(15)
  expect(scatterAxes([{ ...group, ellipse: null }], [], niceAxis).x.high).toBe(10)
  expect(
    scatterAxes([{ ...group, ellipse: null }], [{ id: '', x: 18, y: 0, group: '', series: 0 }], niceAxis).x.high,
  ).toBe(20)
})

test('a missing value splits a line into pieces, and a value between two missing ones is its own piece', () => {
  expect(splitAtGaps([1, 2, null, 3, null, null, 4, 5, null])).toEqual([[1, 2], [3], [4, 5]])
  expect(splitAtGaps([null])).toEqual([])
})

test('labels never overlap and stay inside the chart', () => {
  const at = (x: number, y: number, text: string) => ({ x, y, text })
  const labels = placeLabels([at(100, 50, 'one'), at(102, 52, 'two'), at(590, 50, 'at the edge')], {
    left: 0,
    right: 600,
  })
  const [one, two, edge] = labels
  expect([one?.anchor, one?.y]).toEqual(['start', 50])
  expect([two?.anchor, two?.y]).toEqual(['end', 52])
  expect(edge?.anchor).toBe('end')
  const crowd = placeLabels(
    Array.from({ length: 12 }, () => at(300, 50, 'same place')),
    { left: 0, right: 600 },
  )
  const shown = crowd.flatMap((label) => label ?? [])
  expect(new Set(shown.map(({ anchor, y }) => `${anchor} ${y}`)).size).toBe(shown.length)
  expect(shown).toHaveLength(10)
})

test('a label avoids a drawn line where there is room, and covers it where there is none', () => {
  const place = (...lines: { x1: number; y1: number; x2: number; y2: number }[]) =>
    placeLabels([{ x: 300, y: 50, text: 'name' }], { left: 0, right: 600 }, lines)[0]
  expect(place({ x1: 300, y1: 50, x2: 600, y2: 50 })).toMatchObject({ anchor: 'end', y: 50 })
  expect(place({ x1: 0, y1: 50, x2: 600, y2: 50 })?.y).toBe(65)
  const covered = [20, 35, 50, 65, 80].map((y) => ({ x1: 0, y1: y, x2: 600, y2: y }))
  expect(place(...covered)).toMatchObject({ anchor: 'start', y: 50 })
})

test('long names with the same start and end keep the whole words that differ', () => {
  const names = ['one-agent-of-ours~model-4.1~step-by-step', 'one-agent-of-ours~model-4.2-large~step-by-step']
  expect(unsharedNames(names, 10)).toEqual(['…4.1…', '…4.2-large…'])
  expect(unsharedNames(names)).toEqual(['…of-ours~model-4.1…', '…of-ours~model-4.2-large…'])
  expect(unsharedNames(['a~step-by-step', 'b~step-by-step'])).toEqual(['a~step-by-step', 'b~step-by-step'])
  expect(unsharedNames(['suite/a-very-long-name-of-a-case', 'suite/a-very-long-name-of-a-case/more'])).toEqual([
    '…long-name-of-a-case',
    '…long-name-of-a-case/more',
  ])
  expect(unsharedNames(['alone-and-with-a-very-long-name'])).toEqual(['alone-and-with-a-very-long-name'])
  const tasks = ['tests/adaptive-rejection-sampler/solved', 'tests/build-linux-kernel-qemu/solved']
  expect(unsharedNames(tasks)).toEqual(['adaptive-rejection-sampler', 'build-linux-kernel-qemu'])
})

test('long names keep their start and their end', () => {
  expect(shortLabel('a-rather-long-agent-name~terse', 16)).toHaveLength(16)
  expect(shortLabel('short', 16)).toBe('short')
})
