import { readEmailAddress } from '#contract/wire/email-address.ts'
import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import type { PeopleSettings } from './settings.ts'
import { seal, unseal } from '#bff/seal-session.ts'

const LinkedPerson = z.object({ issuer: z.string(), email: z.string(), apiKey: z.string() })

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** The file that ties this link, and no later link of the same person, to a subject. */
const tieOf = (name: string, sealed: Buffer) => `${name}.${sha256(sealed)}.subject`

/**
 * The people of an identity provider and the API key of each: one encrypted file per person, readable only by its
 * owner. The operator links a person by email. The first sign-in with that verified email ties the link to the
 * provider's subject in a separate file, so an address that is later reassigned to another person gives no access. Only
 * the operator writes links, and a tie is written once, so any number of processes can do this at once.
 */
export function openPeople({ issuer, folder, sealingKey }: PeopleSettings) {
  /** Null for an address that nobody can be linked by. */
  const fileOf = (email: string) => {
    const address = readEmailAddress(email)
    return address === null ? null : `${sha256(`${issuer}\0${address}`)}.sealed`
  }

  const readSealed = (name: string) => readFile(join(folder, name)).catch(ignoreMissing)

  const openSealed = (name: string, sealed: Buffer) => {
    const text = unseal(sealingKey, name, sealed)
    if (text !== null) return text
    const error = new Error(`${join(folder, name)} cannot be decrypted with OIDC_SEALING_KEY`)
    throw Object.assign(error, { code: 'wrong OIDC_SEALING_KEY' })
  }

  const openLink = (name: string, sealed: Buffer) => LinkedPerson.parse(JSON.parse(openSealed(name, sealed)))

  const readSubject = async (tie: string) => {
    const sealed = await readSealed(tie)
    return sealed && openSealed(tie, sealed)
  }

  const namesInFolder = async () => (await readdir(folder).catch(ignoreMissing)) ?? []

  /** Returns the subject of the link. Before the first sign-in, that is this subject. */
  const tieOnce = async (tie: string, subject: string) => {
    const known = await readSubject(tie)
    if (known !== null) return known
    await createWhole(folder, tie, seal(sealingKey, tie, subject))
    return readSubject(tie)
  }

  const forgetEarlierTies = async (name: string) => {
    const ties = (await namesInFolder()).filter((each) => each.startsWith(`${name}.`))
    const sealed = await readSealed(name)
    const current = sealed && tieOf(name, sealed)
    await Promise.all(ties.filter((tie) => tie !== current).map((tie) => rm(join(folder, tie), { force: true })))
  }

  const findKey = async (email: string, subject: string): Promise<string | null> => {
    const name = fileOf(email)
    if (name === null) return null
    const sealed = await readSealed(name)
    if (!sealed) return null
    const { apiKey } = openLink(name, sealed)
    const tie = tieOf(name, sealed)
    const owner = await tieOnce(tie, subject)
    if ((await readSealed(name))?.equals(sealed)) return owner === subject ? apiKey : null
    // The person was linked again or unlinked meanwhile; that takes precedence.
    await rm(join(folder, tie), { force: true })
    return findKey(email, subject)
  }

  return {
    /** Links a person, or gives a linked person a new key. Either way, the next sign-in decides the subject. */
    async link(email: string, apiKey: string) {
      const name = fileOf(email)
      if (name === null) throw new Error(`${email} is not an email address`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const person = JSON.stringify({ issuer, email: email.toLowerCase(), apiKey })
      await replaceWhole(folder, name, seal(sealingKey, name, person))
      await forgetEarlierTies(name)
    },

    /** Returns false if the person was not linked. */
    async unlink(email: string) {
      const name = fileOf(email)
      if (name === null) return false
      const isLinked = (await readSealed(name)) !== null
      await rm(join(folder, name), { force: true })
      await forgetEarlierTies(name)
      return isLinked
    },

    async list() {
      const readPerson = async (name: string) => {
        const sealed = await readSealed(name)
        if (!sealed) return []
        return [{ email: openLink(name, sealed).email, subject: await readSubject(tieOf(name, sealed)) }]
      }
      const names = (await namesInFolder()).filter((name) => name.endsWith('.sealed'))
      const people = (await Promise.all(names.map(readPerson))).flat()
      return people.sort((a, b) => a.email.localeCompare(b.email))
    },

    /** Returns the key of the person with this verified identity, or null if they are not linked. */
    findKey: ({ email, subject }: { email: string; subject: string }) => findKey(email, subject),
  }
}

/** A concurrent reader, or one after a crash, finds either the old or the new file. */
const replaceWhole = (folder: string, name: string, content: Buffer) =>
  writeAside(folder, content, (written) => rename(written, join(folder, name)))

/** Creates a file in one step. An existing file stays unchanged. */
const createWhole = (folder: string, name: string, content: Buffer) =>
  writeAside(folder, content, async (written) => {
    await link(written, join(folder, name)).catch(ignore('EEXIST'))
  })

async function writeAside(folder: string, content: Buffer, place: (written: string) => Promise<void>) {
  const written = join(folder, `${randomUUID()}.new`)
  const file = await open(written, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
    await file.close()
    await place(written)
  } finally {
    await file.close()
    await rm(written, { force: true })
  }
}

const ignore = (code: string) => (error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === code) return null
  throw error
}

const ignoreMissing = ignore('ENOENT')
