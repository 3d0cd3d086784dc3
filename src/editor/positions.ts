import { type Event, EVENT_ID, getScalarValue, parseEvents } from 'js-yaml'

export type Range = { from: number; to: number }

/** A field whose name its mapping already has; `first` is the earlier one. */
type RepeatedField = { name: string; range: Range; first: Range }

/** A value of the document and its range; `key` is the range of its mapping key. */
type Place = Range & { key?: Range; fields: Map<string, Place>; items: Place[]; repeated: RepeatedField[] }

/** Finds the text of a path in the parsed document, such as `['agents', 0, 'id']`. */
export type Locate = (path: readonly PropertyKey[], what?: 'key' | 'value') => Range

/** Reads the parser's event stream, whose offsets are exact. Throws the parser's errors. */
export function locator(text: string, maxDepth: number): Locate {
  const events = parseEvents(text, { maxDepth }).values()
  const root = readDocument(text, events)
  return (path, what = 'value') => rangeOf(root, path, what)
}

/** Every field that repeats an earlier name of its mapping. Throws the parser's errors. */
export function repeatedFields(text: string, maxDepth: number): RepeatedField[] {
  const root = readDocument(text, parseEvents(text, { maxDepth }).values())
  return root ? repeatedIn(root) : []
}

const repeatedIn = ({ fields, items, repeated }: Place): RepeatedField[] => [
  ...repeated,
  ...[...fields.values(), ...items].flatMap(repeatedIn),
]

/**
 * The nearest existing position: a missing field is marked at its mapping's key and an invalid collection at its own,
 * so that a mark never covers a whole block.
 */
function rangeOf(root: Place | null, path: readonly PropertyKey[], what: 'key' | 'value'): Range {
  let place = root
  let nearest: Range = firstKey(root)
  for (const step of path) {
    place = (typeof step === 'number' ? place?.items[step] : place?.fields.get(String(step))) ?? null
    if (!place) return nearest
    nearest = place.key ?? firstKey(place)
  }
  if (!place || what === 'key') return nearest
  const isScalar = place.fields.size === 0 && place.items.length === 0 && place.to > place.from
  return isScalar ? { from: place.from, to: place.to } : nearest
}

const firstKey = (place: Place | null): Range => {
  const [first] = place?.fields.values() ?? []
  return first?.key ?? place?.items[0] ?? place ?? { from: 0, to: 0 }
}

function readDocument(text: string, events: Iterator<Event>): Place | null {
  const first = events.next().value as Event | undefined
  if (first?.type !== EVENT_ID.DOCUMENT) return null
  return readPlace(text, events)
}

/** Null at the end of the enclosing collection. */
function readPlace(text: string, events: Iterator<Event>): Place | null {
  const event = events.next().value as Event | undefined
  if (!event || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return null
  const place = emptyPlace()
  if (event.type === EVENT_ID.SCALAR) return { ...place, from: event.valueStart, to: event.valueEnd }
  if (event.type === EVENT_ID.ALIAS) return { ...place, from: event.anchorStart, to: event.anchorEnd }
  place.from = event.start
  place.to = event.start
  if (event.type === EVENT_ID.SEQUENCE) readItems(text, events, place)
  else readFields(text, events, place)
  return place
}

function readItems(text: string, events: Iterator<Event>, place: Place) {
  for (let item = readPlace(text, events); item; item = readPlace(text, events)) place.items.push(item)
}

function readFields(text: string, events: Iterator<Event>, place: Place) {
  for (;;) {
    const keyEvent = events.next().value as Event | undefined
    if (!keyEvent || keyEvent.type === EVENT_ID.POP) return
    // A key that is itself a collection is not a field of a definition.
    if (keyEvent.type === EVENT_ID.SEQUENCE) readItems(text, events, emptyPlace())
    if (keyEvent.type === EVENT_ID.MAPPING) readFields(text, events, emptyPlace())
    const value = readPlace(text, events)
    if (keyEvent.type !== EVENT_ID.SCALAR || !value) continue
    const key = { from: keyEvent.valueStart, to: keyEvent.valueEnd }
    const name = getScalarValue(text, keyEvent)
    const earlier = place.fields.get(name)
    if (earlier?.key) place.repeated.push({ name, range: key, first: earlier.key }, ...repeatedIn(earlier))
    place.fields.set(name, { ...value, key })
  }
}

const emptyPlace = (): Place => ({ from: 0, to: 0, fields: new Map(), items: [], repeated: [] })
