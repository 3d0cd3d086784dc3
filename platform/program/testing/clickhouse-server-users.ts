/**
 * The users, profiles, grants and row policies of a ClickHouse server, parsed from the engine's formatting of the
 * statements that create them, and written as the `users.xml` of an engine whose user `default` is one of these users.
 * The engine itself enforces all of it. Only the storage of access rights, which chDB lacks, and the password check are
 * emulated.
 */
export type ServerUsers = {
  /** Applies an access statement in the engine's own format. Throws if the statement is unknown here. */
  apply: (formatted: string) => void
  find: (name: string) => ServerUser | undefined
}

export type ServerUser = {
  passwordHash: string
  profile: string
  grants: Set<string>
  policies: Map<string, { database: string; table: string; filter: string }>
  toXml: () => string
}

type Profile = { name: string; value: string }[]

const name = '`?([^` ]+)`?'

export function createServerUsers(): ServerUsers {
  const users = new Map<string, ServerUser>()
  const profiles = new Map<string, Profile>()

  function require(user: string) {
    const found = users.get(user)
    if (!found) throw new Error(`Code: 192. DB::Exception: There is no user \`${user}\`. (UNKNOWN_USER)`)
    return found
  }

  function newUser(passwordHash: string, profile: string): ServerUser {
    const user: ServerUser = {
      passwordHash: passwordHash.toLowerCase(),
      profile,
      grants: new Set(),
      policies: new Map(),
      toXml: () => usersXml(user, profiles.get(profile) ?? []),
    }
    return user
  }

  const statements: [RegExp, (found: string[]) => void][] = [
    [
      new RegExp(`^CREATE SETTINGS PROFILE IF NOT EXISTS ${name}$`),
      ([profile = '']) => profiles.set(profile, profiles.get(profile) ?? []),
    ],
    [
      new RegExp(`^ALTER SETTINGS PROFILE ${name} DROP ALL SETTINGS, DROP ALL PROFILES, ADD SETTINGS (.*)$`),
      ([profile = '', settings = '']) => profiles.set(profile, readSettings(settings)),
    ],
    [
      new RegExp(
        `^CREATE USER IF NOT EXISTS ${name} IDENTIFIED WITH sha256_hash BY '(\\w{64})' DEFAULT DATABASE ${name} SETTINGS PROFILE ${name}$`,
      ),
      ([user = '', hash = '', _database, profile = '']) => users.set(user, users.get(user) ?? newUser(hash, profile)),
    ],
    [
      new RegExp(`^ALTER USER ${name} IDENTIFIED WITH sha256_hash BY '(\\w{64})'$`),
      ([user = '', hash = '']) => {
        require(user).passwordHash = hash.toLowerCase()
      },
    ],
    [
      new RegExp(
        `^CREATE ROW POLICY IF NOT EXISTS ${name} ON ${name.replace(' ', ' .')}\\.${name} FOR SELECT USING (.*) TO ${name}$`,
      ),
      ([policy = '', database = '', table = '', filter = '', user = '']) => {
        const policies = users.get(user)?.policies
        const key = `${policy} ON ${database}.${table}`
        if (policies && !policies.has(key)) policies.set(key, { database, table, filter })
      },
    ],
    [new RegExp(`^(GRANT .*) TO ${name}$`), ([grant = '', user = '']) => require(user).grants.add(grant)],
  ]

  return {
    find: (user) => users.get(user),
    apply(formatted) {
      for (const [pattern, act] of statements) {
        const found = pattern.exec(formatted)
        if (!found) continue
        return act(found.slice(1))
      }
      throw new Error(`Code: 48. DB::Exception: The test server does not know ${formatted}. (NOT_IMPLEMENTED)`)
    },
  }
}

function readSettings(list: string): Profile {
  return [...list.matchAll(/(\w+) = ('[^']*'|[^, ]+) CONST(?:, |$)/g)].map(([, name = '', value = '']) => ({
    name,
    value: value.replaceAll("'", ''),
  }))
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function usersXml({ grants, policies }: ServerUser, profile: Profile) {
  const settings = profile.map(({ name, value }) => `<${name}>${escapeXml(value)}</${name}>`)
  const constraints = profile.map(({ name }) => `<${name}><const/></${name}>`)
  const queries = [...grants].map((grant) => `<query>${escapeXml(grant)}</query>`)
  const filters = [...policies.values()].map(
    ({ database, table, filter }) =>
      `<${database}><${table}><filter>${escapeXml(filter)}</filter></${table}></${database}>`,
  )
  return `<clickhouse>
  <profiles><default>${settings.join('')}<constraints>${constraints.join('')}</constraints></default></profiles>
  <users><default><password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <grants>${queries.join('')}</grants><databases>${filters.join('')}</databases></default></users>
  <quotas><default/></quotas>
</clickhouse>`
}
