// Preloaded into every child, whose log is a file: with its disk full, Node throws out of the very line that logs, which ends
// the process. Lines that find no room are dropped; the ones after them are written again once there is room.
import { writeSync } from 'node:fs'

for (const stream of [process.stdout, process.stderr]) {
  // Pipes and terminals have no disk.
  if (stream._type !== 'fs') continue
  stream._write = (chunk, _encoding, done) => {
    try {
      writeSync(stream.fd, chunk)
    } catch {
      // Nothing is left to report the error to.
    }
    done()
  }
}
