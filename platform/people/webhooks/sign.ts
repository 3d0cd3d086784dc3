import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A secret in the form of the Standard Webhooks specification. */
export const newSecret = () => prefix + randomBytes(32).toString('base64')

type Message = { id: string; seconds: number; body: string }

/** The headers of Standard Webhooks, with a signature of each secret. */
export function signedHeaders({ id, seconds, body }: Message, secrets: readonly string[]): Record<string, string> {
  const signatureOf = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map(signatureOf).join(' '),
  }
}
