import { NewResource } from '#contract/resources.ts'

/** One pasted line: its link, or the reason why it has none. */
export type PastedLine = { line: number; text: string } & (
  | { link: NewResource; fault: null }
  | { link: null; fault: string }
)

const bullet = /^\s*(?:[-*+•]|\d+[.)])\s+/
const markdown = /\[([^\]]*)\]\(\s*<?([^\s<>]+)>?(?:\s+"[^"]*")?\s*\)/
const address = /<?(https?:\/\/[^\s<>]+)>?/i

/** Accepts one link per line: `Title https://…`, `https://… Title`, a markdown link or a bare URL. */
export const parseLinks = (pasted: string): PastedLine[] =>
  pasted
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '')
    .map((line) => ({ ...line, ...parseLine(line.text.replace(bullet, '')) }))

function parseLine(text: string): { link: NewResource; fault: null } | { link: null; fault: string } {
  const found = markdown.exec(text) ?? null
  const candidate = found ? { title: found[1] ?? '', url: found[2] ?? '' } : besideAddress(text)
  if (!candidate) return { link: null, fault: 'no URL that starts with http:// or https://' }
  const { title, url } = candidate
  const parsed = NewResource.safeParse({ url, title: title.trim() === '' ? shortUrl(url) : title })
  if (parsed.success) return { link: parsed.data, fault: null }
  return {
    link: null,
    fault: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '),
  }
}

/** The title is the text before the URL, or else after it, without the separator. */
function besideAddress(text: string) {
  const found = address.exec(text)
  if (!found?.[1]) return null
  const before = text.slice(0, found.index).replace(/[\s:|–—-]+$/, '')
  const after = text.slice(found.index + found[0].length).replace(/^[\s:|–—-]+/, '')
  return { title: before.trim() || after.trim(), url: found[1] }
}

/** `https://www.lab.example/a/b/` → `lab.example/a/b`. */
const shortUrl = (url: string) =>
  url
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .slice(0, 200)
