import {
  isPublishedAttribute,
  isPublishedCondition,
  isPublishedSelector,
  isPublishedStyle,
  type PublishedDocument,
  type PublishedElement,
  type PublishedRule,
  publishedTags,
} from '#contract/published-document.ts'

const spaces = { svg: 'http://www.w3.org/2000/svg', math: 'http://www.w3.org/1998/Math/MathML' }

/** The class of the element that the report's own styles apply in, and nowhere else. */
const scopeClass = 'published-scope'

type ImageSource = (place: string) => string

/** Creates the elements of a published report. It sets only what the lists allow, so nothing of it is parsed or runs. */
export function drawDocument({ nodes }: PublishedDocument, imageSource: ImageSource): HTMLElement {
  const scope = document.createElement('div')
  scope.className = scopeClass
  const drawn: (Element | Text)[] = []
  for (const node of nodes) {
    const parent = node.in === -1 ? scope : drawn[node.in]
    const made = 'text' in node ? document.createTextNode(node.text) : drawElement(node, parent, imageSource)
    if (parent instanceof Element) parent.append(made)
    drawn.push(made)
  }
  return scope
}

function drawElement(node: PublishedElement, parent: Element | Text | undefined, imageSource: ImageSource): Element {
  const { tag, attributes = {}, styles = {}, image, png } = node
  const space = spaceOf(tag, parent)
  const element = space ? document.createElementNS(spaces[space], tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (isPublishedAttribute(name, value)) element.setAttribute(name, value)
  if (element instanceof HTMLElement || element instanceof SVGElement)
    for (const [name, value] of Object.entries(styles))
      if (isPublishedStyle(name, value)) element.style.setProperty(name, value)
  if (element instanceof HTMLImageElement) {
    if (png !== undefined) element.src = `data:image/png;base64,${png}`
    else if (image !== undefined) element.src = imageSource(image)
  }
  if (element instanceof HTMLAnchorElement && !element.getAttribute('href')?.startsWith('#')) {
    element.target = '_blank'
    element.rel = 'noopener noreferrer nofollow'
  }
  return element
}

/** An element of another name is an empty one. */
function spaceOf(tag: string, parent: Element | Text | undefined): keyof typeof spaces | null {
  if (tag === 'svg' || tag === 'math') return tag
  const outer = parent instanceof Element ? parent.namespaceURI : null
  for (const space of ['svg', 'math'] as const)
    if (outer === spaces[space] && publishedTags[space].has(tag)) return space
  return null
}

/** The report's own styles, for `document.adoptedStyleSheets`. They apply only in the drawn report. */
export function styleDocument({ rules, variables }: PublishedDocument): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  const scoped = (theme: string, styles: Record<string, string>) => `${theme}.${scopeClass}{${textOf(styles)}}`
  add(sheet, scoped('', variables.light))
  add(sheet, scoped(`[data-mantine-color-scheme='dark'] `, variables.dark))
  for (const rule of rules) if (isSafe(rule)) add(sheet, toText(rule))
  return sheet
}

const isSafe = ({ selector, within = [] }: PublishedRule) =>
  isPublishedSelector(selector) && within.every(isPublishedCondition)

function toText({ selector, within = [], styles }: PublishedRule) {
  const rule = `@scope (.${scopeClass}){${selector}{${textOf(styles)}}}`
  return within.reduceRight((inner, condition) => `${condition}{${inner}}`, rule)
}

const textOf = (styles: Record<string, string>) =>
  Object.entries(styles)
    .filter(([name, value]) => isPublishedStyle(name, value))
    .map(([name, value]) => `${name}:${value};`)
    .join('')

/** A rule that the browser does not understand is left out. */
function add(sheet: CSSStyleSheet, text: string) {
  try {
    sheet.insertRule(text, sheet.cssRules.length)
  } catch {
    // The report is readable without it.
  }
}
