import { encodingsOf } from './encodings.ts'
import { type MaskStream, maskStream } from './mask-stream.ts'
import type { Pattern } from './pattern-automaton.ts'
import { exactScanner, wrappedScanner } from './scan.ts'

export type SecretValue = { slug: string; value: string }

/** Takes the values of some secrets out of whatever a run says; in their place stands `[secret:<slug>]`. */
export type Masker = {
  /** For bytes that come in pieces. */
  stream: () => MaskStream
  /** A whole text; the very same where nothing is found. */
  text: (text: string) => string
  /** Whether a text gives a secret away. */
  finds: (text: string) => boolean
}

const maskOf = (slug: string) => `[secret:${slug}]`

/**
 * Masks values in every encoding of encodings.ts. What is found is exactly the patterns: all other bytes stay as they are.
 * A mask is a pattern too, of its own secret, so that masking twice is masking once, whatever the values hold.
 */
export function createMasker(secrets: readonly SecretValue[]): Masker {
  const masks = secrets.map(({ slug }) => Buffer.from(maskOf(slug)))
  const encoded = secrets.map(({ value }) => encodingsOf(value))
  const exact = encoded.flatMap((forms, secret) => patternsOf(forms.exact, secret))
  const wrapped = encoded.flatMap((forms, secret) => patternsOf(forms.wrapped, secret))
  if (exact.length === 0) return maskNothing
  const scanners = [
    exactScanner([...masks.map((bytes, secret) => ({ bytes, secret })), ...exact]),
    wrappedScanner(wrapped),
  ]
  const stream = () =>
    maskStream(
      scanners.map((scanner) => scanner()),
      (secret) => masks[secret] ?? Buffer.from('[secret]'),
    )
  const finds = (text: string) => {
    let isFound = false
    const bytes = Buffer.from(text)
    for (const scanner of scanners) scanner().scan(bytes, () => (isFound = true))
    return isFound
  }
  return {
    stream,
    finds,
    text(text) {
      if (!finds(text)) return text
      const masking = stream()
      return Buffer.concat([masking.push(Buffer.from(text)), masking.end()]).toString()
    },
  }
}

const patternsOf = (forms: readonly string[], secret: number): Pattern[] =>
  forms.map((form) => ({ bytes: Buffer.from(form), secret }))

/** Of a run without secrets. */
export const maskNothing: Masker = {
  stream: () => ({ push: (chunk) => Buffer.from(chunk), end: () => Buffer.alloc(0) }),
  text: (text) => text,
  finds: () => false,
}
