const keyCharacters = 36

/** A connection between a started process and the service is named by the key of the start and its descriptor, 0 to 2. */
export const connectionNameBytes = keyCharacters + 1

export const connectionName = (key: string, fd: number) => `${key}${fd}`

export const readConnectionName = (name: string) => ({
  key: name.slice(0, keyCharacters),
  fd: Number(name.slice(keyCharacters)),
})

/** What a process gets as a descriptor, besides its input, output and error output. */
export type Descriptor =
  /** It reads this to the end. */
  | { reads: string | Uint8Array }
  /** The starter opens this path. */
  | { opens: string }

/** A process to start. */
export type Start = {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd?: string | undefined
  descriptors?: ReadonlyMap<number, Descriptor> | undefined
  /** The descriptor to which the process writes its status. */
  statusFd?: number | undefined
  /** It is a program of Node that sends messages to the service, which may have sockets. */
  sendsMessages?: boolean | undefined
  /** It does not keep the service from ending. Whoever waits for its answer has to. */
  inBackground?: boolean | undefined
}

export type StartRequest = Start & { key: string }

/** What a starter says of the process that was started with a key. */
export type StarterMessage = { key: string } & (
  | { said: 'started'; pid: number }
  | { said: 'failed'; reason: string; code: string | undefined }
  /** `text` is null at the end of its status. */
  | { said: 'status'; text: string | null }
  /** It may have a socket beside it. */
  | { said: 'message'; message: unknown }
  | { said: 'exited'; exitCode: number | null; signal: NodeJS.Signals | null }
)
