import {
  allow,
  assemble,
  failWith,
  type Instruction,
  killProcess,
  loadArchitecture,
  loadArgument,
  loadNumber,
  unlessEqual,
  whenAnyBit,
  whenAtLeast,
  whenEqual,
} from './assemble-filter.ts'
import {
  deviceMode,
  EAFNOSUPPORT,
  ENOSYS,
  EPERM,
  newNamespaces,
  socketFamilies,
  terminalInjections,
  tracingOthers,
} from './refused-arguments.ts'
import {
  type Architecture,
  examined,
  forbidden,
  missing,
  newestReviewed,
  pretended,
  pretendedForDevices,
} from './refused-system-calls.ts'

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. A program for another architecture has other call numbers. */
const kernelNames: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/**
 * The system calls that a confined program may not make, as a filter for the kernel: those that administer the machine,
 * create or enter namespaces, inspect other processes, or were often used to break out. All others are allowed.
 * Null for an architecture with unknown call numbers. With `pretendsRoot`, calls that only root may make answer with
 * success and do nothing.
 */
export function systemCallFilter(
  architecture: string = process.arch,
  { pretendsRoot = false } = {},
): Uint8Array | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null
  const always = [
    ...Object.values(forbidden).map((numbers) => ({ number: numbers[architecture], errno: EPERM })),
    ...Object.values(missing).map((numbers) => ({ number: numbers[architecture], errno: ENOSYS })),
    ...(pretendsRoot ? Object.values(pretended) : []).map((numbers) => ({ number: numbers[architecture], errno: 0 })),
  ]
  return assemble([
    loadArchitecture,
    ...unlessEqual(kernelNames[architecture], killProcess),
    loadNumber,
    ...whenAtLeast(newestReviewed + 1, failWith(ENOSYS)),
    ...always.flatMap(({ number, errno }) => (number === undefined ? [] : whenEqual(number, failWith(errno)))),
    ...examinations(architecture),
    ...(pretendsRoot ? devicesThatAreNotMade(architecture) : []),
    allow,
  ])
}

function examinations(architecture: Architecture): Instruction[] {
  const call = (name: keyof typeof examined, ...check: Instruction[]) =>
    whenEqual(examined[name][architecture], ...check, allow)
  const refuseAny = (values: readonly number[]) => values.flatMap((value) => whenEqual(value, failWith(EPERM)))
  const families = [...socketFamilies.flatMap((family) => whenEqual(family, allow)), failWith(EAFNOSUPPORT)]
  return [
    ...call('clone', loadArgument(0), ...whenAnyBit(newNamespaces, failWith(EPERM))),
    ...call('ioctl', loadArgument(1), ...refuseAny(terminalInjections)),
    ...call('ptrace', loadArgument(0), ...refuseAny(tracingOthers)),
    ...call('socket', loadArgument(0), ...families),
    ...call('socketpair', loadArgument(0), ...families),
  ]
}

const devicesThatAreNotMade = (architecture: Architecture): Instruction[] =>
  Object.values(pretendedForDevices).flatMap(({ numbers, modeArgument }) => {
    const number = (numbers as { [name in Architecture]?: number })[architecture]
    if (number === undefined) return []
    return whenEqual(number, loadArgument(modeArgument), ...whenAnyBit(deviceMode, failWith(0)), allow)
  })
