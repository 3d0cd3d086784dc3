import type { SendHandle } from 'node:child_process'
import { Socket as DatagramSocket } from 'node:dgram'
import { Server } from 'node:net'

/** Closes a listening socket that came with a message, if one did. */
export function closeHandle(handle: SendHandle | undefined) {
  if (handle instanceof Server || handle instanceof DatagramSocket) handle.close()
}
