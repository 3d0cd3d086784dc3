import {
  isPublishedAttribute,
  type PublishedDocument,
  type PublishedNode,
  publishedTags,
} from '#contract/published-document.ts'
import { asPrinted, pngOf } from '#src/ui/as-printed.ts'
import { exactTime } from '#src/format/dates.ts'
import { withUnbrokenPercents } from '#src/format/numbers.ts'
import { captureRules, captureVariables, readStyles } from './capture-styles.ts'

/** What a reader does not see, or what is only for members. */
const omitted =
  '[data-margin], [data-unpublished], script, style, link, template, title, desc, semantics > annotation, select, textarea, .mantine-VisuallyHidden-root, .tabler-icon'

/** Elements that the public page has no use for, and the ones in their place. */
const replaced: Record<string, string> = {
  article: 'div',
  aside: 'div',
  button: 'span',
  fieldset: 'div',
  footer: 'div',
  header: 'div',
  label: 'span',
  legend: 'div',
  main: 'div',
  output: 'div',
  section: 'div',
  semantics: 'mrow',
  samp: 'code',
}

const imageOfReport = /\/report-images\/([0-9a-f-]{36})(?:\?|$)/

/** Charts as they are drawn in a narrow window. */
type NarrowCharts = ReadonlyMap<Element, readonly PublishedNode[]>

type Writing = { nodes: PublishedNode[]; now: string; narrow: NarrowCharts }

const none: NarrowCharts = new Map()

/** Copies the charts of a report as they are drawn now. */
export const captureCharts = (root: HTMLElement): NarrowCharts =>
  new Map(
    Array.from(root.querySelectorAll('[data-chart]'), (chart) => {
      const writing: Writing = { nodes: [], now: '', narrow: none }
      write(chart, -1, writing)
      return [chart, writing.nodes]
    }),
  )

/**
 * Copies a drawn report for the public: what is visible, without controls, links into the app, comments and ids. Draw all
 * figures before. Charts that are also drawn for a narrow window are in the copy twice.
 */
export function capturePage(root: HTMLElement, narrow: NarrowCharts = none): PublishedDocument {
  return asPrinted(() => {
    const writing: Writing = { nodes: [], now: new Date().toISOString(), narrow }
    write(root, -1, writing)
    const rules = captureRules(root)
    const known = namesIn(rules.map(({ selector }) => selector).join(' '))
    const ids = new Set(writing.nodes.flatMap(linkedIds))
    const nodes = writing.nodes.map((node) => withoutUnused(node, known, ids))
    // Charts have their colors in attributes: `fill="var(--series-1)"`.
    const own = nodes.flatMap((node) => ('tag' in node ? [node.styles ?? {}, node.attributes ?? {}] : []))
    return { nodes, rules, variables: captureVariables(root, [...rules.map(({ styles }) => styles), ...own]) }
  })
}

function write(element: Element, parent: number, writing: Writing) {
  if (element.matches(omitted) || isHidden(element)) return
  const narrow = writing.narrow.get(element)
  if (!narrow) return writeElement(element, parent, writing)
  const { nodes } = writing
  const boxFor = (width: 'wide' | 'narrow') =>
    nodes.push({ in: parent, tag: 'div', attributes: { class: `published-${width}` } }) - 1
  writeElement(element, boxFor('wide'), writing)
  const box = boxFor('narrow')
  const first = nodes.length
  nodes.push(...narrow.map((node) => ({ ...withOwnIds(node), in: node.in === -1 ? box : node.in + first })))
}

/** The parts that a drawing refers to, such as clip paths, have the same ids in its two copies. */
function withOwnIds(node: PublishedNode): PublishedNode {
  if (!('tag' in node) || !node.attributes) return node
  const attributes = Object.fromEntries(
    Object.entries(node.attributes).map(([name, value]) => [
      name,
      name === 'id' ? `${value}-narrow` : value.replace(/^url\("?#([\w-]+)"?\)$/, 'url(#$1-narrow)'),
    ]),
  )
  return { ...node, attributes }
}

function writeElement(element: Element, parent: number, writing: Writing): void {
  const { nodes } = writing
  const tag = tagOf(element)
  if (tag === null) return writeAll(element, parent, writing)
  if (element instanceof HTMLInputElement) {
    if (element.type === 'checkbox') nodes.push({ in: parent, text: element.checked ? '☑ ' : '☐ ' })
    return undefined
  }
  if (element instanceof HTMLCanvasElement) return writeCanvas(element, parent, writing)
  if (element instanceof HTMLElement && element.dataset['formula'] !== undefined) {
    const formula = element.querySelector('math')
    if (formula) return write(formula, parent, writing)
  }
  // The width of the root is that of the drawing, which is not that of the public page.
  const isStyled = parent !== -1 && (element instanceof HTMLElement || element instanceof SVGElement)
  const styles = isStyled ? readStyles(element.style) : {}
  // Its box is a character here.
  if (tag === 'li' && element.querySelector(':scope > input')) styles['list-style'] = 'none'
  const [, image] = (element instanceof HTMLImageElement && imageOfReport.exec(element.src)) || []
  if (tag === 'img' && image === undefined) return undefined
  const place = nodes.push({
    in: parent,
    tag,
    attributes: attributesOf(element, tag),
    ...(Object.keys(styles).length > 0 && { styles }),
    ...(image !== undefined && { image }),
  })
  if (element instanceof HTMLTimeElement && element.dateTime) {
    nodes.push({ in: place - 1, text: exactTime(element.dateTime) })
    return undefined
  }
  writeAll(element, place - 1, writing)
  if (isPrivateLink(element) && !element.closest('figure') && !element.textContent?.startsWith('@')) {
    const note = nodes.push({ in: place - 1, tag: 'small', attributes: { class: 'published-private' } })
    nodes.push({ in: note - 1, text: ' (not public)' })
  }
  if (element instanceof HTMLElement && element.dataset['figure'] !== undefined)
    writeDate(element.dataset['asOf'] ?? writing.now, place - 1, writing)
  return undefined
}

function writeAll(element: Element, parent: number, writing: Writing) {
  for (const child of element.childNodes) {
    if (child instanceof Element) write(child, parent, writing)
    else if (child instanceof Text && child.data !== '')
      // Code is copied as it is.
      writing.nodes.push({ in: parent, text: element.closest('code') ? child.data : withUnbrokenPercents(child.data) })
  }
}

/** Every figure of the public page is of a time, which is in the page. */
function writeDate(at: string, parent: number, { nodes }: Writing) {
  const line = nodes.push({ in: parent, tag: 'p', attributes: { class: 'published-figure-date' } })
  nodes.push({ in: line - 1, text: 'As of ' })
  const time = nodes.push({ in: line - 1, tag: 'time', attributes: { datetime: at } })
  nodes.push({ in: time - 1, text: exactTime(at) })
}

function writeCanvas(canvas: HTMLCanvasElement, parent: number, { nodes }: Writing) {
  const png = pngOf(canvas)?.split(',')[1]
  if (!png) return
  const theme = canvas.dataset['published']
  const isPrinted = theme !== undefined
  const narrow = canvas.dataset['narrow'] ? ' published-narrow' : ''
  nodes.push({
    in: parent,
    tag: 'img',
    attributes: {
      class: isPrinted ? `published-drawing published-in-${theme}${narrow}` : canvas.className,
      alt: canvas.getAttribute('aria-label') ?? '',
      width: canvas.style.width.replace('px', ''),
      ...(!isPrinted && { height: canvas.style.height.replace('px', '') }),
    },
    png,
  })
}

/** An element that is drawn for the public only is hidden here. */
function isHidden(element: Element) {
  if (element.closest('[data-published]')) return false
  const { display, visibility } = getComputedStyle(element)
  if (display === 'none') return element.querySelector('[data-published]') === null
  return visibility === 'hidden' && element instanceof HTMLElement
}

const isPrivateLink = (element: Element) =>
  element instanceof HTMLAnchorElement && !isPublishedAttribute('href', element.getAttribute('href') ?? '')

/** Null if only what is in the element is copied. */
function tagOf(element: Element): string | null {
  if (element instanceof SVGElement) {
    if (element.localName === 'a') return 'g'
    return publishedTags.svg.has(element.localName) ? element.localName : null
  }
  if (element.namespaceURI?.endsWith('MathML'))
    return publishedTags.math.has(element.localName) ? element.localName : 'mrow'
  const name = element.localName
  if (isPrivateLink(element)) return 'span'
  // A drawing in a button has no key of its own here.
  if (name === 'button' && element.querySelector('svg[viewBox]:not(.tabler-icon), canvas')) return null
  if (name === 'canvas' || name === 'input') return name
  return replaced[name] ?? (publishedTags.html.has(name) ? name : 'span')
}

function attributesOf(element: Element, tag: string): Record<string, string> {
  const kept: Record<string, string> = {}
  const scrolls = /auto|scroll/.test(getComputedStyle(element).overflow)
  for (const { name, value } of element.attributes) {
    if (name === 'tabindex' && !scrolls) continue
    // Text that looks like a link, but leads nowhere.
    if (name === 'class' && (isPrivateLink(element) || element.hasAttribute('data-mention'))) continue
    if ((name === 'width' || name === 'height') && value === '') continue
    // Only an element with a role can have a name.
    if (name === 'aria-label' && (tag === 'div' || tag === 'span') && !element.hasAttribute('role')) continue
    // The parts of figures would be landmarks of the page, several with the same name.
    if (name === 'role' && value === 'region') kept[name] = 'group'
    // Nothing moves there.
    else if (name === 'role' && value === 'application') kept[name] = 'img'
    else if (isPublishedAttribute(name, value)) kept[name] = value
  }
  // Hidden here, and shown there.
  if (element.querySelector('[data-published]') && getComputedStyle(element).display === 'none') delete kept['class']
  return kept
}

const linkedIds = (node: PublishedNode) => {
  const { attributes = {} } = 'tag' in node ? node : {}
  const href = attributes['href']
  const parts = Object.values(attributes).flatMap((value) => /^url\("?#([\w-]+)"?\)$/.exec(value)?.[1] ?? [])
  return href?.startsWith('#') ? [decodeURIComponent(href.slice(1)), ...parts] : parts
}

/** The classes and the data attributes that selectors name. */
const namesIn = (selectors: string) => ({
  classes: new Set(Array.from(selectors.matchAll(/\.(-?[\w-]+)/g), ([, name = '']) => name)),
  data: new Set(Array.from(selectors.matchAll(/\[(data-[\w-]+)/g), ([, name = '']) => name)),
})

/** Leaves out classes, data and ids that nothing on the public page refers to: they would only reveal internals of the app. */
function withoutUnused(
  node: PublishedNode,
  known: ReturnType<typeof namesIn>,
  ids: ReadonlySet<string>,
): PublishedNode {
  if (!('tag' in node) || !node.attributes) return node
  const attributes: Record<string, string> = {}
  for (const [name, value] of Object.entries(node.attributes)) {
    if (name.startsWith('data-') && !known.data.has(name)) continue
    if (name === 'id' && !ids.has(value)) continue
    const kept = name === 'class' ? usedClasses(value, known.classes) : value
    if (name !== 'class' || kept !== '') attributes[name] = kept
  }
  const { attributes: _all, ...rest } = node
  return Object.keys(attributes).length > 0 ? { ...rest, attributes } : rest
}

const usedClasses = (value: string, known: ReadonlySet<string>) =>
  value
    .split(/\s+/)
    .filter((name) => known.has(name) || name.startsWith('published-'))
    .join(' ')
