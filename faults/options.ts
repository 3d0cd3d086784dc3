import { parseArgs } from 'node:util'

import { type KillKind, killKinds, type TroubleKind, troubleKinds } from './inject.ts'

const usage = `npm run test:faults -- [options]
  --seed <number>      chooses the same faults in the same order; default: a new one
  --seconds <number>   how long faults are made; default: 180
  --kills <number>     continue until this many processes have been killed
  --zombies <number>   continue until this many frozen workers have lost their runs
  --kinds <list>       of ${[...killKinds, ...troubleKinds].join(', ')}; default: all
  --workers <number>   default: 4
  --port <number>      the first of four ports; default: 4450
  --keep               keep the folder with the logs`

export type Options = ReturnType<typeof readOptions>

/** Throws a text for people. */
export function readOptions(args: readonly string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: text,
      seconds: text,
      kills: text,
      zombies: text,
      kinds: text,
      workers: text,
      port: text,
      keep: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) throw new Error(usage)
  const number = (name: 'seed' | 'seconds' | 'kills' | 'zombies' | 'workers' | 'port', otherwise: number) => {
    const value = Number(values[name] ?? otherwise)
    if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} must be a whole number.\n${usage}`)
    return value
  }
  const kinds = values.kinds?.split(',') ?? [...killKinds, ...troubleKinds]
  const unknown = kinds.filter((kind) => !isIn(killKinds, kind) && !isIn(troubleKinds, kind))
  if (unknown.length > 0) throw new Error(`Unknown faults: ${unknown.join(', ')}.\n${usage}`)
  return {
    seed: number('seed', Math.floor(Math.random() * 1e6)),
    seconds: number('seconds', 180),
    kills: number('kills', 0),
    zombies: number('zombies', 0),
    workers: Math.max(2, number('workers', 4)),
    port: number('port', 4450),
    keep: values.keep ?? false,
    killKinds: killKinds.filter((kind): kind is KillKind => kinds.includes(kind)),
    troubleKinds: troubleKinds.filter((kind): kind is TroubleKind => kinds.includes(kind)),
  }
}

const isIn = (all: readonly string[], one: string) => all.includes(one)
