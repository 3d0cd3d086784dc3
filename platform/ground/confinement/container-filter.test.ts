import { expect, test } from 'vitest'

import { containerFilter } from './container-filter.ts'
import { forbidden, missing, pretended } from './refused-system-calls.ts'

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]

/** The error that the engine's filter gives a call, computed from its rules; null if it allows the call. */
function errorOf(name: string, args: bigint[] = [], pretendsRoot = false): number | null {
  const rule = containerFilter('x64', { pretendsRoot })?.syscalls.find(
    ({ names, args: comparisons = [] }) =>
      names.includes(name) &&
      comparisons.every(({ index, op, value, valueTwo = 0 }) => {
        const given = args[index] ?? 0n
        return op === 'SCMP_CMP_GT' ? given > BigInt(value) : (given & BigInt(value)) === BigInt(valueTwo)
      }),
  )
  return rule ? rule.errnoRet : null
}

test('a container is refused the same calls as a sandbox, with the same errors', () => {
  for (const name of Object.keys(forbidden)) expect(errorOf(name), name).toBe(EPERM)
  for (const name of Object.keys(missing)) expect(errorOf(name), name).toBe(ENOSYS)
  for (const name of Object.keys(pretended)) expect(errorOf(name), name).toBeNull()
  for (const name of Object.keys(pretended)) expect(errorOf(name, [], true), name).toBe(0)
})

test.each<[string, bigint[], number | null]>([
  ['clone', [0x11n], null],
  ['clone', [0x10000000n], EPERM],
  ['clone', [0x40000011n], EPERM],
  ['ioctl', [0n, 0x5401n], null],
  ['ioctl', [0n, 0x5412n], EPERM],
  ['ptrace', [0n], null],
  ['ptrace', [16n], EPERM],
  ['ptrace', [0x4206n], EPERM],
  ['socket', [2n], null],
  ['socket', [40n], EAFNOSUPPORT],
  ['socket', [100n], EAFNOSUPPORT],
  ['socketpair', [38n], EAFNOSUPPORT],
])('%s with the arguments %o gets the same result as in a sandbox', (name, args, error) => {
  expect(errorOf(name, args)).toBe(error)
})

test.each<[string, bigint[]]>([
  ['ioctl', [0n, 0x100005412n]],
  ['socket', [0x100000028n]],
])('bits that the kernel does not read cannot hide the argument of %s', (name, args) => {
  expect(errorOf(name, args)).not.toBeNull()
})

test('only the creation of device files is faked, and only for root', () => {
  expect(errorOf('mknod', [0n, 0x2000n], true)).toBe(0)
  expect(errorOf('mknod', [0n, 0x1000n], true)).toBeNull()
  expect(errorOf('mknodat', [0n, 0n, 0x6000n], true)).toBe(0)
  expect(errorOf('mknod', [0n, 0x2000n])).toBeNull()
})

test('programs of other architectures, and machines without known numbers, have no way around', () => {
  expect(containerFilter('x64')?.architectures).toEqual(['SCMP_ARCH_X86_64'])
  expect(containerFilter('arm64')?.architectures).toEqual(['SCMP_ARCH_AARCH64'])
  expect(containerFilter('s390x')).toBeNull()
})
