import { text } from 'node:stream/consumers'

import { Command } from 'commander'
import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { openPeople } from './people.ts'
import { OidcEnvironment, readOidcSettings } from './settings.ts'

process.umask(0o077)

/** `npm run -s assay -- person …`: who may sign in through the identity provider. It reaches the BFF's files alone. */
const people = () => {
  const environment = OidcEnvironment.safeParse(process.env)
  if (!environment.success) throw new Error(sentencesOf(environment.error, '\n'))
  const settings = readOidcSettings(environment.data)
  if (!settings) throw new Error('Set OIDC_ISSUER and the variables beside it, as for the service')
  return openPeople(settings.people)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const program = new Command('assay person').description('People who sign in through the identity provider')

program
  .command('link')
  .description('seal the personal API key on standard input for whoever signs in with this email')
  .requiredOption('--email <email>')
  .action(async ({ email }: { email: string }) => {
    const apiKey = (await text(process.stdin)).trim()
    if (!/^[\x21-\x7e]{1,500}$/.test(apiKey)) throw new Error('Standard input holds no API key')
    await people().link(z.email().parse(email), apiKey)
    print(`${email} may sign in`)
  })

program
  .command('unlink')
  .description('forget the key of a person; their sessions last until they end, or until the key is revoked')
  .requiredOption('--email <email>')
  .action(async ({ email }: { email: string }) => {
    if (!(await people().unlink(email))) throw new Error(`Nobody is linked as ${email}`)
    print(`${email} may no longer sign in`)
  })

program
  .command('list')
  .description('print who is linked, and whether they have signed in')
  .action(async () => {
    for (const { email, subject } of await people().list()) print(`${email}\t${subject ? 'has signed in' : 'new'}`)
  })

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
