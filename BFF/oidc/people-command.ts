import { EmailAddress } from '#contract/wire/email-address.ts'
import { text } from 'node:stream/consumers'

import { Command } from 'commander'
import { sentencesOf } from '#contract/plain-messages.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { openPeople } from './people.ts'
import { OidcEnvironment, readOidcSettings } from './settings.ts'

process.umask(0o077)

/**
 * `npm run -s assay -- person …`: manages who can sign in through the identity provider. It only accesses the BFF's
 * files.
 */
const people = () => {
  const environment = OidcEnvironment.safeParse(process.env)
  if (!environment.success) throw new Error(sentencesOf(environment.error, '\n'))
  const settings = readOidcSettings(environment.data)
  if (!settings) throw new Error('Set OIDC_ISSUER and the other OIDC variables, as for the service')
  return openPeople(settings.people)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const program = new Command('assay person').description('People who sign in through the identity provider')

program
  .command('link')
  .description('link the personal API key from standard input to the person with this email')
  .requiredOption('--email <email>')
  .action(async ({ email }: { email: string }) => {
    const apiKey = (await text(process.stdin)).trim()
    if (!/^[\x21-\x7e]{1,500}$/.test(apiKey)) throw new Error('No API key on standard input')
    await people().link(EmailAddress.parse(email), apiKey)
    print(`${email} can now sign in`)
  })

program
  .command('unlink')
  .description('unlink a person; their current sessions continue until they expire or the key is revoked')
  .requiredOption('--email <email>')
  .action(async ({ email }: { email: string }) => {
    if (!(await people().unlink(email))) throw new Error(`${email} is not linked`)
    print(`${email} can no longer sign in`)
  })

program
  .command('list')
  .description('print the linked people and whether they have signed in')
  .action(async () => {
    for (const { email, subject } of await people().list()) print(`${email}\t${subject ? 'has signed in' : 'new'}`)
  })

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
