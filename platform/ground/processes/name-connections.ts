import { createServer, type Server, type Socket } from 'node:net'

import { connectionNameBytes } from './starter-messages.ts'

/** A starter names its connections at once. */
const nameMs = 60_000

/** A server that hands over each connection after its name, with what comes behind it unread. */
export const nameConnections = (onNamed: (name: string, connection: Socket) => unknown): Server =>
  createServer((connection) => {
    const timer = setTimeout(() => connection.destroy(), nameMs).unref()
    const fail = () => connection.destroy()
    const read = () => {
      const name = connection.read(connectionNameBytes)
      if (!(name instanceof Buffer)) return
      clearTimeout(timer)
      connection.off('readable', read).off('error', fail)
      onNamed(name.toString('latin1'), connection)
    }
    connection.on('readable', read).on('error', fail)
    connection.once('close', () => clearTimeout(timer))
  })
