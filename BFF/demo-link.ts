import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The secret of the address that `npm start` prints. It admits one browser to the demo; then the file has the next one.
 * Reading and replacing it is one step of this process, so two requests cannot use the same secret.
 */
export function openDemoLink(demoKeysFile: string) {
  const file = join(dirname(demoKeysFile), 'demo-link')

  const readSecret = () => {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      return ''
    }
  }

  /** Renamed into place, so that a kill leaves the used secret or the next one. */
  const replace = () => {
    writeFileSync(`${file}.new`, `${randomBytes(16).toString('base64url')}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  if (readSecret() === '') replace()

  return {
    /** Whether this is the secret. If so, it is used up. */
    use(given: string) {
      const secret = readSecret()
      if (secret === '' || !isSame(given, secret)) return false
      replace()
      return true
    },
  }
}

/** What an admitted browser keeps. It is derived from a demo key, so it ends with the data folder, and survives restarts. */
export const admissionOf = (apiKey: string) =>
  Buffer.from(hkdfSync('sha256', apiKey, '', 'assay/demo-browser', 32)).toString('base64url')

export function isSame(given: string, expected: string) {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
