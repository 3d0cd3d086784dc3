/** Signals that end programs, by number. */
const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP, its terminal was closed',
  2: 'SIGINT, interrupted',
  3: 'SIGQUIT, asked to quit',
  4: 'SIGILL, an illegal instruction',
  5: 'SIGTRAP, a trap',
  6: 'SIGABRT, aborted itself',
  7: 'SIGBUS, an invalid memory access',
  8: 'SIGFPE, an arithmetic error',
  9: 'SIGKILL, killed: out of memory or by another process',
  11: 'SIGSEGV, a segmentation fault',
  13: 'SIGPIPE, it wrote to a closed pipe',
  14: 'SIGALRM, an alarm clock',
  15: 'SIGTERM, asked to end',
  24: 'SIGXCPU, too much processor time',
  25: 'SIGXFSZ, a file became too large',
  31: 'SIGSYS, a forbidden system call',
}

const conventions: Readonly<Record<number, string>> = {
  124: 'time limit reached, as the command timeout reports it',
  125: 'the tool that starts the command failed',
  126: 'found but not executable',
  127: 'command not found',
}

/** The number of the signal that ended the command, or null. Shells report it as 128 plus the number. */
const signalOf = (code: number) => (code > 128 && code <= 128 + 64 ? code - 128 : null)

/** What an exit code means beyond success and failure, such as `signal 9: SIGKILL, killed: …`, or null. */
export function meaningOfExitCode(code: number): string | null {
  const signal = signalOf(code)
  if (signal === null) return conventions[code] ?? null
  const name = signals[signal]
  return name === undefined ? `signal ${signal}` : `signal ${signal}, ${name}`
}

/** `code 137 (signal 9, SIGKILL, killed: out of memory or by another process)`. */
export function exitCodeInWords(code: number): string {
  const meaning = meaningOfExitCode(code)
  return meaning === null ? `code ${code}` : `code ${code} (${meaning})`
}
