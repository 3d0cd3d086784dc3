import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

type Color = readonly [number, number, number]

const sheet = readFileSync(new URL('series.css', import.meta.url), 'utf8')
const [light = [], dark = []] = sheet
  .split(':root[')
  .map((theme) => Array.from(theme.matchAll(/--series-\d: #(\w{6})/g), ([, hex = '']) => linear(hex)))

function linear(hex: string): Color {
  const part = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(0), part(2), part(4)]
}

const times = (rows: readonly Color[], [r, g, b]: Color): Color => {
  const [x = 0, y = 0, z = 0] = rows.map((row) => row[0] * r + row[1] * g + row[2] * b)
  return [x, y, z]
}

/** Machado and others (2009): what people see who lack one kind of cone. */
const eyes: Record<string, readonly Color[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** In Oklab, where equal distances look equal. */
function seen(color: Color, eye: readonly Color[]): Color {
  const [r, g, b] = times(eye, color).map((value) => Math.min(1, Math.max(0, value)))
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    [r ?? 0, g ?? 0, b ?? 0],
  )
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])],
  )
}

const luminance = ([r, g, b]: Color) => 0.2126 * r + 0.7152 * g + 0.0722 * b

test.each([
  ['light', light, linear('ffffff')],
  ['dark', dark, linear('111114')],
])(
  'the eight colors of the %s theme stay apart, also for color-blind eyes, and stand out from the page',
  (_, colors, page) => {
    expect(colors).toHaveLength(8)
    for (const [name, eye] of Object.entries(eyes)) {
      const all = colors.map((color) => seen(color, eye))
      const distances = all.flatMap((one, place) =>
        all.slice(place + 1).map((other) => Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)))),
      )
      expect(Math.min(...distances), name).toBeGreaterThan(0.08)
    }
    for (const color of colors) {
      const [more = 0, less = 0] = [luminance(color), luminance(page)].toSorted((a, b) => b - a)
      expect((more + 0.05) / (less + 0.05)).toBeGreaterThanOrEqual(3)
    }
  },
)
