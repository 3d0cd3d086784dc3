import { readImage } from '#src/api/report-images.ts'

/** The styles that a drawing gets from style sheets, which a separate file does not have. */
const drawn = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-weight',
  'font-family',
  'text-anchor',
  'dominant-baseline',
] as const

/**
 * Returns the report as self-contained HTML: links point to this app, drawings keep their styles, and live-only
 * controls are removed, as is the margin with comments and readers.
 */
export async function toStandaloneHtml(rendered: HTMLElement): Promise<string> {
  const copy = rendered.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  keepDrawings(rendered, copy)
  for (const margin of copy.querySelectorAll('[data-margin]')) margin.remove()
  for (const link of copy.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')) link.setAttribute('href', link.href)
  for (const button of copy.querySelectorAll('button')) {
    const picture = button.querySelector('svg[viewBox]:not(.tabler-icon)')
    button.replaceWith(...(picture ? [picture] : []))
  }
  await Promise.all(Array.from(copy.querySelectorAll('img'), inlineImage))
  for (const live of copy.querySelectorAll('.rc output, .rc .mantine-VisuallyHidden-root')) live.remove()
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

function keepDrawings(rendered: HTMLElement, copy: HTMLElement) {
  const copies = copy.querySelectorAll<SVGElement>('svg, svg *')
  const page = getComputedStyle(document.body).backgroundColor
  for (const [place, original] of rendered.querySelectorAll<SVGElement>('svg, svg *').entries()) {
    const twin = copies[place]
    const style = getComputedStyle(original)
    for (const name of drawn) twin?.style.setProperty(name, style.getPropertyValue(name))
    // The dark theme's colors need its background.
    if (original.localName === 'svg') twin?.style.setProperty('background', page)
  }
}
