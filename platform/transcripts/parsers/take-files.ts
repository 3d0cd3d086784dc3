type Fields = Readonly<Record<string, unknown>>

/** Values that are nested deeper stay as they are, and are not shown anyway. */
const deepest = 100
/** Of one event. Files beyond it are named and not kept. */
const mostImages = 200

/** An encoded file in a value, as clients, servers of tools and models print it. */
type PrintedFile = { type: string; base64: string }

/**
 * Replaces encoded files in a value by what they are, such as `[image/png, 140 kB]`. Returns the new value and the images
 * in base64, in order.
 */
export function takeFiles(value: unknown): { value: unknown; images: string[] } {
  const images: string[] = []
  const take = ({ type, base64 }: PrintedFile) => {
    if (type.startsWith('image/') && images.length < mostImages) images.push(base64)
    return `[${type}, ${sizeOf(base64)}]`
  }
  const walk = (inner: unknown, depth: number): unknown => {
    if (typeof inner === 'string') return replaceIn(inner, take)
    if (typeof inner !== 'object' || inner === null || depth > deepest) return inner
    if (Array.isArray(inner)) return inner.map((item: unknown) => walk(item, depth + 1))
    const file = fileOf(inner as Fields)
    if (file) return take(file)
    return Object.fromEntries(Object.entries(inner).map(([key, field]) => [key, walk(field, depth + 1)]))
  }
  return { value: walk(value, 0), images }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The fields with a file in the formats of Anthropic, of MCP, of OpenAI, of Google and of opencode. */
function fileOf(fields: Fields): PrintedFile | null {
  const { source, inlineData, inline_data, image_url, url } = fields
  for (const holder of [source, inlineData, inline_data, fields]) {
    if (!isFields(holder)) continue
    const type = holder.media_type ?? holder.mimeType ?? holder.mime_type
    const base64 = holder.data ?? holder.blob
    if (typeof type === 'string' && typeof base64 === 'string' && isEncoded(base64))
      return { type: type.slice(0, 100), base64 }
  }
  for (const address of [url, image_url, isFields(image_url) ? image_url.url : null]) {
    const file = typeof address === 'string' ? ofDataUrl(address) : null
    if (file) return file
  }
  return null
}

function ofDataUrl(url: string): PrintedFile | null {
  if (!url.startsWith('data:')) return null
  const comma = url.slice(0, 200).indexOf(';base64,')
  return comma < 0 ? null : { type: url.slice('data:'.length, comma).split(';')[0] ?? '', base64: url.slice(comma + 8) }
}

const dataUrls = /data:([\w.+-]{1,50}\/[\w.+-]{1,50})(?:;[\w=-]{1,50})?;base64,([A-Za-z0-9+/]{100,}={0,2})/g

/** How a whole text begins that is an encoded image. */
const starts: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
]

function replaceIn(text: string, take: (file: PrintedFile) => string): string {
  const start = starts.find(([letters]) => text.startsWith(letters))
  if (start && text.length > 60 && isEncoded(text)) return take({ type: start[1], base64: text })
  if (!text.includes(';base64,')) return text
  return text.replaceAll(dataUrls, (_, type: string, base64: string) => take({ type, base64 }))
}

const isEncoded = (text: string) => /^[A-Za-z0-9+/=_\s-]*$/.test(text)

function sizeOf(base64: string) {
  const bytes = Math.floor((base64.length * 3) / 4)
  return bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
