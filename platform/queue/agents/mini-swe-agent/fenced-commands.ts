const opening = /```(?:mswea_bash_command|bash)[^\S\n]*\n/
const printed = /^<returncode>(-?\d+)<\/returncode>\s*<output>\n?([\s\S]*?)\n?<\/output>/

/** The command of an answer without tool calls of the API: its first fenced block; null without one. */
export function commandIn(text: string) {
  const open = opening.exec(text)
  if (!open) return null
  const start = open.index + open[0].length
  const end = text.indexOf('\n```', start)
  return end === -1 ? null : text.slice(start, end)
}

/** What a command printed and its exit code, as the message after it says them; null for other messages. */
export function printedIn(text: string) {
  const [, code, output] = printed.exec(text) ?? []
  return code === undefined || output === undefined ? null : { code: Number(code), output }
}
