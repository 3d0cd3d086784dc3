import { createHash, hkdfSync } from 'node:crypto'

export const digest = (text: string) => createHash('sha256').update(text).digest()

/** Only the session's id opens what is stored of it, and only the browser's cookie has that id: the store alone reveals no API key. */
export const keyOf = (id: string) => Buffer.from(hkdfSync('sha256', id, '', 'assay/session', 32))

/** Decrypts the description of a person's sessions, and nothing else of them. */
export const keyOfPerson = (person: string) =>
  Buffer.from(hkdfSync('sha256', person, '', 'assay/sessions-of-person', 32))

export const sessionName = (id: string) => digest(id).toString('base64url')
