/** Escapes text so that markdown shows it on one line as written. */
export const escapeMarkdown = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>&|~#!@:]/g, String.raw`\$&`)

/** Returns a fence that the text cannot close. */
export function fenceAround(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/~{3,}/g)].map(([marks]) => marks.length))
  return '~'.repeat(longest + 1)
}

export const quoteLines = (text: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
