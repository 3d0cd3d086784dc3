import { type OutcomeCounts, countedTests, passRate } from '#contract/outcomes.ts'
import { percent } from '#src/format/numbers.ts'

/** The theme's colours as the canvas needs them. */
export type HeatmapPalette = {
  scale: string[]
  ink: string
  inkStrong: string
  text: string
  dimmed: string
  line: string
  body: string
  accent: string
  gap: string
  fontSize: number
  textFont: string
  monoFont: string
}

const steps = 20

const palettes = new Map<string, HeatmapPalette>()

/** Reading computed styles forces a layout, so each colour scheme is read once and not once a frame. */
export function paletteOf(scheme: string, element: Element): HeatmapPalette {
  const palette = palettes.get(scheme) ?? readPalette(element)
  palettes.set(scheme, palette)
  return palette
}

/** Pass rate 0 → 1 in twenty-one steps between the theme's fail, half and pass colours. */
function readPalette(element: Element): HeatmapPalette {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const [fail, half, pass] = [color('--heat-fail'), color('--heat-half'), color('--heat-pass')].map(readHex)
  return {
    scale: Array.from({ length: steps + 1 }, (_, step) => {
      const rate = step / steps
      return rate < 0.5 ? mix(fail, half, rate * 2) : mix(half, pass, rate * 2 - 1)
    }),
    ink: color('--heat-ink'),
    inkStrong: color('--heat-ink-strong'),
    text: color('--text'),
    dimmed: color('--text-muted'),
    line: color('--line'),
    body: color('--surface'),
    accent: color('--accent-text'),
    gap: color('--status-skipped'),
    fontSize: 12,
    textFont: color('--mantine-font-family'),
    monoFont: color('--mono'),
  }
}

type Rgb = [number, number, number]

const readHex = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const mix = (from: Rgb = [0, 0, 0], to: Rgb = [0, 0, 0], share: number) =>
  `rgb(${from.map((channel, index) => Math.round(channel + ((to[index] ?? channel) - channel) * share)).join(' ')})`

/** Anything short of always is never painted as always: only 0 and 1 get the ends of the scale. */
export function scaleStep(rate: number) {
  if (rate === 0 || rate === 1) return rate * steps
  return Math.max(1, Math.min(steps - 1, Math.round(rate * steps)))
}

/** What stands in a cell: a glyph at the ends, the percentage between, with its denominator where there is room. */
export function cellText(counts: OutcomeCounts, hasRoom: boolean) {
  const rate = passRate(counts)
  if (rate === null) return '–'
  const mark = rate === 1 ? '✓' : rate === 0 ? '✕' : percent(rate).slice(0, hasRoom ? undefined : -1)
  return hasRoom ? `${mark}  ${counts.passed}/${countedTests(counts)}` : mark
}
