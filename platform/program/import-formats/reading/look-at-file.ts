import { load } from 'js-yaml'

import { messageOf } from '#contract/wire/message-of.ts'
import { isRecord } from './fields.ts'
import { adviceForBytes, adviceForNames, adviceForXml } from './other-files.ts'
import { readFileText, readHead, readLines, type ResultFile } from './result-files.ts'
import { isWideText, startOfText } from './text-encoding.ts'
import { archiveOf, type ArchiveKind } from './unpack-archives.ts'
import { openZip } from './zip.ts'

/**
 * What a file is by its content, whatever its name is. `document` is a whole JSON or YAML document, and `first` the first
 * JSON objects of a file of JSON lines.
 */
export type Look =
  | { kind: 'json'; document: unknown }
  | { kind: 'lines'; first: readonly Record<string, unknown>[] }
  | { kind: 'yaml'; document: unknown }
  | { kind: 'zip'; names: readonly string[] }
  | { kind: 'archive'; archive: ArchiveKind }
  | { kind: 'parquet' }
  | { kind: 'xml'; start: string }
  | { kind: 'text'; start: string }
  | { kind: 'binary' }
  | { kind: 'unread'; reason: string }

/** The first objects of a file, whether it has lines, a list or one object. */
export function samplesOf(look: Look): readonly Record<string, unknown>[] {
  if (look.kind === 'lines') return look.first
  if (look.kind !== 'json') return []
  const list: unknown[] = Array.isArray(look.document) ? look.document.slice(0, firstLines) : [look.document]
  return list.filter(isRecord)
}

const headBytes = 64 * 1024
const maxYamlBytes = 8 * 1024 * 1024
const firstLines = 20

/** Of a name that is there twice the last one counts, as in JSON and for Python, which writes these files. */
const yaml = { json: true }

export async function lookAtFile(file: ResultFile): Promise<Look> {
  try {
    return await look(file)
  } catch (error) {
    return { kind: 'unread', reason: messageOf(error) }
  }
}

async function look(file: ResultFile): Promise<Look> {
  const head = await readHead(file, Math.min(headBytes, file.size))
  const archive = archiveOf(head)
  if (archive === 'zip') return lookAtZip(file)
  if (archive) return { kind: 'archive', archive }
  if (head.toString('latin1', 0, 4) === 'PAR1') return { kind: 'parquet' }
  const advice = adviceForBytes(head)
  if (advice !== null) return { kind: 'unread', reason: advice }
  if (head.includes(0) && !isWideText(head)) return { kind: 'binary' }
  const start = startOfText(head).trimStart()
  if (start.startsWith('<')) return lookAtXml(start)
  if (start.startsWith('{') || start.startsWith('[')) return lookAtJson(file, start)
  if (/^(---\n|# |- ?\w|[\w-]+:)/.test(start) && file.size <= maxYamlBytes) return lookAtYaml(file, start)
  return { kind: 'text', start }
}

async function lookAtZip(file: ResultFile): Promise<Look> {
  const { entries, close } = await openZip(`${file.root}/${file.inside}`)
  await close()
  const names = entries.map(({ name }) => name)
  const advice = adviceForNames(names)
  return advice === null ? { kind: 'zip', names } : { kind: 'unread', reason: advice }
}

function lookAtXml(start: string): Look {
  const advice = adviceForXml(start)
  return advice === null ? { kind: 'xml', start } : { kind: 'unread', reason: advice }
}

async function lookAtJson(file: ResultFile, start: string): Promise<Look> {
  const first = start.startsWith('{') ? await readFirstLines(file) : null
  if (first) return { kind: 'lines', first }
  try {
    return { kind: 'json', document: JSON.parse(withoutNaN(await readFileText(file))) as unknown }
  } catch (error) {
    const written = await readByHand(file)
    if (written) return { kind: 'json', document: written }
    if (start.startsWith('[')) return { kind: 'text', start }
    throw new Error(`it is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`, {
      cause: error,
    })
  }
}

/** JSON that somebody edited, with a comma too many. YAML allows it. */
async function readByHand(file: ResultFile): Promise<unknown> {
  if (file.size > maxYamlBytes) return null
  try {
    const document = load(await readFileText(file, maxYamlBytes), yaml)
    return typeof document === 'object' ? document : null
  } catch {
    return null
  }
}

const notJson = /-?\b(?:NaN|Infinity)\b/g

/** Python prints numbers that JSON does not have. Texts in quotes stay as they are. */
export function withoutNaN(json: string): string {
  if (!/\b(?:NaN|Infinity)\b/.test(json)) return json
  const parts: string[] = []
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at)
    const start = quote < 0 ? json.length : quote
    const end = quote < 0 ? json.length : endOfText(json, quote)
    parts.push(json.slice(at, start).replace(notJson, 'null'), json.slice(start, end))
    at = end
  }
  return parts.join('')
}

/** The place after the closing quote of a text, or the end of the document. */
function endOfText(json: string, quote: number) {
  for (let at = json.indexOf('"', quote + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return json.length
}

/**
 * Null if the file is one document: then its first line is no whole object, or the only one. A file of one line is both, and
 * formats of lines know their objects.
 */
async function readFirstLines(file: ResultFile) {
  const first: Record<string, unknown>[] = []
  let count = 0
  try {
    for await (const line of readLines(file)) {
      if (line.trim() === '') continue
      const value = parseLine(line)
      // Later lines can be broken, such as the last one of a session that has not ended.
      if (count === 0 && !isRecord(value)) return null
      if (isRecord(value)) first.push(value)
      count += 1
      if (count >= firstLines) break
    }
  } catch {
    // A line that is too long, or no text.
  }
  return count < 2 ? null : first
}

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(withoutNaN(line))
  } catch {
    return null
  }
}

async function lookAtYaml(file: ResultFile, start: string): Promise<Look> {
  try {
    const document = load(await readFileText(file, maxYamlBytes), yaml)
    if (typeof document === 'object' && document !== null) return { kind: 'yaml', document }
  } catch {
    // A table, or a text.
  }
  return { kind: 'text', start }
}
