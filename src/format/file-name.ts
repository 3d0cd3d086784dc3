/** In UTF-8; with the extension a name has to stay below the 255 bytes of file systems. */
const mostBytes = 200

/** The name of a download without its extension: the letters, marks and digits of any script, joined by hyphens. */
export function fileName(title: string, fallback = 'file'): string {
  const words = title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  let bytes = 0
  let name = ''
  for (const letter of words) {
    bytes += new TextEncoder().encode(letter).length
    if (bytes > mostBytes) break
    name += letter
  }
  return name || fallback
}
