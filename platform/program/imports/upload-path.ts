import { invalid } from '#platform/ground/failures/failure.ts'

const limits = { depth: 24, nameBytes: 255 }

/** The parts of the path of an uploaded file, which stays inside of its folder. Errors: `invalid_argument`. */
export function readUploadPath(path: string): string[] {
  const names = path.split('/')
  const isOdd = names.some(
    (name) => name === '' || name === '.' || name === '..' || Buffer.byteLength(name) > limits.nameBytes,
  )
  if (isOdd || names.length > limits.depth || /[\\\p{Cc}]|^[A-Za-z]:/u.test(path))
    throw invalid(
      `“${path.slice(0, 100)}” is no path of a file: it must be relative, with names of at most 255 bytes and ${limits.depth} levels`,
    )
  return names
}
