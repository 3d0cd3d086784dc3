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
  type examined,
  forbidden,
  missing,
  pretended,
  pretendedForDevices,
} from './refused-system-calls.ts'

type Comparison = { index: number; op: 'SCMP_CMP_MASKED_EQ' | 'SCMP_CMP_GT'; value: number; valueTwo?: number }
type Rule = { names: string[]; action: 'SCMP_ACT_ERRNO'; errnoRet: number; args?: Comparison[] }

/** A filter of system calls in the form that container engines read. */
export type ContainerFilter = { defaultAction: 'SCMP_ACT_ALLOW'; architectures: string[]; syscalls: Rule[] }

/** Programs of other architectures, x32 included, are killed. */
const engineNames: Record<Architecture, string> = { x64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' }

/** The kernel reads only the lower half of these arguments. */
const lowerHalf = 0xffffffff
/** The last address family of Linux 6.17. */
const lastFamily = 45

/**
 * The same refusals as `systemCallFilter`, for a container engine. The form of engines names calls, so it cannot refuse
 * calls that are newer than the engine knows. Null for an architecture with unknown call numbers.
 */
export function containerFilter(
  architecture: string = process.arch,
  { pretendsRoot = false } = {},
): ContainerFilter | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: [engineNames[architecture]],
    syscalls: [
      refuse(Object.keys(forbidden), EPERM),
      refuse(Object.keys(missing), ENOSYS),
      ...examinations(),
      ...(pretendsRoot ? [refuse(Object.keys(pretended), 0), ...devicesThatAreNotMade()] : []),
    ],
  }
}

const refuse = (names: string[], errnoRet = EPERM, args?: Comparison[]): Rule => ({
  names,
  action: 'SCMP_ACT_ERRNO',
  errnoRet,
  ...(args && { args }),
})

const equals = (index: number, value: number, mask = lowerHalf): Comparison[] => [
  { index, op: 'SCMP_CMP_MASKED_EQ', value: mask, valueTwo: value },
]

const bitsOf = (mask: number) => Array.from({ length: 32 }, (_, bit) => 2 ** bit).filter((bit) => (mask & bit) !== 0)

const called = (name: keyof typeof examined) => [name]

function examinations(): Rule[] {
  const sockets = [...called('socket'), ...called('socketpair')]
  const otherFamilies = Array.from({ length: lastFamily + 1 }, (_, family) => family).filter(
    (family) => !socketFamilies.includes(family),
  )
  return [
    ...bitsOf(newNamespaces).map((bit) => refuse(called('clone'), EPERM, equals(0, bit, bit))),
    ...terminalInjections.map((value) => refuse(called('ioctl'), EPERM, equals(1, value))),
    ...tracingOthers.map((value) => refuse(called('ptrace'), EPERM, equals(0, value))),
    ...otherFamilies.map((family) => refuse(sockets, EAFNOSUPPORT, equals(0, family))),
    refuse(sockets, EAFNOSUPPORT, [{ index: 0, op: 'SCMP_CMP_GT', value: lastFamily }]),
  ]
}

const devicesThatAreNotMade = () =>
  Object.entries(pretendedForDevices).map(([name, { modeArgument }]) =>
    refuse([name], 0, equals(modeArgument, deviceMode, deviceMode)),
  )
