import { type InstallationKeys, installationKeys } from '#platform/context/installation-keys.ts'
import { openKeyFile, readKeyFile } from './key-file.ts'

type Options = {
  /** ASSAY_ENCRYPTION_KEYS, newest first. */
  configured: readonly Buffer[]
  dataFolder: string
  /** False with a database of its own: its machines may not share a folder, and must not each make a key. */
  isEmbedded: boolean
}

/**
 * The configured keys and, embedded, those of the data folder's key file, so that what was made with the file stays
 * readable after keys are configured. Embedded without any, a key file is made. See docs/decisions/012.
 */
export function openInstallationKeys({ configured, dataFolder, isEmbedded }: Options): InstallationKeys {
  if (!isEmbedded) return installationKeys(configured)
  if (configured.length === 0) return installationKeys(openKeyFile(dataFolder))
  return installationKeys([...configured, ...readKeyFile(dataFolder)])
}
