/** Parses the `name: value` lines of a fenced block. `problem` is a message for the author of the report. */
export function readFieldLines(text: string): { fields: Record<string, string> } | { problem: string } {
  const fields: Record<string, string> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, name, value] = /^\s*(\w+):(.*)/.exec(line) ?? []
    if (name === undefined || value === undefined) return { problem: `Not a "name: value" line: ${line.slice(0, 80)}` }
    fields[name] = value.trim()
  }
  return { fields }
}

/** A value for one line: line breaks become spaces. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
