import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

import type { InstallationKeys } from '#platform/context/installation-keys.ts'

/** Identifies the secret that a value belongs to. */
export type SecretKey = { organizationId: string; slug: string }

/** `sealed` is the nonce (12 bytes), tag (16 bytes) and ciphertext in base64. */
export type Sealed = { keyId: string; sealed: string }

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Binds a sealed value to its secret, organization and key: it cannot be decrypted anywhere else. */
const placeOf = ({ organizationId, slug }: SecretKey, keyId: string) =>
  Buffer.from(['assay/secret/1', keyId, organizationId, slug].join('\0'))

/** Encrypts a value with the newest key. Throws `failed_precondition` if the installation has no key. */
export function sealSecret(keys: InstallationKeys, place: SecretKey, value: string): Sealed {
  const { id: keyId, key } = keys.current('secrets')
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(placeOf(place, keyId))
  const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return { keyId, sealed: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64') }
}

/**
 * Returns the value, or null if the installation no longer has the key or the stored text was not sealed for this
 * secret.
 */
export function openSecret(keys: InstallationKeys, place: SecretKey, { keyId, sealed }: Sealed): string | null {
  const found = keys.find('secrets', keyId)
  const bytes = Buffer.from(sealed, 'base64')
  if (!found || bytes.byteLength < nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, found.key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(placeOf(place, keyId)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
