import { whoami } from '#contract/identity.ts'
import { readProfiles, writeProfiles } from '#client/api/profiles.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Commands, Verb } from '#client/work.ts'
import { type LoginOptions, login } from './login.ts'

export function addAccountCommands({ add, run }: Commands) {
  const loginCommand = add('login', 'log in to a server')
    .argument('[address]', 'the address of Assay, or the link that npm start printed')
    .option('--with-key', 'ask for an API key, or read it from standard input, instead of opening the browser')
    .option('--ca-file <file>', 'the certificates of a private authority, as PEM')
    .action((address: string | undefined, options: LoginOptions) => run(loginCommand, login(address, options)))

  const logoutCommand = add('logout', 'delete the key of a profile from this machine').action(() =>
    run(logoutCommand, logout),
  )
  const whoamiCommand = add('whoami', 'show who you are and your organizations').action(() =>
    run(whoamiCommand, whoAmI),
  )
}

/** The key still works elsewhere: the page of keys revokes it. */
const logout: Verb = async ({ io, options, show }) => {
  const { current, profiles } = readProfiles(io)
  const name = options.profile ?? current
  if (!profiles[name]) throw new CommandError(`There is no profile ${name}`)
  const { [name]: _, ...left } = profiles
  const [next = 'default'] = Object.keys(left)
  writeProfiles(io, { current: current === name ? next : current, profiles: left })
  show(
    { profile: name },
    `Deleted the profile ${name}. Revoke its key under Settings, API keys, if nothing else uses it`,
  )
}

const whoAmI: Verb = async ({ api, show }) => {
  const caller = await api()
  const { actor, organizations } = await caller.call(whoami, {})
  const lines = organizations.map(({ slug, role }) => `${slug} (${role})`).join(', ')
  show({ url: caller.url, actor, organizations }, `${actor.name} at ${caller.url}: ${lines}`)
}
