import { encodingsOf } from './encodings.ts'
import { type MaskStream, maskStream } from './mask-stream.ts'
import type { Pattern } from './pattern-automaton.ts'
import { exactScanner, wrappedScanner } from './scan.ts'

export type SecretValue = { slug: string; value: string }

/** Replaces the values of secrets in a run's output by `[secret:<slug>]`. */
export type Masker = {
  /** What it masks, for a process that needs the same masker. */
  secrets: readonly SecretValue[]
  /** For bytes that arrive in chunks. */
  stream: () => MaskStream
  /** Returns the masked text, or the same string if it contains no value. */
  text: (text: string) => string
  /** The same for the name of a host, which is always lower-case. */
  hostName: (name: string) => string
  /** Whether a text contains a secret. */
  finds: (text: string) => boolean
}

const maskOf = (slug: string) => `[secret:${slug}]`

/**
 * Masks values in every encoding of encodings.ts. Only exact matches of these patterns are replaced; all other bytes
 * stay the same. A mask is also a pattern of its own secret, so that masking a masked text changes nothing.
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
  const text = (unmasked: string) => {
    if (!finds(unmasked)) return unmasked
    const masking = stream()
    return Buffer.concat([masking.push(Buffer.from(unmasked)), masking.end()]).toString()
  }
  let ofHosts: Masker | undefined
  const hostName = (name: string) => {
    ofHosts ??= createMasker(secrets.map(({ slug, value }) => ({ slug, value: value.toLowerCase() })))
    return ofHosts.text(text(name))
  }
  return { secrets, stream, finds, text, hostName }
}

const patternsOf = (forms: readonly string[], secret: number): Pattern[] =>
  forms.map((form) => ({ bytes: Buffer.from(form), secret }))

/** The masker of a run without secrets. */
export const maskNothing: Masker = {
  secrets: [],
  stream: () => ({ push: (chunk) => Buffer.from(chunk), end: () => Buffer.alloc(0) }),
  text: (text) => text,
  hostName: (name) => name,
  finds: () => false,
}
