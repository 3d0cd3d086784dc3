import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A clock that one program sees instead of the machine's, where libfaketime is installed. */
export function openFakeClock(folder: string) {
  const library = findLibrary()
  const file = join(folder, 'clock')
  const step = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`)
  step(0)
  return {
    isInstalled: library !== null,
    /** Moves the clock of the program to this far from the machine's. */
    step,
    environment: {
      ...(library !== null && {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }),
    },
  }
}

function findLibrary() {
  const libraries = '/usr/lib'
  const folders = existsSync(libraries) ? readdirSync(libraries).filter((name) => name.endsWith('-linux-gnu')) : []
  const files = folders.map((name) => join(libraries, name, 'faketime/libfaketimeMT.so.1'))
  return files.find((file) => existsSync(file)) ?? null
}
