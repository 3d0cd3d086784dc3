import { isLoopbackHost } from '#platform/ground/egress/local-names.ts'

/** The operator's mail server and sender. */
export type MailSettings = {
  host: string
  port: number
  /** `immediate`: TLS from the start; `starttls`: TLS before anything is sent; `none`: only on this machine, or if the operator says so. */
  tls: 'immediate' | 'starttls' | 'none'
  auth: { user: string; pass: string } | null
  from: { name: string; address: string }
}

type Environment = { SMTP_URL?: string | undefined; SMTP_FROM?: string | undefined; SMTP_TLS?: string | undefined }

const form = 'must look like smtp://user:password@mail.example:587 or smtps://mail.example'

/** Reads the settings, or null without SMTP_URL. Errors name the setting and never repeat a password. */
export function readMailSettings({ SMTP_URL, SMTP_FROM, SMTP_TLS = 'required' }: Environment): MailSettings | null {
  if (SMTP_URL === undefined) {
    if (SMTP_FROM !== undefined) throw new Error('SMTP_FROM has no effect without SMTP_URL')
    return null
  }
  const url = URL.canParse(SMTP_URL) ? new URL(SMTP_URL) : null
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') throw new Error(`SMTP_URL ${form}`)
  if (url.search || url.hash || !['', '/'].includes(url.pathname))
    throw new Error(`SMTP_URL ${form}, with nothing after it`)
  if (SMTP_TLS !== 'required' && SMTP_TLS !== 'off') throw new Error('SMTP_TLS must be `required` or `off`')
  if (SMTP_FROM === undefined) throw new Error('SMTP_URL needs SMTP_FROM, the address that emails come from')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isImmediate = url.protocol === 'smtps:'
  const isPlain = SMTP_TLS === 'off' || isLoopbackHost(host)
  const [user, pass] = [decode(url.username), decode(url.password)]
  return {
    host,
    port: url.port === '' ? (isImmediate ? 465 : 587) : Number(url.port),
    tls: isImmediate ? 'immediate' : isPlain ? 'none' : 'starttls',
    auth: user === '' ? null : { user, pass },
    from: readSender(SMTP_FROM),
  }
}

function decode(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('The user and password in SMTP_URL must be percent-encoded')
  }
}

/** `Assay <assay@lab.example>` or `assay@lab.example`. */
function readSender(text: string) {
  const [, name = '', inBrackets] = /^([^<>\p{Cc}]*)<([^<>]+)>\s*$/u.exec(text) ?? []
  const address = (inBrackets ?? text).trim()
  if (!isMailAddress(address))
    throw new Error('SMTP_FROM must be an email address such as assay@lab.example, or Assay <assay@lab.example>')
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

/** One plain address, without anything that could add a second recipient or a header line. */
export const isMailAddress = (text: string) =>
  text.length <= 254 && /^[^\s@"(),:;<>[\\\]\p{C}]+@[^\s@"(),:;<>[\\\]\p{C}]+$/u.test(text)
