const idBytes = 16

/** A list of UUIDs in 16 bytes each; as text they would take five times as much. */
export const unpackIds = (bytes: Buffer) => ({
  length: bytes.length / idBytes,
  slice: (start: number, end: number): string[] => {
    const hex = bytes.toString('hex', start * idBytes, Math.min(end * idBytes, bytes.length))
    return (hex.match(/.{32}/g) ?? []).map(toUuid)
  },
})

const toUuid = (hex: string) =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
