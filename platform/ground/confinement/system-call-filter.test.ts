import { expect, test } from 'vitest'

import {
  type Architecture,
  examined,
  forbidden,
  missing,
  newestReviewed,
  pretended,
  pretendedForDevices,
} from './refused-system-calls.ts'
import { systemCallFilter } from './system-call-filter.ts'

const [allowed, success, killed, EPERM, ENOSYS, EAFNOSUPPORT] = [
  0x7fff0000, 0x50000, 0x80000000, 0x50001, 0x50026, 0x50061,
]

const architectures: Architecture[] = ['x64', 'arm64']
const kernelNames = { x64: 0xc000003e, arm64: 0xc00000b7 }

type Call = { number: number; kernelName?: number; args?: number[]; pretendsRoot?: boolean }

/** The kernel's answer to a call, computed by interpreting the filter. */
function answerOf(
  architecture: Architecture,
  { number, kernelName = kernelNames[architecture], args = [], pretendsRoot = false }: Call,
) {
  const bytes = systemCallFilter(architecture, { pretendsRoot })
  if (!bytes) throw new Error('There is no filter')
  const program = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const data = new DataView(new ArrayBuffer(64))
  data.setInt32(0, number, true)
  data.setUint32(4, kernelName, true)
  for (const [index, value] of args.entries()) data.setBigInt64(16 + 8 * index, BigInt(value), true)
  let loaded = 0
  for (let at = 0; at < bytes.byteLength; at += 8) {
    const code = program.getUint16(at, true)
    const value = program.getUint32(at + 4, true)
    if (code === 0x06) return value
    if (code === 0x20) {
      loaded = data.getUint32(value, true)
      continue
    }
    const tests: Record<number, boolean> = {
      0x15: loaded === value,
      0x35: loaded >= value,
      0x45: (BigInt(loaded) & BigInt(value)) !== 0n,
    }
    at += 8 * program.getUint8(at + (tests[code] ? 2 : 3))
  }
  throw new Error('The filter does not end')
}

test.each(architectures)(
  'on %s every listed call fails with its listed error, and its neighbors do not',
  (architecture) => {
    const numbersOf = (calls: Record<string, Partial<Record<Architecture, number>>>) =>
      Object.values(calls).flatMap((numbers) => numbers[architecture] ?? [])
    const answers = Array.from({ length: newestReviewed + 1 }, (_, number) => answerOf(architecture, { number }))
    const failingWith = (answer: number) => answers.flatMap((found, number) => (found === answer ? [number] : []))
    const ascending = (numbers: number[]) => numbers.sort((a, b) => a - b)
    expect(failingWith(EPERM)).toEqual(ascending(numbersOf(forbidden)))
    expect(failingWith(ENOSYS)).toEqual(ascending(numbersOf(missing)))
    const families = [examined.socket[architecture], examined.socketpair[architecture]]
    expect(failingWith(EAFNOSUPPORT)).toEqual(ascending(families))
  },
)

test.each(architectures)('on %s calls newer than the list and x32 calls do not exist', (architecture) => {
  for (const number of [newestReviewed + 1, 512, 0x40000000 + 59, -1])
    expect(answerOf(architecture, { number })).toBe(ENOSYS)
})

test.each(architectures)('a program for another architecture than %s is killed at its first call', (architecture) => {
  const i386 = 0x40000003
  expect(answerOf(architecture, { number: 0, kernelName: i386 })).toBe(killed)
})

test.each(architectures)('on %s a program can create threads and processes, but no namespaces', (architecture) => {
  const clone = (flags: number) => answerOf(architecture, { number: examined.clone[architecture], args: [flags] })
  const [thread, fork, vfork] = [0x3d0f00, 0x1200011, 0x4111]
  for (const flags of [thread, fork, vfork]) expect(clone(flags)).toBe(allowed)
  const namespaces = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]
  for (const flag of namespaces) expect(clone(flag + 17)).toBe(EPERM)
})

test.each(architectures)(
  'on %s the filter ignores the upper half of an argument, as the kernel does',
  (architecture) => {
    const upper = 2 ** 32
    const ask = (name: keyof typeof examined, ...args: number[]) =>
      answerOf(architecture, { number: examined[name][architecture], args })
    expect(ask('ioctl', 0, upper + 0x5412)).toBe(EPERM)
    expect(ask('ioctl', 0, 0x5413)).toBe(allowed)
    expect(ask('ptrace', upper + 16)).toBe(EPERM)
    expect(ask('ptrace', 0)).toBe(allowed)
    expect(ask('socket', upper + 40)).toBe(EAFNOSUPPORT)
    for (const family of [1, 2, 10, 16]) expect(ask('socket', family)).toBe(allowed)
  },
)

test('there is no filter for an architecture with unknown system call numbers', () => {
  expect(systemCallFilter('riscv64')).toBeNull()
})

test.each(architectures)('on %s only root of an image seems to change owners and users', (architecture) => {
  for (const number of Object.values(pretended).flatMap((numbers) => numbers[architecture] ?? [])) {
    expect(answerOf(architecture, { number })).toBe(allowed)
    expect(answerOf(architecture, { number, pretendsRoot: true })).toBe(success)
  }
  for (const number of Object.values(forbidden).flatMap((numbers) => numbers[architecture] ?? []))
    expect(answerOf(architecture, { number, pretendsRoot: true })).toBe(EPERM)
})

test.each(architectures)(
  'on %s root of an image makes FIFOs and files, and only seems to make devices',
  (architecture) => {
    const [fifo, file, character, block] = [0o010644, 0o100644, 0o020666, 0o060660]
    const { numbers, modeArgument } = pretendedForDevices.mknodat
    const make = (mode: number) => {
      const args = Array.from({ length: modeArgument + 1 }, () => mode)
      return answerOf(architecture, { number: numbers[architecture], args, pretendsRoot: true })
    }
    expect([fifo, file, character, block].map(make)).toEqual([allowed, allowed, success, success])
  },
)
