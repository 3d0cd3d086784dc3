import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { PGlite } from '@electric-sql/pglite'
import { vi } from 'vitest'

type Answer = Awaited<ReturnType<PGlite['execProtocol']>>

/**
 * Copies the folder of an embedded database after each statement that `isAsked`: what is in the files then is what a kill leaves.
 * `stop` returns the copy of each of them, in order. A statement that changed no file has the copy of the one before it.
 */
export function copyAfterStatements(folder: string, isAsked: (answer: Answer) => boolean = () => true) {
  const copies: string[] = []
  let [files, copy] = ['', '']
  let made = 0
  const send = PGlite.prototype.execProtocol
  const spy = vi.spyOn(PGlite.prototype, 'execProtocol').mockImplementation(async function (this: PGlite, ...given) {
    const answer = await send.apply(this, given)
    if (!isAsked(answer)) return answer
    const now = describeFiles(folder)
    if (now !== files) {
      ;[files, copy] = [now, `${folder}-killed-${made}`]
      made += 1
      cpSync(folder, copy, { recursive: true })
    }
    copies.push(copy)
    return answer
  })
  return {
    stop() {
      spy.mockRestore()
      return copies
    },
  }
}

/** Copying takes longer than a tick of the clock, so a file that is written after a copy has another time. */
function describeFiles(folder: string) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => {
      const { size, mtimeNs } = statSync(join(folder, name), { bigint: true })
      return `${name} ${size} ${mtimeNs}`
    })
    .join('\n')
}
