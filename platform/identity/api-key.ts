import { createHash, randomBytes } from 'node:crypto'

/** A new API key: 256 random bits, told once and kept only as its hash. */
export const newApiKey = () => `assay_${randomBytes(32).toString('base64url')}`

export const hashApiKey = (key: string) => createHash('sha256').update(key).digest('hex')

/** As much of a key as logs may hold; undefined for what is no key of ours: somebody may have pasted a password. */
export const keyPrefix = (key: string) => /^assay_[\w-]{6}(?=[\w-]{37}$)/.exec(key)?.[0]
