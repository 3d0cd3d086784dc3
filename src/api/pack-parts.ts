import { limits } from '#contract/wire/limit.ts'

type Part<File> = { file: File; offset: number; bytes: number }

/** Files in the parts of one request each. Small files travel together. */
export function* packParts<File>(files: readonly File[], sizeOf: (file: File) => number): Generator<Part<File>[]> {
  let parts: Part<File>[] = []
  let room: number = limits.importPartBytes
  for (const file of files) {
    let offset = 0
    do {
      const bytes = Math.min(room, sizeOf(file) - offset)
      parts.push({ file, offset, bytes })
      offset += bytes
      room -= bytes
      if (room === 0 || parts.length === limits.importPartsTogether) {
        yield parts
        parts = []
        room = limits.importPartBytes
      }
    } while (offset < sizeOf(file))
  }
  if (parts.length > 0) yield parts
}
