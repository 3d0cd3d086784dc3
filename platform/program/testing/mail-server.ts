import type { AddressInfo } from 'node:net'

import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** What the server does with the next emails. A refusal is the answer to the recipient, or to the text. */
type Manner = { refuse?: { code: number; message: string; at: 'recipient' | 'text' }; hangUpInText?: boolean }

/** A real mail server on this machine, which keeps what it accepts. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const accepted: (ParsedMail & { recipients: string[]; raw: string })[] = []
  const manner: Manner = {}
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    ...options,
    onConnect(_, done) {
      connections += 1
      done()
    },
    onRcptTo(_, __, done) {
      done(manner.refuse?.at === 'recipient' ? refusal(manner.refuse) : null)
    },
    onData(stream, session, done) {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) {
          chunks.push(chunk as Buffer)
          if (manner.hangUpInText) return hangUp(server)
        }
        if (manner.refuse?.at === 'text') return done(refusal(manner.refuse))
        const raw = Buffer.concat(chunks)
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        accepted.push({ ...(await simpleParser(raw)), recipients, raw: raw.toString('utf8') })
        done()
      })()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    accepted,
    manner,
    connections: () => connections,
    stop: () => new Promise<void>((stopped) => server.close(() => stopped())),
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

const refusal = ({ code, message }: { code: number; message: string }) =>
  Object.assign(new Error(message), { responseCode: code })

/** Ends every connection without an answer. */
function hangUp(server: SMTPServer) {
  for (const connection of server.connections) (connection as { _socket?: { destroy: () => void } })._socket?.destroy()
}
