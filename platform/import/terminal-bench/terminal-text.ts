const escape = String.fromCharCode(27)
const bell = String.fromCharCode(7)

/** Operating-system commands (window titles, links), then control sequences, then two-character escapes. */
const sequence = new RegExp(
  `${escape}\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\)?|${escape}\\[[0-9;?<=>]*[ -/]*[@-~]|${escape}[ -/]*[0-~]`,
  'g',
)
const eraseLine = new RegExp(`${escape}\\[[12]K`, 'g')
const spinner = /[\u2800-\u28FF] [^\u2800-\u28FF\n]*?\.\.\./g
const eraseScreen = new RegExp(`${escape}\\[[23]?J`, 'g')
const controlCharacter = /\p{Cc}/gu

/** Longer than any line that a person reads. A progress bar on one line can be megabytes. */
const maxLineCharacters = 10_000

/**
 * A terminal recording as readable text: without colors, cursor moves and control characters, and with only the last
 * state of progress lines that overwrote themselves.
 */
export const readableText = (recording: string) =>
  recording
    .replaceAll('\r\n', '\n')
    .replace(eraseLine, '\r')
    .replace(eraseScreen, '\n')
    .replace(sequence, '')
    .split('\n')
    .map((line) => lastWritten(line).replace(spinner, '').trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** The visible text of a line with carriage returns: each part overwrites the start of the previous one. */
function lastWritten(line: string) {
  let shown = ''
  for (const piece of line.split(/\r+/)) {
    const written = piece.replace(controlCharacter, (character) => (character === '\t' ? '\t' : ''))
    if (written.trim() === '') continue
    shown = written.length >= shown.length || isProgress(shown) ? written : written + shown.slice(written.length)
  }
  return shown.slice(0, maxLineCharacters)
}

/** Spinners and percentages redraw the whole line. */
const isProgress = (text: string) => /%|^[\u2800-\u28FF]/.test(text.trimStart())
