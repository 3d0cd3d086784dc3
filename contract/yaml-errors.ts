import { otherEncodingOf } from './text-encoding.ts'
import { closers, openSigns } from './yaml-brackets.ts'
import { oddCharacterIn } from './yaml-characters.ts'

/** What the YAML library reports: its own words, and where it stopped reading. */
type YamlError = { reason: string; mark?: { position: number } | null | undefined }

/** A sentence that says what to do, the position of the mistake, and its line and column counted from 1. */
type YamlFault = { message: string; position: number; line: number; column: number }

type Place = {
  text: string
  position: number
  /** The character at the position, the text before it on its line, and the start of that line. */
  sign: string
  before: string
  lineStart: number
}

type Finding = { message: string; position?: number }

/** Puts an error of the YAML library into words for a person who does not know the grammar of YAML. */
export function describeYamlError({ reason, mark }: YamlError, text: string): YamlFault {
  const stopped = Math.min(mark?.position ?? 0, text.length)
  const lineStart = text.lastIndexOf('\n', stopped - 1) + 1
  const sign = text[stopped] ?? ''
  const place = { text, position: stopped, sign, before: text.slice(lineStart, stopped), lineStart }
  const described = () => rules.find(([pattern]) => pattern.test(reason))?.[1](place) ?? unknownFault
  const { message, position = stopped } = pasted(place) ?? tabBefore(place) ?? described()
  const before = text.slice(0, position).split('\n')
  return { message, position, line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}

/** A character that only looks right on the line where the library stopped, or on the line before it. */
function pasted({ text, lineStart }: Place): Finding | null {
  const lineEnd = text.indexOf('\n', lineStart)
  const previousStart = text.lastIndexOf('\n', lineStart - 2) + 1
  for (const [start, end] of [
    [lineStart, lineEnd < 0 ? text.length : lineEnd],
    [previousStart, Math.max(previousStart, lineStart - 1)],
  ] as const) {
    const odd = oddCharacterIn(text.slice(start, end))
    if (odd) return { message: odd.message, position: start + odd.index }
  }
  return null
}

/** The library names a tab only where it indents a line. */
const tabBefore = ({ text, position }: Place): Finding | null =>
  text[position - 1] === '\t' ? { message: 'Replace this tab with a space', position: position - 1 } : null

const unknownFault: Finding = {
  message: 'This is not valid YAML. Check the indentation, colons, quotes and brackets of this line',
}

const say = (message: string) => (): Finding => ({ message })

const misplaced = 'Indent this line like the other lines of its list or object'

const quoteIt = 'Put this text in quotes, because it starts with *, & or !'

const rules: readonly (readonly [RegExp, (place: Place) => Finding])[] = [
  [/input is empty/, say('The definition has no fields, only comments or blank lines')],
  [/null byte/, ({ text }) => nullByte(text)],
  [/deficient indentation|unexpected end of the (stream|document) within/, (place) => unclosed(place) ?? notIndented],
  [/missed comma/, missingComma],
  [/expected ':'|block mapping entry|end of the stream/, (place) => missingColon(place) ?? surplusLine(place)],
  [/^bad indentation/, (place) => missingSpace(place) ?? wrongEntry(place)],
  [/tab characters/, say('Indent with spaces. YAML does not allow tabs here')],
  [/found ','/, say('Remove this comma, or put an item before it')],
  [/maxAliases/, say('Use fewer aliases (names that start with *)')],
  [/unidentified alias/, unknownAlias],
  [/alias|anchor|tag/, say(quoteIt)],
  [/escape|hexadecimal/, say('Write \\\\ for a backslash in double quotes, or use single quotes')],
  [/single document/, ({ text }) => secondDocument(text)],
  [/duplicated mapping key/, say('This field is already set above. Remove one of the two')],
  [/maxDepth/, say('Use fewer levels of brackets or indentation')],
  [/non-printable|valid JSON character/, say('Remove the control character')],
  [/line break is expected|block scalar|identifier/, say('Begin the text on the line after | or >')],
]

function unknownAlias({ text, position }: Place): Finding {
  const [, name] = /^\*?([\w-]{1,100})(?=[\s,\]}]|$)/.exec(text.slice(position, position + 102)) ?? []
  if (name === undefined) return { message: quoteIt }
  return { message: `Nothing above is named &${name}. Put *${name} in quotes if it is a text` }
}

const notIndented: Finding = { message: 'Indent this line further than the field it belongs to' }

const namesOfOpened: Record<string, string> = { '[': 'list', '{': 'object', '"': 'text', "'": 'text' }

/** The library stops where it notices, which can be many lines after a bracket or quote that was left open. */
function unclosed({ text, position }: Place): Finding | null {
  const opened = openSigns(text.slice(0, position)).at(-1)
  if (!opened || !openSigns(text).some((other) => other.position === opened.position)) return null
  const { sign } = opened
  return {
    message: `This ${sign} is never closed. Add ${closers[sign]} at the end of the ${namesOfOpened[sign]}`,
    position: opened.position,
  }
}

function missingComma(place: Place): Finding {
  if (/[\]}]/.test(place.sign)) return { message: 'Close [ with ] and { with }' }
  return unclosed(place) ?? { message: 'Put a comma between these items' }
}

/** A line without a colon, or without a space after it, is read together with the next one. */
function missingColon({ text, lineStart }: Place): Finding | null {
  const lines = text.slice(0, text.indexOf('\n', lineStart) + 1 || undefined).split('\n')
  const filled = lines.flatMap((line, index) => (/^\s*(?:#|$)/.test(line) ? [] : [{ line, index }])).slice(-2)
  const wrong = filled.findLast(({ line }) => !/:(?:\s|$)/.test(line) && !/^\s*-/.test(line))
  if (!wrong) return null
  const indent = wrong.line.search(/\S/)
  const position = lines.slice(0, wrong.index).reduce((sum, line) => sum + line.length + 1, indent)
  const [, name, value] = /^([\w-]+):(.+)$/.exec(wrong.line.trim()) ?? []
  if (name) return { message: `Put a space after the colon: ${name}: ${value}`, position }
  return {
    message: `Put a colon and a value after the name of the field, as in ${firstWord(wrong.line)}: value`,
    position,
  }
}

const firstWord = (line: string) => line.trim().split(/\s/)[0] ?? ''

const surplusLine = ({ text, lineStart }: Place): Finding => ({
  message: text.slice(lineStart).trimStart().startsWith('-')
    ? 'Put this list item below the field that it belongs to'
    : 'Indent this line, or end the list above it first',
})

/** The library calls whatever cannot continue an entry badly indented. */
function wrongEntry({ sign, before }: Place): Finding {
  if (sign === ']' || sign === '}') return { message: `Remove this ${sign}, which closes nothing` }
  const [closing] = /["'\]}](?=\s*$)/.exec(before) ?? []
  if (closing) return { message: `Remove the text after ${closing}, or put all of it in quotes` }
  const isInValue = /(?:: |- )/.test(before.trimStart())
  if (isInValue && sign === ':')
    return { message: 'Put the text after the first colon in quotes, because it contains a colon' }
  if (/[@%`]/.test(sign)) return { message: `Put this text in quotes, because it starts with ${sign}` }
  return { message: misplaced }
}

/** `name:t` is a text, so the next line cannot belong to the same object. */
function missingSpace({ text, lineStart, sign }: Place): Finding | null {
  if (sign !== ':') return null
  const start = text.lastIndexOf('\n', lineStart - 2) + 1
  const line = text.slice(start, Math.max(start, lineStart - 1)).trimEnd()
  const [, before = '', name, value] = /^([ -]*)([\w-]+):([^\s/].*)$/.exec(line) ?? []
  return name ? { message: `Put a space after the colon: ${name}: ${value}`, position: start + before.length } : null
}

function nullByte(text: string): Finding {
  const encoding = otherEncodingOf(text)
  return { message: encoding ? `This text is ${encoding}. Save it as UTF-8` : 'Remove the NUL character' }
}

function secondDocument(text: string): Finding {
  let position = 0
  let hasContent = false
  for (const line of text.split('\n')) {
    if (hasContent && line.startsWith('---')) break
    hasContent ||= line.trim() !== ''
    position += line.length + 1
  }
  return { message: 'Remove --- and what follows. A definition is one document', position }
}
