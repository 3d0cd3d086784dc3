import { z } from 'zod'

/**
 * A published report as it was drawn: elements and the styles they had, in lists of what is allowed. It is built from
 * elements, attributes and texts, and never parsed as HTML or as a style sheet.
 */

const words = (text: string) => new Set(text.split(/\s+/))

/** The elements of a published report, by their namespace. */
export const publishedTags: Readonly<Record<'html' | 'svg' | 'math', ReadonlySet<string>>> = {
  html: words(
    `a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img
    ins kbd li mark nav ol p pre q s small span strong sub summary sup table tbody td tfoot th thead time tr u ul`,
  ),
  svg: words(
    'svg circle clipPath defs ellipse g line linearGradient path pattern polygon polyline rect stop text tspan',
  ),
  math: words(
    `math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext
    mtr munder munderover`,
  ),
}

/** Attributes that only name, place or describe. None loads, runs or submits anything. */
const attributeNames = words(
  `aria-hidden aria-label aria-roledescription alt class colspan datetime dir height id lang open reversed role rowspan
  scope span start tabindex width href clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill fill-opacity
  fill-rule font-family font-size font-weight gradientTransform gradientUnits offset opacity patternContentUnits
  patternTransform patternUnits pointer-events points preserveAspectRatio r rx ry shape-rendering stop-color stop-opacity
  stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width text-anchor transform vector-effect
  viewBox x x1 x2 y y1 y2 accent columnalign columnspacing display displaystyle fence linethickness lspace mathvariant
  maxsize minsize movablelimits notation rowspacing rspace scriptlevel separator stretchy symmetric voffset`,
)

const roles =
  /^(?:cell|columnheader|figure|group|img|list|listitem|none|note|presentation|region|row|rowgroup|rowheader|table)$/
const publicHref = /^(?:https?:\/\/|mailto:|#)[^\s<>"'`\\]*$/i

/** Whether the public page may have this attribute with this value. */
export function isPublishedAttribute(name: string, value: string): boolean {
  if (name === 'href') return publicHref.test(value)
  if (name === 'role') return roles.test(value)
  if (name === 'tabindex') return value === '0'
  if (name === 'id') return /^[\w:.\-\u00a0-\uffff]{1,200}$/.test(value)
  if (!attributeNames.has(name) && !/^data-[a-z][a-z-]{0,40}$/.test(name)) return false
  // A drawing refers to its own parts only.
  return !/url\s*\(/i.test(value) || /^url\("?#[\w-]+"?\)$/.test(value)
}

const property = /^(?:--[\w-]{1,100}|-?[a-z]+(?:-[a-z]+){0,6})$/
const hostile = /[{}@\\]|\/\*|\burl\b|image|src\s*\(|element\s*\(|paint\s*\(|expression/i

/** Whether a style may have this value. It can load nothing, and stays where the report is. */
export function isPublishedStyle(name: string, value: string): boolean {
  if (!property.test(name) || hostile.test(value)) return false
  if (name === 'position') return /^(?:static|relative|absolute|sticky)(?:\s*!important)?$/.test(value)
  // A semicolon ends a value, unless it is quoted. No value needs one.
  return !value.includes(';') && !name.startsWith('-moz') && name !== 'behavior'
}

/** Whether it is one selector list. Without a rule around it, it cannot end one either. */
export const isPublishedSelector = (selector: string) =>
  !/[{};@&\\]|\/\*|:(?:host|scope|root)|::slotted|::part/i.test(selector)

export const isPublishedCondition = (condition: string) =>
  /^@(?:media|container|supports|layer) [^{};@\\]{1,500}$/.test(condition) && !/\/\*|url/i.test(condition)

const Styles = z
  .record(z.string().max(120), z.string().max(2000))
  .refine(
    (styles) => Object.entries(styles).every(([name, value]) => isPublishedStyle(name, value)),
    'has a style that a public page may not have',
  )

const Rule = z.object({
  /** Around the rule, outermost first: `@media print`. */
  within: z.array(z.string().refine(isPublishedCondition, 'is not allowed around a style')).max(5).optional(),
  selector: z.string().min(1).max(4000).refine(isPublishedSelector, 'is not an allowed selector'),
  styles: Styles,
})
export type PublishedRule = z.infer<typeof Rule>

/** `in` is the place of the parent in the list, which comes before it; -1 is the page. */
const Text = z.object({ in: z.int().min(-1), text: z.string().max(1_000_000) })

const Element = z.object({
  in: z.int().min(-1),
  tag: z.string().refine((tag) => Object.values(publishedTags).some((tags) => tags.has(tag)), 'is not allowed'),
  attributes: z
    .record(z.string().max(60), z.string().max(100_000))
    .refine(
      (attributes) => Object.entries(attributes).every(([name, value]) => isPublishedAttribute(name, value)),
      'has an attribute that a public page may not have',
    )
    .optional(),
  styles: Styles.optional(),
  /** The image that an `img` shows: its id when it is sent, and its place in the list of images when it is served. */
  image: z.string().max(40).optional(),
  /** The picture of an `img` that is no image of the report, such as a drawing with thousands of points: a PNG as base64. */
  png: z.base64().max(2_000_000).optional(),
})

const Node = z.union([Text, Element])
export type PublishedNode = z.infer<typeof Node>
export type PublishedElement = z.infer<typeof Element>

const documentLimits = { nodes: 60_000, rules: 4000, depth: 200 }

export const PublishedDocument = z
  .object({
    nodes: z.array(Node).min(1).max(documentLimits.nodes),
    rules: z.array(Rule).max(documentLimits.rules),
    /** Values of the styles that are not in the rules, by theme. */
    variables: z.object({ light: Styles, dark: Styles }),
  })
  .refine(({ nodes }) => isTree(nodes), 'must list each element before what is in it, at most 200 levels deep')
export type PublishedDocument = z.infer<typeof PublishedDocument>

function isTree(nodes: readonly PublishedNode[]) {
  const depths: number[] = []
  for (const [place, node] of nodes.entries()) {
    const parent = node.in === -1 ? undefined : nodes[node.in]
    if (node.in >= place || (node.in !== -1 && (!parent || !('tag' in parent)))) return false
    const depth = node.in === -1 ? 0 : (depths[node.in] ?? 0) + 1
    if (depth > documentLimits.depth) return false
    depths.push(depth)
  }
  return true
}
