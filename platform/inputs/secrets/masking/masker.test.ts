import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { createMasker, type Masker } from './masker.ts'

const pieces = (bytes: Buffer) => {
  const chunks: Buffer[] = []
  for (let from = 0; from < bytes.byteLength;) {
    const end = Math.min(bytes.byteLength, from + randomInt(1, 12))
    chunks.push(bytes.subarray(from, end))
    from = end
  }
  return chunks
}

const through = (masker: Masker, chunks: readonly Buffer[]) => {
  const stream = masker.stream()
  return Buffer.concat([...chunks.map((chunk) => stream.push(chunk)), stream.end()])
}

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[randomInt(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

const alphabets = [
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  '0123456789abcdef',
  '"\'\\/<>&%+= $`!\t~*()[]{}|;:?#@,.-_^abc',
  'äöüßé日本語🙂🔑a1',
]
const randomText = (length: number, alphabet = pick(alphabets)) =>
  Array.from({ length }, () => pick([...alphabet])).join('')

/** A value without whitespace at its ends, because the masker trims values. */
const randomSecret = () => `${randomText(1, alphabets[0])}${randomText(randomInt(4, 60))}${randomText(1, alphabets[0])}`

const json = (text: string) => JSON.stringify(text)
const unicode = (text: string) =>
  json(text).replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

const upperEscape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
const readEscapes = (text: string) =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/**
 * How a program may print a value, and how a reader decodes it again. Decoding the masked text must not give the value.
 */
const encodings: Record<string, [(value: string) => string, (text: string) => string]> = {
  plain: [(value) => value, (text) => text],
  json: [json, (text) => text.replace(/\\(["\\/])/g, '$1')],
  'json in json': [
    (value) => json(json(value)),
    (text) => text.replace(/\\(["\\/])/g, '$1').replace(/\\(["\\/])/g, '$1'),
  ],
  'ascii json': [
    unicode,
    (text) => text.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  ],
  // Jackson, Gson and System.Text.Json.
  'ascii json in upper case': [(value) => json(value).replace(/[\u0080-\uffff]/g, upperEscape), readEscapes],
  'json for web pages, as Java writes it': [
    (value) => json(value).replace(/[<>&='\u2028\u2029]/g, (letter) => upperEscape(letter).toLowerCase()),
    readEscapes,
  ],
  'json as .NET writes it': [
    (value) =>
      `"${value
        .split('"')
        .map((part) =>
          json(part)
            .slice(1, -1)
            .replace(/[&'+<>`\u007f-\uffff]/g, upperEscape),
        )
        .join('\\u0022')}"`,
    readEscapes,
  ],
  html: [
    (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    (text) => text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  ],
  url: [
    encodeURIComponent,
    (text) => text.replace(/(%[0-9A-F]{2})+/gi, (escape) => safely(() => decodeURIComponent(escape), escape)),
  ],
  form: [(value) => new URLSearchParams({ v: value }).toString().slice(2), (text) => text],
  'single quotes': [(value) => `'${value.replaceAll("'", "'\\''")}'`, (text) => text.replaceAll("'\\''", "'")],
  hex: [(value) => Buffer.from(value).toString('hex'), (text) => text],
  HEX: [(value) => Buffer.from(value).toString('hex').toUpperCase(), (text) => text],
  base64: [(value) => Buffer.from(value).toString('base64'), (text) => text],
  base64url: [(value) => Buffer.from(value).toString('base64url'), (text) => text],
}

const safely = (decode: () => string, otherwise: string) => {
  try {
    return decode()
  } catch {
    return otherwise
  }
}

describe('masking leaks no secret', () => {
  test.each(Object.entries(encodings))(
    '300 random secrets never leak as %s, wherever the chunks break',
    (_, [encode, decode]) => {
      for (let round = 0; round < 300; round += 1) {
        const value = randomSecret()
        const shown = encode(value)
        const masker = createMasker([{ slug: 'key', value }])
        const before = Buffer.from(`${randomText(randomInt(20), 'xyz ')}\n`)
        const after = Buffer.from(`\n${randomText(randomInt(20), 'xyz ')}`)
        const masked = through(masker, pieces(Buffer.concat([before, Buffer.from(shown), after]))).toString()
        expect(masked).not.toContain(value)
        expect(masked).not.toContain(shown)
        expect(decode(masked)).not.toContain(value)
        expect(masked).toContain('[secret:key]')
      }
    },
  )

  test('base64 of a text that contains the value is masked at every alignment, with and without line breaks', () => {
    for (let round = 0; round < 600; round += 1) {
      const value = randomSecret()
      const bytes = Buffer.concat([randomBytes(randomInt(40)), Buffer.from(value), randomBytes(randomInt(40))])
      const plain = bytes.toString(pick(['base64', 'base64url'] as const))
      const folded = plain.replace(/.{20}/g, `$&${pick(['', '\n', '\r\n'])}`)
      const masked = through(createMasker([{ slug: 'key', value }]), pieces(Buffer.from(folded))).toString()
      const [rest = ''] = masked.split('[secret:key]')
      expect(masked).toContain('[secret:key]')
      expect(Buffer.from(rest.replace(/\s/g, ''), 'base64').includes(Buffer.from(value))).toBe(false)
      expect(masked.replace(/\s/g, '')).not.toContain(Buffer.from(value).toString('base64').slice(0, -4))
    }
  })

  test('values that real programs print from the environment are masked', () => {
    const value = `a'b"c$d\\e f<g>&h ${randomBytes(80).toString('base64')} ü🙂/+=`
    const script = [
      'printf %s "$KEY" | base64',
      'echo "$KEY" | base64 -w0',
      'printf %s "user:$KEY" | base64 -w 60',
      'printf %s "$KEY" | od -An -v -tx1 | tr -d " "',
      'printf "%q\\n" "$KEY"',
      'export -p | grep KEY',
      'echo "${KEY@Q}"',
      'set -x; : "$KEY"',
      `"${process.execPath}" -e 'console.log(JSON.stringify(process.env), JSON.stringify(JSON.stringify(process.env)), encodeURIComponent(process.env.KEY))'`,
    ].join('\n')
    const printed = execFileSync('bash', ['-c', `exec 2>&1\n${script}`], {
      env: { KEY: value, PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    })
    const masked = through(createMasker([{ slug: 'key', value }]), pieces(printed)).toString()
    const longPart = value.slice(20, 60)
    expect(masked).not.toContain(longPart)
    expect(masked.replace(/\s/g, '')).not.toContain(Buffer.from(longPart).toString('hex'))
    expect(masked.match(/\[secret:key\]/g)?.length).toBeGreaterThanOrEqual(10)
    const leftOver = masked.replaceAll('[secret:key]', '')
    expect(leftOver.match(/[A-Za-z0-9+/]{30,}/g)).toBeNull()
  })

  test('each long line of a multi-line value is masked, in any order and indentation', () => {
    const lines = Array.from({ length: 6 }, () => randomBytes(24).toString('base64'))
    const value = `-----BEGIN KEY-----\n${lines.join('\n')}\nend\n`
    const masker = createMasker([{ slug: 'pem', value }])
    const scattered = lines.toReversed().map((line, index) => `${index}> ${line} <`)
    const masked = masker.text(scattered.join('\r\n'))
    for (const line of lines) expect(masked).not.toContain(line)
    expect(masked.split('\r\n')[2]).toBe('2> [secret:pem] <')
    expect(masker.text(`x${JSON.stringify({ value })}`)).toBe('x{"value":"[secret:pem]\\n"}')
    expect(masker.text('the end\n')).toBe('the end\n')
  })

  test('a secret with capital letters is masked in the name of a host, which has none', () => {
    const masker = createMasker([{ slug: 'key', value: 'Sk-AbCd1234' }])
    expect(masker.hostName('sk-abcd1234.example.com')).toBe('[secret:key].example.com')
    expect(masker.hostName('/v1?key=Sk-AbCd1234')).toBe('/v1?key=[secret:key]')
    expect(masker.text('sk-abcd1234')).toBe('sk-abcd1234')
  })

  test('overlapping secrets are both masked completely', () => {
    const masker = createMasker([
      { slug: 'a', value: 'abcdefgh' },
      { slug: 'b', value: 'efghijklmn' },
      { slug: 'c', value: 'cdef' },
    ])
    expect(masker.text('<abcdefghijklmn>')).toBe('<[secret:b]>')
    expect(masker.text('abcdefghabcdefgh')).toBe('[secret:a][secret:a]')
    expect(masker.text('xcdefx efghijklm')).toBe('x[secret:c]x efghijklm')
  })
})

describe('masking changes nothing else', () => {
  test('binary data without the value passes unchanged, wherever the chunks break', () => {
    for (let round = 0; round < 200; round += 1) {
      const bytes = randomBytes(randomInt(500))
      const value = `${randomSecret()}${randomBytes(12).toString('hex')}`
      expect(through(createMasker([{ slug: 'key', value }]), pieces(bytes))).toEqual(bytes)
    }
  })

  test('text around the value is kept, and so are incomplete starts of the value', () => {
    for (let round = 0; round < 300; round += 1) {
      const value = randomText(randomInt(8, 30), 'ab') + randomText(8, '0123456789')
      const noise = () => randomText(randomInt(30), 'ab') + value.slice(0, randomInt(value.length))
      const [before, after] = [`${noise()}#`, `#${noise()}`]
      const masked = through(createMasker([{ slug: 'k', value }]), pieces(Buffer.from(before + value + after)))
      expect(masked.toString()).toBe(`${before}[secret:k]${after}`)
    }
  })

  test('masking a masked text changes nothing, whatever the value', () => {
    for (const value of ['secret', 'key]', '[secret:key]', 'cret:key', randomSecret()]) {
      const masker = createMasker([{ slug: 'key', value }])
      const once = masker.text(`it is ${value}, and [secret:key] was masked`)
      expect(masker.text(once)).toBe(once)
    }
  })

  test('values shorter than four bytes are not masked, nor is whitespace around a value', () => {
    expect(createMasker([{ slug: 'tiny', value: 'abc' }]).text('abc abc')).toBe('abc abc')
    expect(createMasker([{ slug: 'blank', value: '      ' }]).text('a       b')).toBe('a       b')
    expect(createMasker([{ slug: 'padded', value: ' four\n' }]).text('<four>')).toBe('<[secret:padded]>')
  })

  test('a stream of nothing but secrets is held only up to a limit and shows none of them', () => {
    const masker = createMasker([{ slug: 'a', value: 'a'.repeat(100) }])
    const stream = masker.stream()
    const out = Array.from({ length: 64 }, () => stream.push(Buffer.alloc(64 * 1024, 'a')))
    const shown = Buffer.concat([...out, stream.end()]).toString()
    expect(shown).toMatch(/^(\[secret:a\])+$/)
    expect(Buffer.concat(out).byteLength).toBeGreaterThan(0)
  })
})

test('masking takes time in proportion to the length of the text, whatever the text contains', async () => {
  const secrets = Array.from({ length: 10 }, (_, index) => ({
    slug: `s${index}`,
    value: randomBytes(30).toString('base64'),
  }))
  const mask = (bytes: Buffer, masker: Masker) => {
    const stream = masker.stream()
    for (let from = 0; from < bytes.byteLength; from += 65_536) stream.push(bytes.subarray(from, from + 65_536))
    stream.end()
  }
  const repeated = createMasker([{ slug: 'a', value: `${'a'.repeat(5000)}b` }])
  await expectLinear((size) => mask(Buffer.alloc(size, 'a'), repeated), 16e6)
  await expectLinear((size) => mask(Buffer.from(randomBytes(size).toString('base64')), createMasker(secrets)), 8e6)
})

test('line breaks without end after the start of a secret are held within a limit, and each byte is copied once', async () => {
  await expectLinear((size) => {
    const masking = createMasker([{ slug: 'key', value: 'ab-secret-of-this-run' }]).stream()
    let shown = masking.push(Buffer.from('6')).byteLength
    const chunk = Buffer.alloc(100, '\n')
    let mostHeld = 0
    for (let sent = 1; sent < size; sent += chunk.byteLength) {
      shown += masking.push(chunk).byteLength
      mostHeld = Math.max(mostHeld, sent + chunk.byteLength - shown)
    }
    shown += masking.end().byteLength
    expect(shown).toBe(size + 1)
    expect(mostHeld).toBeLessThan(1_200_000)
  }, 2_400_000)
})

test('a short secret that overlaps itself millions of times is one mask', () => {
  const masker = createMasker([{ slug: 'key', value: 'aaaaaaaa' }])
  expect(masker.text('a'.repeat(1_000_000))).toBe('[secret:key]')
})
