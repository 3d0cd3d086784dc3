import { asPrinted, pngOf } from '#src/ui/as-printed.ts'
import { keepStyles } from './keep-styles.ts'

const space = 'http://www.w3.org/2000/svg'

/** Room for labels that stand over the edge of a chart. */
const margin = 16

/** A drawing of its own: SVG without style sheets, in CSS pixels. */
export type Picture = { svg: SVGSVGElement; width: number; height: number }

/**
 * What a chart shows, on white and in the light theme: its drawing, legend and points. A heatmap is whole, also where the
 * screen scrolls.
 */
export const drawPicture = (chart: HTMLElement): Picture =>
  asPrinted(() => {
    const parts = [...chart.querySelectorAll<HTMLCanvasElement>('canvas[data-published="light"]:not([data-narrow])')]
    return parts.length > 0 ? stack(parts) : drawElement(chart)
  })

/** The canvases of a heatmap one below the other. They are not laid out on the screen. */
function stack(parts: readonly HTMLCanvasElement[]): Picture {
  const layers: SVGElement[] = []
  let [top, width] = [0, 0]
  for (const canvas of parts) {
    const wide = Number.parseFloat(canvas.style.width)
    const high = (wide * canvas.height) / canvas.width
    layers.push(layer(pngOf(canvas), { x: 0, y: top, width: wide, height: high }))
    top += high
    width = Math.max(width, wide)
  }
  return toPicture({ width, height: top }, layers)
}

function drawElement(chart: HTMLElement): Picture {
  const { left, top, width, height } = chart.getBoundingClientRect()
  return toPicture({ width, height }, partsOf(chart, { left, top }))
}

function toPicture({ width, height }: { width: number; height: number }, parts: readonly SVGElement[]): Picture {
  const [wide, high] = [Math.ceil(width) + 2 * margin, Math.ceil(height) + 2 * margin]
  const svg = make('svg', { width: wide, height: high, viewBox: `0 0 ${wide} ${high}` })
  const content = make('g', { transform: `translate(${margin} ${margin})` })
  content.append(...parts)
  svg.append(make('rect', { width: wide, height: high, fill: 'white' }), content)
  return { svg, width: wide, height: high }
}

type Origin = { left: number; top: number }

/** Controls, tooltips and texts for screen readers are left out of a picture. */
const isLeftOut = (element: HTMLElement) => {
  const { display, visibility } = getComputedStyle(element)
  const { width, height } = element.getBoundingClientRect()
  return (
    element.matches('button, .recharts-tooltip-wrapper') ||
    display === 'none' ||
    visibility === 'hidden' ||
    (element.childElementCount === 0 && width <= 1 && height <= 1)
  )
}

/** The parts of an element from back to front. */
const partsOf = (element: HTMLElement, origin: Origin): SVGElement[] =>
  Array.from(element.childNodes).flatMap((node) => {
    if (node instanceof SVGSVGElement) return [copyOf(node, origin)]
    if (node instanceof HTMLCanvasElement) return [layer(pngOf(node), placeOf(node, origin))]
    if (node instanceof HTMLImageElement) return [layer(node.src, placeOf(node, origin))]
    if (node instanceof HTMLElement) return isLeftOut(node) ? [] : partsOf(node, origin)
    return node instanceof Text ? linesOf(node, element, origin) : []
  })

function placeOf(element: Element, { left, top }: Origin) {
  const box = element.getBoundingClientRect()
  return { x: box.left - left, y: box.top - top, width: box.width, height: box.height }
}

function copyOf(drawing: SVGSVGElement, origin: Origin) {
  // A copy of nodes and not of markup, whose styles the page's policy refuses.
  const copy = drawing.cloneNode(true) as SVGSVGElement
  copy.removeAttribute('style')
  keepStyles(drawing, copy, '*')
  for (const control of copy.querySelectorAll('.recharts-brush')) control.remove()
  const { width, height } = drawing.getBoundingClientRect()
  const viewBox = drawing.getAttribute('viewBox') ?? `0 0 ${width} ${height}`
  setAll(copy, { ...placeOf(drawing, origin), viewBox, overflow: 'visible' })
  return copy
}

/** How far below the top of a line its letters stand, as a share of its height. */
const baseline = 0.8

/** A text as the lines into which the page breaks it. */
function linesOf(text: Text, parent: HTMLElement, { left, top }: Origin): SVGElement[] {
  const range = document.createRange()
  const lines: { words: string[]; box: DOMRect }[] = []
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    const box = range.getBoundingClientRect()
    const last = lines.at(-1)
    if (last && Math.abs(last.box.top - box.top) < 2) last.words.push(word)
    else if (box.width > 0) lines.push({ words: [word], box })
  }
  const { color, fontFamily, fontSize, fontWeight } = getComputedStyle(parent)
  return lines.map(({ words, box }) => {
    const line = make('text', { x: box.left - left, y: box.top - top + box.height * baseline })
    Object.assign(line.style, { fill: color, fontFamily, fontSize, fontWeight })
    line.textContent = words.join(' ')
    return line
  })
}

const layer = (source: string | null, box: Readonly<Record<string, number>>) =>
  make('image', { ...box, href: source ?? '' })

function make<Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Attributes) {
  const element = document.createElementNS(space, name)
  setAll(element, attributes)
  return element
}

type Attributes = Readonly<Record<string, string | number>>

function setAll(element: SVGElement, attributes: Attributes) {
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, typeof value === 'number' ? String(Number(value.toFixed(2))) : value)
}
