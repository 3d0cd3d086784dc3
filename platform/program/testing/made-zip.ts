import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'

type Entry = {
  name: string
  content: string | Uint8Array
  method?: 'store' | 'deflate' | 'zstd'
  /** What the zip says of it, where that is a lie. */
  size?: number
  isLink?: boolean
}

const methods = { store: 0, deflate: 8, zstd: 93 }

/** A zip for tests, also a hostile one. */
export function toZip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const table: Buffer[] = []
  let offset = 0
  for (const { name, content, method = 'deflate', size, isLink = false } of entries) {
    const bytes = Buffer.from(content)
    const packed = method === 'deflate' ? deflateRawSync(bytes) : method === 'zstd' ? zstdCompressSync(bytes) : bytes
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(methods[method], 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(size ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(isLink ? 0o120777 * 65536 : 0, 6)
    rest.writeUInt32LE(offset, 10)
    table.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.alloc(2), fields, rest, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(table)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directory, Buffer.from('PK\u0005\u0006'), end])
}
