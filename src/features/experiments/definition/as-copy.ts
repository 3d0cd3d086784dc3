/** A copy must not become the next version of its source. */
export const asCopy = (text: string, takenId: string) =>
  text
    .replace(/^(id:\s*)(\S+)/m, (_, label: string) => `${label}${takenId}-copy`)
    .replace(/^(name:\s*.+)$/m, '$1 (copy)')
