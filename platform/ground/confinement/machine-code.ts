/** One step of a program that only makes system calls and compares their results. */
export type Step =
  | { call: SystemCall; arguments: readonly number[] }
  | { label: string }
  /** Jumps always, or only if the last result is, or is not, this number. */
  | { jump: string; ifResult?: number; unlessResult?: number }

type SystemCall = keyof typeof numbers

/** The numbers of system calls on x86_64 and on aarch64. */
const numbers = {
  read: [0, 63],
  write: [1, 64],
  rt_sigaction: [13, 134],
  getpid: [39, 172],
  kill: [62, 129],
  prctl: [157, 167],
  exit_group: [231, 94],
  ppoll: [271, 73],
} as const satisfies Record<string, readonly [number, number]>

/** How one processor writes the steps. `distance` counts the bytes from the start of the jump to its label. */
type Processor = {
  setArgument: (index: number, value: number) => number[]
  call: (name: SystemCall) => number[]
  compareResult: (value: number) => number[]
  jump: (condition: 'always' | 'equal' | 'different', distance: number) => number[]
}

const littleEndian = (value: number) => [0, 8, 16, 24].map((shift) => (value >> shift) & 0xff)

/** `mov r64, imm32` sign-extends the number. */
const move = (prefix: number, register: number, value: number) => [prefix, 0xc7, register, ...littleEndian(value)]

/** The registers rdi, rsi, rdx, r10 and r8. */
const x64Arguments = [
  [0x48, 0xc7],
  [0x48, 0xc6],
  [0x48, 0xc2],
  [0x49, 0xc2],
  [0x49, 0xc0],
] as const

const x64Jumps = { always: [0xe9], equal: [0x0f, 0x84], different: [0x0f, 0x85] }

const x64: Processor = {
  setArgument(index, value) {
    const [prefix, register] = x64Arguments[index] ?? [0, 0]
    return move(prefix, register, value)
  },
  call: (name) => [...move(0x48, 0xc0, numbers[name][0]), 0x0f, 0x05],
  compareResult: (value) => [0x48, 0x83, 0xf8, value & 0xff],
  // The processor counts from the end of the jump.
  jump: (condition, distance) => [...x64Jumps[condition], ...littleEndian(distance - x64Jumps[condition].length - 4)],
}

/** `movz` and `movk` set the two halves of a number, `movn` sets a negative one. */
const arm64Set = (register: number, value: number) =>
  value < 0
    ? littleEndian(0x92800000 | (~value << 5) | register)
    : [
        ...littleEndian(0xd2800000 | ((value & 0xffff) << 5) | register),
        ...littleEndian(0xf2a00000 | (((value >> 16) & 0xffff) << 5) | register),
      ]

const words = (distance: number, bits: number) => (distance >> 2) & (2 ** bits - 1)

const arm64: Processor = {
  setArgument: arm64Set,
  call: (name) => [...arm64Set(8, numbers[name][1]), ...littleEndian(0xd4000001)],
  compareResult: (value) => littleEndian(value < 0 ? 0xb100001f | (-value << 10) : 0xf100001f | (value << 10)),
  jump: (condition, distance) =>
    littleEndian(
      condition === 'always'
        ? 0x14000000 | words(distance, 26)
        : 0x54000000 | (words(distance, 19) << 5) | (condition === 'equal' ? 0 : 1),
    ),
}

const processors = { x64, arm64 }
export type KnownProcessor = keyof typeof processors

/** Writes a program as the instructions of a processor. */
export function assembleSteps(steps: readonly Step[], processor: KnownProcessor): Uint8Array {
  const labels = new Map<string, number>()
  // The length of a jump does not depend on its distance, so the first pass finds the labels.
  write(steps, processors[processor], labels)
  return Uint8Array.from(write(steps, processors[processor], labels))
}

function write(steps: readonly Step[], processor: Processor, labels: Map<string, number>): number[] {
  const code = new Array<number>()
  for (const step of steps) {
    if ('label' in step) labels.set(step.label, code.length)
    else if ('call' in step) {
      for (const [index, value] of step.arguments.entries()) code.push(...processor.setArgument(index, value))
      code.push(...processor.call(step.call))
    } else {
      const compared = step.ifResult ?? step.unlessResult
      if (compared !== undefined) code.push(...processor.compareResult(compared))
      const condition = compared === undefined ? 'always' : step.ifResult === undefined ? 'different' : 'equal'
      code.push(...processor.jump(condition, (labels.get(step.jump) ?? 0) - code.length))
    }
  }
  return code
}
