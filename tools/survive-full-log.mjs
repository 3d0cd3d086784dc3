// Preloaded into every child, whose log is a file. On a full disk, Node throws from the logging call, which ends the
// process. This drops lines that cannot be written; later lines are written again once there is space.
import { writeSync } from 'node:fs'

for (const stream of [process.stdout, process.stderr]) {
  // Pipes and terminals use no disk.
  if (stream._type !== 'fs') continue
  stream._write = (chunk, _encoding, done) => {
    try {
      writeSync(stream.fd, chunk)
    } catch {
      // The error cannot be reported anywhere.
    }
    done()
  }
}
