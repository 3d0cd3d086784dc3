import { type ReadEntry, Unpack } from 'tar'

import { leadsOut } from '#contract/task-fields.ts'

const unpackedBytes = 2 * 1024 ** 3
const chunkBytes = 1024 * 1024

const plainTypes = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'Link'])

/** What a tar contains: its size in bytes, whether it has folders, its links, and why it is rejected. */
type Survey = { size: number; holdsFolder: boolean; links: Map<string, string>; failure: string | null }

/**
 * Unpacks a tar into an empty folder. When it returns or throws (an Error with a reason), it has stopped writing.
 * Symbolic links may lead anywhere, as in virtual environments. They are created last, by `link`, so nothing is written
 * through them.
 */
export async function unpackTar(
  bytes: Uint8Array,
  folder: string,
  link: (path: string, target: string) => Promise<void>,
  signal?: AbortSignal,
) {
  const survey: Survey = {
    size: 0,
    holdsFolder: false,
    links: new Map(),
    failure: findCompression(bytes) ?? findMissingEnd(bytes),
  }
  const fail = (reason: string) => void (survey.failure ??= reason)
  const unpack = new Unpack({
    cwd: folder,
    preserveOwner: false,
    filter: (path, entry) => 'type' in entry && survey.failure === null && isWanted(survey, path, entry),
    onwarn: (code, message) => {
      if (code !== 'TAR_ENTRY_INFO') fail(String(message))
    },
  })
  unpack.on('error', (error: Error) => fail(error.message))
  const closed = new Promise<void>((done) => unpack.once('close', done))
  for (let start = 0; start < bytes.byteLength; start += chunkBytes) {
    if (signal?.aborted || survey.failure !== null) break
    if (!unpack.write(Buffer.from(bytes.subarray(start, start + chunkBytes))))
      await Promise.race([new Promise((done) => unpack.once('drain', done)), closed])
  }
  unpack.end()
  await closed
  if (signal?.aborted) return { holdsFolder: true }
  if (survey.failure !== null) throw new Error(survey.failure)
  for (const [path, target] of survey.links) await link(path, target)
  return { holdsFolder: survey.holdsFolder }
}

/**
 * Rejects compressed tars: the library would unpack them without a size limit, and never finishes if much padding
 * follows.
 */
function findCompression(bytes: Uint8Array) {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  return start.startsWith('1f8b') || start === '28b52ffd' ? 'it is compressed; a package is a plain tar' : null
}

/** The library accepts a tar that was cut between two entries. Every complete tar ends with zeros. */
function findMissingEnd(bytes: Uint8Array) {
  const isPlainTar = Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'
  const hasEnd = bytes.byteLength >= 1024 && bytes.subarray(-512).every((byte) => byte === 0)
  return isPlainTar && !hasEnd ? 'its end is missing' : null
}

/** Must not throw, or the library never finishes. */
function isWanted(survey: Survey, path: string, entry: ReadEntry) {
  const fail = (reason: string) => {
    survey.failure = reason
    return false
  }
  survey.size += entry.size
  if (survey.size > unpackedBytes) return fail('it unpacks to more than 2 GiB')
  if (leadsOut(path) || (entry.type === 'Link' && leadsOut(entry.linkpath ?? '')))
    return fail(`${path} leads out of the package`)
  if (entry.type === 'SymbolicLink') survey.links.set(path, entry.linkpath ?? '')
  else survey.links.delete(path)
  survey.holdsFolder ||= entry.type === 'Directory'
  return plainTypes.has(entry.type)
}
