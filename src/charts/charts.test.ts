import { expect, test } from 'vitest'

import { placeLabels } from './place-labels.ts'
import type { Point } from './PointLayer.tsx'
import { seriesOf } from './series.ts'
import { cutMiddle } from './cut-names.ts'
import { shortNames } from './short-names.ts'
import { usd } from '#src/format/money.ts'
import { tickNames } from './tick-names.ts'
import { areEndsApart, legendRows, toTrendRows } from './trend/trend-rows.ts'
import { unsharedNames } from './unshared-names.ts'
import { scatterScales } from './scatter/scatter-scales.ts'
import type { ScatterGroup } from './scatter/scatter-group.ts'

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
  const highest = (ellipse: ScatterGroup['ellipse'], points: readonly Point[] = []) =>
    scatterScales([{ ...group, ellipse }], points, 'number').x.domain[1]
  expect(highest(group.ellipse)).toBe(15)
  expect(highest(null)).toBe(10)
  expect(highest(null, [{ id: '', x: 18, y: 0, group: '', series: 0 }])).toBe(20)
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

test('labels of names that differ in their middle stay apart in a narrow plot', () => {
  const names = ['alpha', 'beta', 'gamma'].map((word) => `coding-agent-${word}-with-a-long-name`)
  const labels = placeLabels(
    [...names, 'v1'].map((text, place) => ({ x: 40, y: 50 + 60 * place, text })),
    { left: 0, right: 300 },
  )
  const texts = labels.map((label) => label?.text)
  expect(new Set(texts).size).toBe(4)
  expect(texts.map((text = '') => text.length > 20)).not.toContain(true)
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
  expect(shortNames(['a-rather-long-agent-name~terse'], 16)[0]).toHaveLength(16)
  expect(shortNames(['short'], 16)).toEqual(['short'])
})

test('long names keep more of their end than of their start', () => {
  expect(cutMiddle('tests/roman.test.mjs::parses MCMXC', 16)).toBe('tests/…ses MCMXC')
  expect(cutMiddle('short', 16)).toBe('short')
})

test('a name is not cut for one letter, which its mark would cost as well', () => {
  expect(['three', 'seven!'].map((name) => cutMiddle(name, 4))).toEqual(['three', 's…n!'])
  expect(shortNames(['seventeen-letters'], 16)).toEqual(['seventeen-letters'])
})

test('names are cut where they are alike, and no two become the same', () => {
  const names = ['agent-one-with-a-long-name-a', 'agent-two-with-a-long-name-b', 'v1']
  const short = shortNames(names, 8)
  expect(new Set(short).size).toBe(3)
  expect(short[2]).toBe('v1')
  expect(shortNames(['v1', 'v2', 'v10'], 1)).toEqual(['v1', 'v2', 'v10'])
  expect(shortNames(['same-name-of-two', 'same-name-of-two'], 8)).toEqual(
    [0, 1].map(() => shortNames(['same-name-of-two'], 8)[0]),
  )
})

test('the labels of two ticks are never the same', () => {
  const rounded = (value: number) => value.toFixed(2)
  expect([0.1, 0.2].map(tickNames([0.1, 0.2], rounded))).toEqual(['0.10', '0.20'])
  expect([0.001, 0.002].map(tickNames([0.001, 0.002], rounded))).toEqual(['0.001', '0.002'])
})

test('every tick of an axis of dollars says its own amount', () => {
  const names = (ticks: number[]) => ticks.map(tickNames(ticks, usd))
  expect(names([0, 0.005, 0.01, 0.015])).toEqual(['$0.000', '$0.005', '$0.010', '$0.015'])
  expect(names([0, 5, 10])).toEqual(['$0.00', '$5.00', '$10.00'])
  expect(names([0, 2e-7, 4e-7])).toEqual(['$0.0000000', '$0.0000002', '$0.0000004'])
  expect(names([0.001, 0.01, 0.1, 1])).toEqual(['$0.001', '$0.01', '$0.10', '$1.00'])
})

test('a group has the same color in every chart, unless another group took it', () => {
  const alone = (name: string) => seriesOf([name]).get(name)
  const together = seriesOf(['careful', 'codex', 'hasty'])
  expect(alone('hasty')).toBe(alone('codex'))
  expect(['careful', 'codex'].map((name) => together.get(name))).toEqual([alone('careful'), alone('codex')])
  expect(new Set(together.values()).size).toBe(3)
  const twelve = [...seriesOf(Array.from({ length: 12 }, (_, place) => `agent ${place}`)).values()]
  expect(twelve.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 12 }).keys()])
})

test('a line is broken where only another line has a value, and intervals end at the edges of the plot', () => {
  const place = (x: string, value: number | null) => ({
    group: x,
    x,
    value,
    interval: value === null ? null : { low: -1, high: 2 },
    text: '',
    detail: '',
  })
  const lines = [
    { label: 'a', places: [place('v1', 0.25), place('v3', 0.5)] },
    { label: 'b', places: [place('v1', 0.75), place('v2', 0.5), place('v3', 0.5)] },
  ]
  const rows = toTrendRows(['v1', 'v2', 'v2b', 'v3'], lines, [0, 1])
  expect(rows.map(({ step, values }) => [step, ...values])).toEqual([
    [0, 0.25, 0.75],
    [1, null, 0.5],
    [3, 0.5, 0.5],
  ])
  expect(rows[0]?.errors).toEqual([
    [0.25, 0.75],
    [0.75, 0.25],
  ])
  expect(areEndsApart(rows, 300)).toBe(false)
  expect(areEndsApart(rows.slice(0, 1), 300)).toBe(true)
})

test('a legend of long names takes the rows that it needs, so that the plot below keeps its height', () => {
  const lines = (count: number) => Array.from({ length: count }, () => ({ label: 'orchestrator · claude-4-sonnet' }))
  expect([0, 1, 4].map((count) => legendRows(lines(count), 360))).toEqual([1, 1, 4])
  expect(legendRows(lines(9), 1168)).toBe(2)
})
