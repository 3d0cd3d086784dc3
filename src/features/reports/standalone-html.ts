import { readImage } from '#src/api/report-images.ts'
import { escapeHtml } from '#src/format/escape-html.ts'
import { keepStyles } from '#src/charts/picture/keep-styles.ts'
import { asPrinted, pngOf } from '#src/ui/as-printed.ts'

/** The report as a file of its own: a complete HTML page, which contains no HTML from users. */
export const toHtmlFile = async (title: string, rendered: HTMLElement) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title>
<style>
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif }
pre { overflow-x: auto; padding: .5rem .75rem; background: #f7f7f8 }
blockquote { margin-left: 0; padding-left: .75rem; border-left: 2px solid #d3d3d9 }
table { border-collapse: collapse } th, td { padding: .25rem .75rem .25rem 0; text-align: left; border-bottom: 1px solid #e7e7ea }
figure { margin: 1rem 0; padding: .5rem .75rem; border: 1px solid #e7e7ea }
figcaption > * { margin-right: .5rem }
svg, img { max-width: 100%; height: auto }
</style>
${await toStandaloneHtml(rendered)}
</html>
`

/**
 * Returns the report as self-contained HTML: links point to this app, drawings keep their styles, and live-only
 * controls are removed, as is the margin with comments and readers. Load all figures before.
 */
export async function toStandaloneHtml(rendered: HTMLElement): Promise<string> {
  const copy = asPrinted(() => copyOf(rendered))
  for (const margin of copy.querySelectorAll('[data-margin]')) margin.remove()
  for (const link of copy.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')) link.setAttribute('href', link.href)
  for (const button of copy.querySelectorAll('button')) {
    const picture = button.querySelector('svg[viewBox]:not(.tabler-icon), img')
    button.replaceWith(...(picture ? [picture] : textInCell(button)))
  }
  await Promise.all(Array.from(copy.querySelectorAll<HTMLImageElement>('img:not([src^="data:"])'), inlineImage))
  // A drawn formula needs styles and fonts that a separate file does not have.
  for (const formula of copy.querySelectorAll<HTMLElement>('[data-formula]'))
    formula.replaceChildren(formula.dataset['formula'] ?? '')
  for (const element of copy.querySelectorAll('*')) element.removeAttribute('class')
  return copy.innerHTML
}

async function inlineImage(image: HTMLImageElement) {
  const source = image.getAttribute('src') ?? ''
  // Without the image, its alt text is shown.
  image.setAttribute('src', await readImage(source).catch(() => ''))
}

function copyOf(rendered: HTMLElement): HTMLElement {
  const copy = document.createElement('div')
  copy.append(...rendered.cloneNode(true).childNodes)
  keepStyles(rendered, copy)
  copy.querySelectorAll('svg').forEach(keepProportions)
  keepCanvases(rendered, copy)
  for (const backdrop of copy.querySelectorAll('[data-backdrop]')) joinBackdrop(backdrop)
  for (const chart of copy.querySelectorAll('.recharts-responsive-container')) unwrapChart(chart)
  return copy
}

/** What a button in a cell says, such as the heading of a sorted column. Buttons of Mantine are controls. */
const textInCell = (button: HTMLButtonElement) =>
  button.matches(':is(td, th) button:not(.mantine-Button-root)')
    ? Array.from(button.childNodes).filter((node) => !(node instanceof SVGElement))
    : []

/** Pixels are not copied with a canvas. */
function keepCanvases(rendered: HTMLElement, copy: HTMLElement) {
  const copies = Array.from(copy.querySelectorAll('canvas'))
  for (const [place, original] of rendered.querySelectorAll('canvas').entries()) {
    const twin = copies[place]
    const source = pngOf(original)
    // The heatmap of the screen shows only a part of the one beside it.
    const screen = twin?.closest('[data-unpublished]')
    if (screen) screen.remove()
    else if (source === null || original.dataset['published'] === 'dark' || original.dataset['narrow']) twin?.remove()
    else twin?.replaceWith(toImage(original, source))
  }
}

function toImage(canvas: HTMLCanvasElement, source: string) {
  const image = document.createElement('img')
  image.src = source
  image.alt = canvas.getAttribute('aria-label') ?? ''
  image.setAttribute('width', canvas.style.width.replace('px', ''))
  return image
}

/** Moves the points below a chart into the chart, because nothing positions them in a separate file. */
function joinBackdrop(backdrop: Element) {
  const drawing = backdrop.nextElementSibling?.querySelector('svg')
  if (drawing) drawing.prepend(...Array.from(backdrop.querySelectorAll('img'), (layer) => toLayer(layer, drawing)))
  backdrop.remove()
}

/** Without the size that the chart had here, which a phone may not have, and without its tooltip. */
function unwrapChart(chart: Element) {
  const drawing = chart.querySelector<SVGElement>('svg.recharts-surface')
  drawing?.setAttribute('role', 'img')
  drawing?.style.removeProperty('height')
  drawing?.style.setProperty('max-width', `${drawing.getAttribute('width')}px`)
  chart.replaceWith(...chart.querySelectorAll('.recharts-legend-wrapper > *'), ...(drawing ? [drawing] : []))
}

function toLayer({ src }: HTMLImageElement, drawing: SVGElement) {
  const layer = document.createElementNS('http://www.w3.org/2000/svg', 'image')
  layer.setAttribute('href', src)
  for (const side of ['width', 'height']) layer.setAttribute(side, drawing.getAttribute(side) ?? '')
  return layer
}

/** Without a view box, the file would draw it at the height of its default. */
function keepProportions(drawing: SVGElement) {
  const [width, height] = [Number(drawing.getAttribute('width')), Number(drawing.getAttribute('height'))]
  if (!drawing.hasAttribute('viewBox') && width > 0 && height > 0)
    drawing.setAttribute('viewBox', `0 0 ${width} ${height}`)
}
