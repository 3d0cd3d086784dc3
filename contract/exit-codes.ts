/** Signals that end programs, by number. */
const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP, its terminal was closed',
  2: 'SIGINT, interrupted',
  3: 'SIGQUIT, told to quit',
  4: 'SIGILL, an illegal instruction',
  5: 'SIGTRAP, a trap',
  6: 'SIGABRT, aborted itself',
  7: 'SIGBUS, an invalid memory access',
  8: 'SIGFPE, an arithmetic error',
  9: 'SIGKILL, killed: out of memory or by another process',
  11: 'SIGSEGV, a segmentation fault',
  13: 'SIGPIPE, its reader was gone',
  14: 'SIGALRM, an alarm clock',
  15: 'SIGTERM, told to end',
  24: 'SIGXCPU, too much processor time',
  25: 'SIGXFSZ, a file became too large',
  31: 'SIGSYS, a forbidden system call',
}

const conventions: Readonly<Record<number, string>> = {
  124: 'a time limit, by the convention of timeout',
  125: 'the tool that should have started it failed',
  126: 'found but not executable',
  127: 'command not found',
}

/** The signal that an exit code stands for by the convention of shells, 128 + its number, or null. */
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
