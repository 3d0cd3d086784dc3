import { type FileHandle, open } from 'node:fs/promises'
import { constants } from 'node:fs'
import { inflateRawSync, zstdDecompressSync } from 'node:zlib'

/** An entry of a zip. `isPlain` is false for folders, links and other special files. */
export type ZipEntry = { name: string; size: number; isPlain: boolean; read: (limit: number) => Promise<Buffer> }

const signatures = { end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50, central: 0x02014b50, local: 0x04034b50 }
const maxDirectoryBytes = 64 * 1024 * 1024
const maxEntries = 500_000

/** What 32 bits cannot say is in an extra field. */
const beyond32 = 0xffffffff
const encrypted = 1
const formatMask = 0xf000
const regularFile = 0x8000

/**
 * Reads the table of a zip (APPNOTE.TXT of PKWARE), with zip64, entries that are stored, deflated or in Zstandard. Nothing is
 * unpacked until an entry is read. Throws an Error with a reason.
 */
export async function openZip(place: string): Promise<{ entries: ZipEntry[]; close: () => Promise<void> }> {
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    const { offset, bytes, count } = await findDirectory(file, size)
    if (bytes > maxDirectoryBytes || count > maxEntries) throw new Error('it has too many entries')
    const table = await readAt(file, offset, bytes)
    return { entries: [...readTable(file, table, size)], close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error instanceof RangeError ? new Error('it is a damaged zip') : error
  }
}

async function findDirectory(file: FileHandle, size: number) {
  const tailBytes = Math.min(size, 65_557 + 20)
  const tail = await readAt(file, size - tailBytes, tailBytes)
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== signatures.end) continue
    const count = tail.readUInt16LE(at + 10)
    const [bytes, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    const hasLocator = at >= 20 && tail.readUInt32LE(at - 20) === signatures.locator64
    if (!hasLocator) return { count, bytes, offset }
    const end64 = await readAt(file, Number(tail.readBigUInt64LE(at - 12)), 56)
    if (end64.readUInt32LE(0) !== signatures.end64) throw new Error('it is a damaged zip')
    return {
      count: Number(end64.readBigUInt64LE(32)),
      bytes: Number(end64.readBigUInt64LE(40)),
      offset: Number(end64.readBigUInt64LE(48)),
    }
  }
  throw new Error('it is a damaged zip: it has no table')
}

function* readTable(file: FileHandle, table: Buffer, fileSize: number): Generator<ZipEntry> {
  for (let at = 0; at + 46 <= table.length && table.readUInt32LE(at) === signatures.central;) {
    const [flags, method] = [table.readUInt16LE(at + 8), table.readUInt16LE(at + 10)]
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => table.readUInt16LE(at + field))
    const nameEnd = at + 46 + (nameLength ?? 0)
    const extraEnd = nameEnd + (extraLength ?? 0)
    const name = table.toString('utf8', at + 46, nameEnd)
    const sizes = widen(table.subarray(nameEnd, extraEnd), {
      size: table.readUInt32LE(at + 24),
      packed: table.readUInt32LE(at + 20),
      offset: table.readUInt32LE(at + 42),
    })
    const kind = (table.readUInt32LE(at + 38) >>> 16) & formatMask
    const isPlain = !name.endsWith('/') && (kind === 0 || kind === regularFile)
    const { size, packed, offset } = sizes
    yield {
      name,
      size,
      isPlain,
      async read(limit) {
        if (flags & encrypted) throw new Error('it is encrypted')
        if (size > limit || packed > fileSize) throw new Error(`it is larger than ${limit / 1024 / 1024} MiB`)
        return unpack(method, await readEntry(file, offset, packed), size)
      },
    }
    at = extraEnd + (commentLength ?? 0)
  }
}

type Sizes = { size: number; packed: number; offset: number }

function widen(extra: Buffer, sizes: Sizes): Sizes {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const wide = { ...sizes }
    let field = at + 4
    for (const name of ['size', 'packed', 'offset'] as const) {
      if (sizes[name] !== beyond32) continue
      wide[name] = Number(extra.readBigUInt64LE(field))
      field += 8
    }
    return wide
  }
  return sizes
}

async function readEntry(file: FileHandle, offset: number, packed: number) {
  const header = await readAt(file, offset, 30)
  if (header.readUInt32LE(0) !== signatures.local) throw new Error('it is a damaged zip')
  return readAt(file, offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), packed)
}

/** Unpacks at most the announced size: a small entry can unpack to terabytes. */
function unpack(method: number, bytes: Buffer, size: number): Buffer {
  const options = { maxOutputLength: Math.max(1, size) }
  const unpackers: Record<number, () => Buffer> = {
    0: () => bytes,
    8: () => inflateRawSync(bytes, options),
    93: () => zstdDecompressSync(bytes, options),
  }
  const unpacker = unpackers[method]
  if (!unpacker) throw new Error(`its entries are compressed in a way that is not supported (${method})`)
  if (size === 0) return Buffer.alloc(0)
  const unpacked = unpacker()
  if (unpacked.byteLength !== size) throw new Error('an entry has another size than the zip says')
  return unpacked
}

/** So many bytes from a place in a file. Throws if the file is shorter. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead < length) throw new Error('it is cut: a part of it is missing')
  return bytes
}
