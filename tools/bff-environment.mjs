/** Settings of the platform with secrets. The app is what browsers reach, and reads none of them. */
const secrets = /^(ASSAY_ENCRYPTION_KEYS|SMTP_URL|EGRESS_PROXY|(AWS|CLICKHOUSE|STRIPE|MANAGED)_.*)$/

/**
 * The settings that the BFF does not get from `npm start`, as undefined. It needs DATABASE_URL only for its sessions
 * without SESSIONS_URL.
 */
export function withheldFromBff(environment) {
  const names = Object.keys(environment).filter((name) => secrets.test(name))
  if (environment.SESSIONS_URL) names.push('DATABASE_URL')
  return Object.fromEntries(names.map((name) => [name, undefined]))
}
