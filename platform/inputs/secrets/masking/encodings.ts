import { isMasked } from '#contract/secrets.ts'

/**
 * The forms in which output may contain a value: `exact` matches byte for byte; `wrapped` also matches with line breaks
 * anywhere, as base64 and xxd insert them.
 */
export type Encodings = { exact: string[]; wrapped: string[] }

/** Shorter lines of a value are not patterns of their own, because they would match everywhere. In UTF-8 bytes. */
const shortestLine = 8

/**
 * Returns the forms in which programs print a value: plain, JSON (also nested in JSON), HTML and XML, shell quoting,
 * URL encoding, base64 at each of its three alignments, hexadecimal, and each long line of a multi-line value.
 */
export function encodingsOf(value: string): Encodings {
  const whole = value.trim()
  if (!isMasked(value)) return { exact: [], wrapped: [] }
  const lines = whole.split(/\r\n|\n|\r/).map((line) => line.trim())
  const longLines = lines.length > 1 ? lines.filter((line) => Buffer.byteLength(line) >= shortestLine) : []
  const texts = new Set([whole, lines.join('\n'), lines.join('\r\n'), ...longLines])
  const exact = [...texts].flatMap((text) => [text, ...escapedForms(text)])
  const wrapped = [whole, ...(value === whole ? [] : [value]), ...longLines].flatMap(binaryForms)
  return { exact: [...new Set(exact)], wrapped: [...new Set(wrapped)] }
}

const escapedForms = (text: string) => [
  ...jsonForms(text),
  ...markupForms(text),
  ...shellForms(text),
  ...urlForms(text),
]

const lowerEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const upperEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** As JavaScript, Python, PHP, Go, Java and .NET write JSON, and each form again as a string inside JSON. */
function jsonForms(text: string) {
  const quote = (inner: string) => JSON.stringify(inner).slice(1, -1)
  const plain = quote(text)
  const once = new Set<string>()
  for (const escape of [(character: string) => character, lowerEscape, upperEscape]) {
    const form = plain.replace(/[\u0080-\uffff]/g, escape)
    once.add(form)
    once.add(form.replaceAll('/', '\\/'))
    for (const special of [/[<>&\u2028\u2029]/g, /[<>&='\u2028\u2029]/g]) once.add(form.replace(special, lowerEscape))
    once.add(form.replace(/[<>&'\u2028\u2029]/g, upperEscape))
  }
  const dotNet = text.split('"').map((part) => quote(part).replace(/[&'+<>`\u007f-\uffff]/g, upperEscape))
  once.add(dotNet.join(upperEscape('"')))
  return [...once].flatMap((form) => [form, quote(form)])
}

/** Every escape of the five special characters, one escape per form. */
function markupForms(text: string) {
  const basic = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const choices: [string, string[]][] = [
    ['"', ['"', '&quot;', '&#34;']],
    ["'", ["'", '&#39;', '&#x27;', '&apos;']],
    ['\n', ['\n', '&#10;', '&#xA;', '&#xa;']],
  ]
  const basics = new Set([basic, basic.replaceAll('&gt;', '>')])
  return choices.reduce<string[]>(
    (forms, [character, spellings]) =>
      text.includes(character)
        ? forms.flatMap((form) => spellings.map((spelling) => form.replaceAll(character, spelling)))
        : forms,
    [...basics],
  )
}

/** The characters that bash, older shells and zsh escape with a backslash. */
const backslashed = [/[ !"$&-*,;<>?[-^`{-}]/g, /[ !"$&-*;<>?[-^`{-}]/g, /[ !-$&-*,;<>?[-^`{-~]/g]

/** Inside single quotes, inside double quotes, with backslashes (printf %q), and as $'…'. */
function shellForms(text: string) {
  const ansi = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replace(/["$`\\]/g, '\\$&'),
    ...backslashed.map((special) => text.replace(special, '\\$&')),
    ansi,
    ansi.replaceAll('"', '\\"'),
  ]
}

/** As encodeURIComponent, encodeURI, RFC 3986 and HTML forms write it, with hex digits of either case. */
function urlForms(text: string) {
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  const component = encodeURIComponent(text.toWellFormed())
  const strict = component.replace(/[!'()*]/g, percent)
  const forms = [component, strict, encodeURI(text.toWellFormed()), strict.replaceAll('~', '%7E')]
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  const withPlus = [form, ...forms, strict.replaceAll('%2F', '/')].flatMap((encoded) => [
    encoded,
    encoded.replaceAll('%20', '+'),
  ])
  return withPlus.flatMap((encoded) => [encoded, encoded.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())])
}

function binaryForms(text: string) {
  const bytes = Buffer.from(text)
  const hex = bytes.toString('hex')
  return [hex, hex.toUpperCase(), ...base64Forms(bytes)]
}

/**
 * The value alone, with the line break of `echo`, and inside other bytes. Inside other bytes only the characters that
 * depend on the value alone match, so up to four bits at either end stay readable.
 */
function base64Forms(bytes: Buffer) {
  const aligned = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const first = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + bytes.byteLength) * 8) / 6)
    return encoded.slice(first, end)
  })
  const whole = [bytes, Buffer.concat([bytes, Buffer.from('\n')])].map((all) => all.toString('base64'))
  return [...aligned, ...whole, ...whole.map((form) => form.replaceAll('=', ''))].flatMap((form) => [
    form,
    form.replaceAll('+', '-').replaceAll('/', '_'),
  ])
}
