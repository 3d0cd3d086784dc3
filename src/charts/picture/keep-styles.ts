/** The styles that a drawing gets from style sheets, which a file of its own does not have. */
const drawn = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-size',
  'font-weight',
  'font-family',
  'text-anchor',
  'dominant-baseline',
] as const

/** Writes the computed styles of every drawing below an element into the same drawing of its copy. */
export function keepStyles(rendered: Element, copy: Element, of = 'svg, svg *') {
  const copies = copy.querySelectorAll<SVGElement>(of)
  for (const [place, original] of rendered.querySelectorAll<SVGElement>(of).entries()) {
    const style = getComputedStyle(original)
    for (const name of drawn) copies[place]?.style.setProperty(name, style.getPropertyValue(name))
  }
}
