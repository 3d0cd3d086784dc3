/** One question of a program that looks up a name. */
export type Question = {
  /** In lower case, without a trailing dot. Bytes that no host name has are written as `\` and three digits. */
  name: string
  type: number
  /** The header and the question as they came: a client compares them with its own. */
  bytes: Buffer
}

export const typeA = 1

const headerBytes = 12
const maxNameBytes = 255
const maxLabelBytes = 63
const internetClass = 1

const rcodes = { found: 0, failed: 2, unknown: 3 }

/** `found` without an address: the name exists, but has no answer of this type. */
type Answer = { status: keyof typeof rcodes; address?: string }

/** Programs may remember an address for this time. */
const ttlSeconds = 60

/** Reads a query (RFC 1035). Returns null for anything but one question in the usual form. */
export function readQuestion(packet: Buffer): Question | null {
  if (packet.length < headerBytes + 5) return null
  const isQuery = (packet.readUInt8(2) & 0b1111_1000) === 0
  if (!isQuery || packet.readUInt16BE(4) !== 1) return null
  const labels = new Array<string>()
  let at = headerBytes
  for (;;) {
    const length = packet[at]
    // A longer one would be a pointer, which the first name of a message cannot need.
    if (length === undefined || length > maxLabelBytes) return null
    at += 1
    if (length === 0) break
    labels.push(labelText(packet.subarray(at, at + length)))
    at += length
    if (at - headerBytes >= maxNameBytes) return null
  }
  const end = at + 4
  if (labels.length === 0 || end > packet.length || packet.readUInt16BE(at + 2) !== internetClass) return null
  return { name: labels.join('.'), type: packet.readUInt16BE(at), bytes: Buffer.from(packet.subarray(0, end)) }
}

const labelText = (label: Buffer) =>
  label
    .toString('latin1')
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, (byte) => `\\${String(byte.charCodeAt(0)).padStart(3, '0')}`)

/** The answer to a question. `address` is an IPv4 address. */
export function answerTo({ bytes }: Question, { status, address }: Answer): Buffer {
  const message = Buffer.from(bytes)
  const isRecursionDesired = message.readUInt8(2) & 1
  message.writeUInt8(0b1000_0000 | isRecursionDesired, 2)
  message.writeUInt8(0b1000_0000 | rcodes[status], 3)
  message.writeUInt16BE(address === undefined ? 0 : 1, 6)
  // Of the query's other records, such as its EDNS options, none is repeated.
  message.writeUInt32BE(0, 8)
  if (address === undefined) return message
  const record = Buffer.alloc(16)
  record.writeUInt16BE(0xc000 | headerBytes, 0)
  record.writeUInt16BE(typeA, 2)
  record.writeUInt16BE(internetClass, 4)
  record.writeUInt32BE(ttlSeconds, 6)
  record.writeUInt16BE(4, 10)
  record.set(address.split('.').map(Number), 12)
  return Buffer.concat([message, record])
}
