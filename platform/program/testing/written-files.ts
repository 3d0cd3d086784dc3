import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of made-up files for a test: text and bytes as they are, anything else as JSON, and a list as JSON lines. */
export async function writtenFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-written-'))
  return {
    folder,
    async write(path: string, content: unknown) {
      const place = join(folder, path)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, toContent(content))
      return place
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function toContent(content: unknown): string | Uint8Array {
  if (typeof content === 'string' || content instanceof Uint8Array) return content
  return Array.isArray(content)
    ? content.map((line) => `${JSON.stringify(line)}\n`).join('')
    : JSON.stringify(content, null, 1)
}
