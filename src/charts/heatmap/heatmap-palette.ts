import { type OutcomeCounts, countedTests, passRate } from '#contract/outcomes.ts'
import { percent } from '#src/format/numbers.ts'

/** The theme's colors for the canvas. */
export type HeatmapPalette = {
  /** Worse than the row → as the row → better, each step with its most readable text color. */
  scale: { fill: string; ink: string }[]
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

export type ColorScheme = 'light' | 'dark'

const palettes = new Map<ColorScheme, HeatmapPalette>()

/** Reading computed styles forces a layout, so they are read once per color scheme and not in every frame. */
export function paletteOf(scheme: ColorScheme, element: Element): HeatmapPalette {
  const palette = palettes.get(scheme) ?? inScheme(scheme, () => readPalette(element))
  palettes.set(scheme, palette)
  return palette
}

/** The page may have the other scheme: what is drawn for a public page has both. */
function inScheme(scheme: ColorScheme, read: () => HeatmapPalette): HeatmapPalette {
  const page = document.documentElement
  const attribute = 'data-mantine-color-scheme'
  const now = page.getAttribute(attribute)
  page.setAttribute(attribute, scheme)
  const palette = read()
  if (now === null) page.removeAttribute(attribute)
  else page.setAttribute(attribute, now)
  return palette
}

/** From worse to better in twenty-one steps between the theme's colors, with the quiet one of the ordinary in the middle. */
function readPalette(element: Element): HeatmapPalette {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const [worse, ordinary, better] = [color('--heat-worse'), color('--heat-ordinary'), color('--heat-better')].map(
    readHex,
  )
  const inks = [color('--heat-ink'), color('--heat-ink-strong')]
  return {
    scale: Array.from({ length: steps + 1 }, (_, step) => {
      const rate = step / steps
      const fill = rate < 0.5 ? mix(worse, ordinary, rate * 2) : mix(ordinary, better, rate * 2 - 1)
      return { fill: `rgb(${fill.join(' ')})`, ink: pickReadableInk(inks, fill) }
    }),
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

/** The build writes `#ffffff` as `#fff`. */
function readHex(hex: string): Rgb {
  const size = hex.length === 4 ? 1 : 2
  const channel = (place: number) => {
    const digits = hex.slice(1 + place * size, 1 + (place + 1) * size)
    return Number.parseInt(size === 1 ? digits + digits : digits, 16)
  }
  return [channel(0), channel(1), channel(2)]
}

const mix = (from: Rgb = [0, 0, 0], to: Rgb = [0, 0, 0], share: number) =>
  from.map((channel, index) => Math.round(channel + ((to[index] ?? channel) - channel) * share)) as Rgb

/** WCAG relative luminance. */
function luminance(rgb: Rgb) {
  const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: Rgb, b: Rgb) {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other)
  return (light + 0.05) / (dark + 0.05)
}

export const pickReadableInk = (inks: readonly string[], fill: Rgb) =>
  inks.toSorted((a, b) => contrast(readHex(b), fill) - contrast(readHex(a), fill))[0] ?? ''

/** Differences from the row below this are ordinary. */
const ordinaryPoints = 0.1

/**
 * The step of a cell: how much better or worse its rate is than that of its whole row. A failure that every group shares
 * is ordinary, and so without a color. Where there is one group, what fails stands out.
 */
export function scaleStep(rate: number, rowRate: number | null, groups: number) {
  if (groups < 2 || rowRate === null) return Math.round((rate / 2) * steps)
  const difference = rate - rowRate
  if (Math.abs(difference) < ordinaryPoints) return steps / 2
  return Math.round(((difference + 1) / 2) * steps)
}

/** The text in a cell: a glyph for 0 and 1, otherwise the percentage, with its denominator if there is room. */
export function cellText(counts: OutcomeCounts, hasRoom: boolean) {
  const rate = passRate(counts)
  if (rate === null) return '–'
  const mark = rate === 1 ? '✓' : rate === 0 ? '✕' : hasRoom ? percent(rate) : percent(rate).replace(' %', '')
  return hasRoom ? `${mark}  ${counts.passed}/${countedTests(counts)}` : mark
}
