import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** An element: its attributes with `@` before their names, its text as `#text`, its children as lists by their names. */
export type XmlElement = { readonly [key: string]: unknown }

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const entity = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi

/** Replaces each entity once: `&amp;lt;` is `&lt;`. Some writers give the two halves of a character an entity each. */
const decodeEntities = (text: string) =>
  text
    .replace(entity, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return point === 0 || point > 0x10ffff ? '\uFFFD' : String.fromCodePoint(point)
    })
    .toWellFormed()

/** Entities that a document declares are never expanded ("billion laughs"). */
const entityDecoder = {
  decode: decodeEntities,
  reset: () => {},
  setXmlVersion: () => {},
  addInputEntities: () => {},
  setExternalEntities: () => {},
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  allowBooleanAttributes: true,
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  transformTagName: (name) => name.toLowerCase(),
  transformAttributeName: (name) => name.toLowerCase(),
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  entityDecoder,
})

const documentStart = /<(?:\?xml\b|!--|!doctype\b|[\w.-]{0,40}:?test(?:suite|case))/i
const documentEnd = /<\/(?:[\w.-]{0,40}:)?testsuites?\s{0,40}>/gi

/** The document without what else was printed: a runner that writes its report to stdout writes lines around it. */
function withoutLinesAround(text: string) {
  const start = Math.max(0, text.search(documentStart))
  let end = text.length
  for (const found of text.matchAll(documentEnd)) end = found.index + found[0].length
  const hasMore = end <= start || text.slice(end).includes('<')
  return text.slice(start, hasMore ? text.length : end)
}

/** Parses a document; names become lower case. Throws an Error with a reason. */
export function parseXml(text: string): XmlElement {
  const xml = withoutLinesAround(text)
  const root = /<[A-Za-z_]/.exec(xml)?.index ?? xml.length
  if (/<!DOCTYPE/i.test(xml.slice(0, root))) throw new Error('it declares a document type')
  const valid = XMLValidator.validate(xml, { allowBooleanAttributes: true })
  if (valid !== true) throw new Error(`line ${valid.err.line}: ${valid.err.msg}`)
  return asElement(parser.parse(xml))
}

/** The parser writes an element without attributes and children as its text. */
const asElement = (value: unknown): XmlElement =>
  typeof value === 'object' && value !== null ? (value as XmlElement) : { '#text': value }

export const childrenOf = (element: XmlElement, name: string): XmlElement[] => {
  const children = element[name]
  return Array.isArray(children) ? children.map(asElement) : []
}

/** The names of an element's children, without its attributes and text. */
export const childNames = (element: XmlElement) =>
  Object.keys(element).filter((name) => !name.startsWith('@') && !name.startsWith('#'))

export const attributeOf = (element: XmlElement, name: string): string | undefined => {
  const value = element[`@${name}`]
  return typeof value === 'string' ? value : undefined
}

/** The text of an element, its parts between children joined. */
export const textOf = (element: XmlElement): string => {
  const text = element['#text']
  if (Array.isArray(text)) return text.join('\n')
  return typeof text === 'string' || typeof text === 'number' || typeof text === 'boolean' ? String(text) : ''
}
