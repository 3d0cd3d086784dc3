import { hkdfSync } from 'node:crypto'

import { preconditionFailed } from '#platform/failures/failure.ts'

/** What a key is for. Each purpose has keys of its own, so that what is made for one says nothing of another. */
type KeyPurpose = 'secrets' | 'publications' | 'analytics'

/** `id` names the key wherever it was used, and tells nothing of it; `key` has 32 bytes. */
export type InstallationKey = { id: string; key: Buffer }

/** The keys of this installation, which never sit in its database. */
export type InstallationKeys = {
  /** The key to use for anything new. Refuses with `failed_precondition` where the installation has none. */
  current: (purpose: KeyPurpose) => InstallationKey
  /** The key that something was made with, or null when the installation no longer has it. */
  find: (purpose: KeyPurpose, id: string) => InstallationKey | null
}

/** `masters`: 32 bytes each, newest first; none where the operator has still to set them. */
export function installationKeys(masters: readonly Buffer[]): InstallationKeys {
  const known = masters.map((master) => ({ master, id: derive(master, 'id', 8).toString('hex') }))
  return {
    current(purpose) {
      const [newest] = known
      if (!newest)
        throw preconditionFailed('This installation has no encryption key; its operator must set ASSAY_ENCRYPTION_KEYS')
      return { id: newest.id, key: derive(newest.master, purpose, 32) }
    },
    find(purpose, id) {
      const found = known.find((key) => key.id === id)
      return found ? { id, key: derive(found.master, purpose, 32) } : null
    },
  }
}

const derive = (master: Buffer, purpose: KeyPurpose | 'id', bytes: number) =>
  Buffer.from(hkdfSync('sha256', master, '', `assay/${purpose}`, bytes))
