/**
 * One instruction of the kernel's classic BPF: `struct sock_filter` of <linux/filter.h>. A jump counts instructions
 * forward.
 */
export type Instruction = { code: number; ifTrue?: number; ifFalse?: number; value: number }

const load = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfAnyBit = 0x45
const answer = 0x06

/** The offsets in `struct seccomp_data` of <linux/seccomp.h> that a filter reads. */
const at = { number: 0, architecture: 4, arguments: 16 }

export const loadNumber: Instruction = { code: load, value: at.number }
export const loadArchitecture: Instruction = { code: load, value: at.architecture }

/**
 * The lower half of an argument, on a little-endian machine. The kernel itself reads no more of the arguments we check.
 */
export const loadArgument = (index: number): Instruction => ({ code: load, value: at.arguments + 8 * index })

export const allow: Instruction = { code: answer, value: 0x7fff0000 }
export const killProcess: Instruction = { code: answer, value: 0x80000000 }
export const failWith = (errno: number): Instruction => ({ code: answer, value: 0x00050000 | errno })

/** Runs `then` if the loaded value matches, and otherwise continues after it. */
const when =
  (code: number) =>
  (value: number, ...then: Instruction[]): Instruction[] => [{ code, value, ifFalse: then.length }, ...then]

export const whenEqual = when(jumpIfEqual)
export const whenAtLeast = when(jumpIfAtLeast)
export const whenAnyBit = when(jumpIfAnyBit)

export const unlessEqual = (value: number, ...then: Instruction[]): Instruction[] => [
  { code: jumpIfEqual, value, ifTrue: then.length },
  ...then,
]

/** The program as bytes for the kernel and bubblewrap's --seccomp. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, { code, ifTrue = 0, ifFalse = 0, value }] of program.entries()) {
    if (ifTrue > 255 || ifFalse > 255) throw new RangeError('A jump can skip at most 255 instructions')
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, ifTrue)
    bytes.setUint8(index * 8 + 3, ifFalse)
    bytes.setUint32(index * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
