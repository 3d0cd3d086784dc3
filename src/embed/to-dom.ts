import type { Markup } from './markup.ts'

const svg = 'http://www.w3.org/2000/svg'

/** Creates elements from markup. It sets only attributes and text, so a result is never parsed as HTML. */
export function toDom({ tag, attributes, children }: Markup, inSvg = false): Element {
  const isSvg = inSvg || tag === 'svg'
  const element = isSvg ? document.createElementNS(svg, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name === 'className' ? 'class' : name, String(value))
  }
  element.append(...children.map((child) => (typeof child === 'string' ? child : toDom(child, isSvg))))
  return element
}
