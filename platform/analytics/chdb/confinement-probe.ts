import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'

process.umask(0o077)

/** Runs where engines run. Prints "confined", or what is open: `secret` is a file outside that must not be there inside. */
const [, , secret = ''] = process.argv
const written = join(dirname(secret), 'written-by-probe')

function canWrite(path: string) {
  try {
    writeFileSync(path, '')
    return true
  } catch {
    return false
  }
}

function canWriteIn(folder: string) {
  const path = join(folder, 'written-by-probe')
  const isWritten = canWrite(path)
  if (isWritten) rmSync(path)
  return isWritten
}

/** Opens files of the kernel for writing, and writes nothing: where they are open, the machine is not harmed. */
function canOpen(path: string) {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch {
    return false
  }
}

function foldersAndFiles(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Its process has ended, or nobody can read it.
    return []
  }
}

const canOpenIn = (folder: string): boolean =>
  foldersAndFiles(folder).some((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? canOpenIn(path) : entry.isFile() && canOpen(path)
  })

const status = readFileSync('/proc/self/status', 'utf8')

// Left there: the platform checks whether the file appears outside.
canWrite(written)

const isOpen: [string, boolean][] = [
  ['it shows files of the machine', existsSync(secret) || existsSync('/etc/passwd')],
  ['it lets programs write outside their folder', ['/', '/usr', '/dev'].some(canWriteIn)],
  [
    'it leaves the network open',
    Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal)),
  ],
  ['it leaves capabilities inside', !/^CapEff:\s*0+$/m.test(status)],
  ['it does not filter system calls', !/^Seccomp:\s*2$/m.test(status)],
]
const complaints = isOpen.flatMap(([complaint, holds]) => (holds ? [complaint] : []))
// Last, because without confinement it would change the whole machine.
if (complaints.length === 0 && ['/proc', '/sys'].some(canOpenIn))
  complaints.push('it leaves settings of the machine writable')

console.log(complaints.length === 0 ? 'confined' : complaints.join(', '))
