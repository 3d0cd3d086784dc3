import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'

const zip = promisify(deflate)

/** The id that git gives to a content; it checks them before and after it applies a binary patch. */
const blobId = (content: Buffer) =>
  createHash('sha1').update(`blob ${content.byteLength}\0`).update(content).digest('hex')

const noBlob = '0'.repeat(40)

/** The `index` line of a binary file, and its content after and before, as `git diff --binary` writes them. */
export async function* binaryPatch(before: Buffer | null, after: Buffer | null): AsyncGenerator<string> {
  yield `index ${before ? blobId(before) : noBlob}..${after ? blobId(after) : noBlob}\nGIT binary patch\n`
  // The second content lets git apply the patch in reverse.
  for (const content of [after, before]) {
    yield `literal ${content?.byteLength ?? 0}\n`
    const zipped = await zip(content ?? Buffer.alloc(0))
    for (let start = 0; start < zipped.byteLength; start += partBytes)
      yield linesOf(zipped.subarray(start, start + partBytes))
    yield '\n'
  }
}

const lineBytes = 52

/** Encoding all at once would block other requests. */
const partBytes = 1000 * lineBytes

function linesOf(bytes: Buffer) {
  let lines = ''
  for (let start = 0; start < bytes.byteLength; start += lineBytes) {
    const line = bytes.subarray(start, start + lineBytes)
    lines += `${lengths[line.byteLength - 1]}${base85(line)}\n`
  }
  return lines
}

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lengths = capitals + capitals.toLowerCase()
const digits = `0123456789${lengths}!#$%&()*+-;<=>?@^_\`{|}~`

/** Four bytes are five digits, the highest first. The last group is filled with zero bytes. */
function base85(bytes: Buffer) {
  const filled = Buffer.alloc(Math.ceil(bytes.byteLength / 4) * 4)
  bytes.copy(filled)
  let text = ''
  for (let start = 0; start < filled.byteLength; start += 4) {
    let value = filled.readUInt32BE(start)
    let group = ''
    for (let place = 0; place < 5; place += 1) {
      group = (digits[value % 85] ?? '') + group
      value = Math.floor(value / 85)
    }
    text += group
  }
  return text
}
