import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import type { PeopleSettings } from '#bff/oidc/settings.ts'
import { seal, unseal } from '#bff/oidc/seal.ts'

/** `subject` is the provider's own id of the person, known from their first sign-in on. */
const LinkedPerson = z.object({
  issuer: z.string(),
  email: z.string(),
  apiKey: z.string(),
  subject: z.string().optional(),
})
type LinkedPerson = z.infer<typeof LinkedPerson>

/**
 * The people of an identity provider and the API key of each: one sealed file per person, readable by its owner alone.
 * The operator links a person by email; the first sign-in with that verified email ties the link to the provider's
 * subject, so that an address given to somebody else later opens nothing.
 */
export function openPeople({ issuer, folder, sealingKey }: PeopleSettings) {
  const nameOf = (email: string) =>
    `${createHash('sha256').update(`${issuer}\0${email.toLowerCase()}`).digest('hex')}.sealed`

  const read = async (name: string) => {
    const sealed = await readFile(join(folder, name)).catch(ignoreMissing)
    if (!sealed) return null
    const text = unseal(sealingKey, name, sealed)
    if (text === null) {
      const error = new Error(`${join(folder, name)} cannot be opened with OIDC_SEALING_KEY`)
      throw Object.assign(error, { code: 'wrong OIDC_SEALING_KEY' })
    }
    return LinkedPerson.parse(JSON.parse(text))
  }

  const write = async (person: LinkedPerson) => {
    const name = nameOf(person.email)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeWhole(folder, name, seal(sealingKey, name, JSON.stringify(person)))
  }

  // One at a time: of two first sign-ins with one address, one is the first.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }

  return {
    /** Links a person, or gives a linked one a new key; either way the next sign-in decides whose subject it is. */
    link: (email: string, apiKey: string) => write({ issuer, email: email.toLowerCase(), apiKey }),

    /** False where nobody was linked. */
    async unlink(email: string) {
      const isLinked = (await read(nameOf(email))) !== null
      await rm(join(folder, nameOf(email)), { force: true })
      return isLinked
    },

    async list() {
      const names = (await readdir(folder).catch(ignoreMissing)) ?? []
      const people = await Promise.all(names.filter((name) => name.endsWith('.sealed')).map(read))
      return people.flatMap((person) => (person ? [person] : [])).sort((a, b) => a.email.localeCompare(b.email))
    },

    /** The key of whoever the provider vouches for, or null where nobody has linked them. */
    findKey: ({ email, subject }: { email: string; subject: string }) =>
      inTurn(async () => {
        const person = await read(nameOf(email))
        if (!person || (person.subject ?? subject) !== subject) return null
        if (person.subject === undefined) await write({ ...person, subject })
        return person.apiKey
      }),
  }
}

/** Whoever reads meanwhile, or after a crash, finds the old file or the new one. */
async function writeWhole(folder: string, name: string, content: Buffer) {
  const unfinished = join(folder, `${randomUUID()}.new`)
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, join(folder, name))
}

function ignoreMissing(error: unknown) {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
